package stats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"jacquard/simt"
	"jacquard/tesla"
)

// What a reader takes, whatever the file says: 256 MiB altogether, of which Load's launches are
// half. A file with more is refused. Numbers of launches are not limited where each is handed on:
// what is read of one is forgotten with the next.
const (
	mostHead     = 1 << 20 // bytes of a file before its records
	mostRecord   = 1 << 24 // bytes of a record
	mostKernels  = 1 << 16
	mostCode     = 1 << 17 // instructions of a kernel: a mebibyte of code
	mostCodes    = 1 << 18 // instructions of all kernels of a file
	mostString   = 1 << 14 // bytes of a name or message
	mostCounters = 1 << 8  // counters of a launch, unknown ones included
	mostBins     = 2 * 33  // numbers of a sparse histogram
	mostKept     = 1 << 27 // bytes of the launches that Load keeps
)

// limitError is something of a file that is beyond a limit.
type limitError struct{ reason string }

func (e *limitError) Error() string { return e.reason }

// tooMany is the error for a list with more elements than it may have.
func tooMany(what string, most int) error {
	return &limitError{fmt.Sprintf("more than %d %s", most, what)}
}

// elements unmarshals a list of at most most elements into list, whose memory is taken at once.
// Data is valid JSON.
func elements[T any](data []byte, list *[]T, most int, what string) error {
	n := bytes.Count(data, []byte{','}) + 1
	if n > most {
		return tooMany(what, most)
	}
	*list = make([]T, 0, n)
	return json.Unmarshal(data, list)
}

// counters are the counters of something, by name.
type counters[T any] map[string]T

// UnmarshalJSON refuses more counters than there ever will be.
func (c *counters[T]) UnmarshalJSON(data []byte) error {
	*c = nil
	dec := json.NewDecoder(bytes.NewReader(data))
	switch t, err := dec.Token(); {
	case err != nil || t == nil:
		return err
	case t != json.Delim('{'):
		return &limitError{"something else where counters belong"}
	}
	*c = counters[T]{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		if len(*c) == mostCounters {
			return tooMany("counters", mostCounters)
		}
		var value T
		if err := dec.Decode(&value); err != nil {
			return err
		}
		(*c)[name.(string)] = value
	}
	return nil
}

// column is a counter of every instruction.
type column []uint64

// UnmarshalJSON refuses more numbers than a kernel has instructions.
func (c *column) UnmarshalJSON(data []byte) error {
	return elements(data, (*[]uint64)(c), mostCode, "instructions")
}

// bins is a sparse histogram.
type bins []uint64

// UnmarshalJSON refuses more numbers than a histogram has.
func (b *bins) UnmarshalJSON(data []byte) error {
	return elements(data, (*[]uint64)(b), mostBins, "numbers of a histogram of lanes")
}

// histograms is one for every instruction.
type histograms []bins

// UnmarshalJSON refuses more histograms than a kernel has instructions.
func (h *histograms) UnmarshalJSON(data []byte) error {
	if bytes.Count(data, []byte{'['})-1 > mostCode {
		return tooMany("instructions", mostCode)
	}
	return json.Unmarshal(data, (*[]bins)(h))
}

// wordList is code: the words of each instruction, in hexadecimal.
type wordList []string

// UnmarshalJSON refuses more instructions than a kernel has.
func (w *wordList) UnmarshalJSON(data []byte) error {
	return elements(data, (*[]string)(w), mostCode, "instructions")
}

// unread is text for people, which is not read again.
type unread []string

// UnmarshalJSON passes over it.
func (u *unread) UnmarshalJSON([]byte) error { return nil }

// meter is a file whose pieces have a greatest length.
type meter struct {
	from io.Reader
	left int64 // bytes that this piece may still have
}

// errLong is the end of a piece that is too long.
var errLong = errors.New("too long")

func (m *meter) Read(b []byte) (int, error) {
	if m.left <= 0 {
		return 0, errLong
	}
	n, err := m.from.Read(b[:min(int64(len(b)), m.left)])
	m.left -= int64(n)
	return n, err
}

// within reports whether v is from 0 up to and with most.
func within(v, most int) bool { return 0 <= v && v <= most }

// short refuses text that is longer than any.
func short(texts ...string) error {
	for _, s := range texts {
		if len(s) > mostString {
			return &limitError{fmt.Sprintf("a text of %d bytes: want at most %d", len(s), mostString)}
		}
	}
	return nil
}

// check refuses a kernel that no device can run.
func (j *kernelJSON) check(a tesla.Arch) error {
	l := simt.LimitsOf(a)
	if !within(j.Registers, mostRegisters) || !within(j.Shared, l.Shared) || !within(j.Local, l.Local) {
		return fmt.Errorf("a kernel with %d registers, %d bytes of shared and %d of local memory: no device has them", j.Registers, j.Shared, j.Local)
	}
	return short(j.Name)
}

// mostRegisters are the registers that an instruction can name.
const mostRegisters = 128

// check refuses a launch that no device can run.
func (j *launchJSON) check(a tesla.Arch) error {
	l := simt.LimitsOf(a)
	threads, blocks := 1, 1
	for i, n := range j.Block {
		if n < 1 || n > l.BlockDim[i] {
			return fmt.Errorf("a launch of blocks of %v threads: no device runs them", j.Block)
		}
		threads *= n
	}
	for i, n := range j.Grid {
		if n < 1 || n > l.GridDim[i] {
			return fmt.Errorf("a launch of a grid of %v blocks: no device runs it", j.Grid)
		}
		blocks *= n
	}
	switch most := math.MaxInt64 / float64(time.Second); {
	case threads > l.ThreadsPerBlock:
		return fmt.Errorf("a launch of blocks of %v threads: no device runs them", j.Block)
	case !within(j.Shared, l.Shared), !within(j.Waves, blocks), j.MostPaths < 0, j.DeepestStack < 0, !(j.Seconds >= 0 && j.Seconds < most):
		return errors.New("a launch with numbers that cannot be")
	}
	return short(j.Device, j.Plan, j.Error, j.InStep, j.Overrun)
}
