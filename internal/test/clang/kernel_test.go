package clang

import "math"

// kernel is a kernel of a source, with the words that it stores.
type kernel struct {
	name    string
	in, out int // words of each item
	host    func(in, out []uint32, n int)
	fill    func(random uint64) uint32 // a word of the input; nil: word
}

// source is a file of testdata/clang. All its kernels have the parameters (in, out, n). Threads
// with numbers of n and above do nothing.
type source struct {
	name    string
	n       int
	kernels []kernel
}

// All kernels run in blocks of 64.
const (
	block = 64
	grid  = 2
)

// sources are in the order of docs/compiler.md.
var sources = []source{
	{"integers", 100, integers}, {"words64", 100, words64}, {"hashes", 100, hashes},
	{"control", 100, control}, {"classes", 100, classes}, {"shared", block * grid, shared},
	{"floats", 100, floats}, {"doubles", 100, doubles}, {"memory", block * grid, memory},
	{"atomics", 100, atomics}, {"vectors", 100, vectors}, {"groups", block * grid, groups},
}

// each makes the body of a kernel of one for an item i, with its words of in and out.
func each(item func(i uint32, x, y []uint32)) func(in, out []uint32, n int) {
	return func(in, out []uint32, n int) {
		ins, outs := len(in)/n, len(out)/n
		for i := range n {
			item(uint32(i), in[i*ins:(i+1)*ins], out[i*outs:(i+1)*outs])
		}
	}
}

// together makes the body of a kernel of one for a block, with its words of in and out.
func together(of func(x, y []uint32)) func(in, out []uint32, n int) {
	return func(in, out []uint32, n int) {
		blocks := n / block
		ins, outs := len(in)/blocks, len(out)/blocks
		for b := range blocks {
			of(in[b*ins:(b+1)*ins], out[b*outs:(b+1)*outs])
		}
	}
}

// input returns the words that a kernel reads. Every run has the same.
func (k *kernel) input(n int) []uint32 {
	in, state, fill := make([]uint32, n*k.in), uint64(1), k.fill
	if fill == nil {
		fill = word
	}
	for i := range in {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		in[i] = fill(z ^ z>>31)
	}
	return in
}

// word makes numbers of all lengths, and numbers at the ends of ranges.
func word(random uint64) uint32 {
	ends := [...]uint32{0, 1, 2, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe}
	w := uint32(random)
	switch how := random >> 32 % 8; how {
	case 0:
		return ends[w%uint32(len(ends))]
	case 1, 2:
		return w >> (random >> 40 % 32)
	case 3:
		return uint32(int32(w) >> (random >> 40 % 32))
	}
	return w
}

// float makes f32 numbers of all kinds, except subnormal ones, which Tesla flushes.
func float(random uint64) uint32 {
	kinds := [...]float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0.5}
	if random>>32%2 == 0 {
		return math.Float32bits(float32(kinds[random%8]))
	}
	w := uint32(random)
	if w&0x7f800000 == 0 {
		w |= 0x00800000
	}
	return w
}

// put64 stores a number as two words.
func put64(at []uint32, v uint64) { at[0], at[1] = uint32(v), uint32(v>>32) }

// get64 is the number that put64 stored.
func get64(at []uint32) uint64 { return uint64(at[1])<<32 | uint64(at[0]) }

// at8 is byte i of words.
func at8(words []uint32, i int) byte { return byte(words[i/4] >> (8 * (i % 4))) }

// bit is 1 for what holds, moved to a place.
func bit(holds bool, place int) uint32 {
	if holds {
		return 1 << place
	}
	return 0
}
