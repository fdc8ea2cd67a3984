package main

import "fmt"

// row is one word per lane of a warp.
type row = [32]uint32

// chunk is the number of inputs per piece of work, and per golden digest.
const chunk = 1 << 24

// task is a proof over all words below inputs.
type task struct {
	name   string
	inputs uint64
	check  func(first uint32, n int) error // n is a multiple of 32; for digests it is chunk
}

// chunks returns the number of chunks of the task, at least one.
func (t *task) chunks() int { return int((t.inputs + chunk - 1) / chunk) }

// words is the number of inputs of a function of one word.
const words = 1 << 32

// mismatch is an input for which two forms differ.
type mismatch struct {
	name      string
	input     uint32
	got, want uint64
}

func (m *mismatch) Error() string {
	return fmt.Sprintf("%s of %08x: got %x, want %x", m.name, m.input, m.got, m.want)
}

// count fills r with 32 inputs from first on.
func count(r *row, first uint32) {
	for i := range r {
		r[i] = first + uint32(i)
	}
}
