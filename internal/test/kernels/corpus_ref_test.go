package kernels

import (
	"math"
)

// state is the input of a kernel: its launch shape, and words by parameter or constant name.
type state struct {
	block [3]int
	grid  [2]int
	words map[string][]uint32
}

// reference maps the words before a run to the words after it. It was written from the listing,
// without the simulator's arithmetic.
type reference struct {
	want func(s state)
	// within is the tolerance of floats, relative to the larger of 1 and the expected value; 0
	// compares bits.
	within float64
}

func (r *reference) agree(got, want uint32) bool {
	if got == want || r.within == 0 {
		return got == want
	}
	g, w := float(got), float(want)
	return math.Abs(g-w) <= r.within*max(1, math.Abs(w))
}

// relative is a tolerance for results of any magnitude: reciprocals and roots.
const relative = 3e-7

// onlyEnds names the entries without a reference: they must end without a fault.
var onlyEnds = map[string]bool{
	"motion_div, all kinds of block":  true,
	"motion_div2, all kinds of block": true,
	"motion_div, moving":              true,
	"motion_div2, moving":             true,
}

// references are the functions of the kernels, by entry name.
var references = map[string]reference{
	"float1": {want: func(s state) { s.words["a"][0] = larger(s.words["a"][0], 0x4048f5c3) }},
	"float2": {want: func(s state) { s.words["a"][0] = smaller(s.words["a"][0], 0x4048f5c3) }},
	"readshared": {want: func(s state) {
		x, y, z := uint32(s.block[0]), uint32(s.block[1]), uint32(s.block[2])
		// Unverified: the low half of word 0 is 0 here; compiled code never reads it.
		copy(s.words["out"], []uint32{x << 16, y | z<<16, uint32(s.grid[0] | s.grid[1]<<16), 0, x, y})
	}},
	"sev1add":   unary(func(x uint32) uint32 { return x + 3 }),
	"sev1const": unary(func(x uint32) uint32 { return uint32(max(int32(x), 3)) }),
	"sev1mul":   unary(func(x uint32) uint32 { return uint32(signed24(x) * 3) }),
	"sev1mulu":  unary(func(x uint32) uint32 { return x & 0xffffff * 3 }),
	"sev1u64":   unary64(func(x uint64) uint64 { return max(x, 3) }),
	"sev2":      unary(func(x uint32) uint32 { return uint32(min(int32(x), 3)) }),
	"sev3":      unary(func(x uint32) uint32 { return x & 3 }),
	"sev4":      unary(func(x uint32) uint32 { return x | 3 }),
	"sev6":      {want: func(s state) { in := s.words["in"]; s.words["out"][0] = in[0] ^ in[1] ^ in[2] ^ in[3] }},
	"sev7":      {want: func(s state) { in := s.words["in"]; s.words["out"][0] = in[0] & in[1] & in[2] & in[3] }},
	"test10":    unary(func(x uint32) uint32 { return sum(x, 0x40400000, towardsZero) }),
	"test11":    unary(func(x uint32) uint32 { return clamp(float(x) * 3) }),
	"test2":     unary(func(x uint32) uint32 { return x }),
	"test20":    {want: func(s state) { s.words["a"][0] = s.words["a"][24] }},
	"test21":    {want: func(state) {}},
	"test21const": {want: func(s state) {
		clear(s.words["out"][:30])
	}},
	"test22a": {want: func(s state) { copy(s.words["out"], s.words["v"]) }},
	"test23":  unary(func(x uint32) uint32 { return ^x }),
	"test24":  {want: func(s state) { s.words["out"][0] = 0x12345 - (s.words["x"][0] + s.words["in"][0]) }},
	"test24a": {want: func(s state) { s.words["out"][0] = s.words["x"][0] + 0x12345 }},
	"test24c": {want: func(s state) { s.words["out"][0] = s.words["x"][0] - s.words["in"][0] + 0x12345 }},
	"test25":  {want: func(s state) { s.words["out"][0] = multiplyAdd(s.words["x"][0], s.words["y"][0], s.words["z"][0]) }},
	"test25b": {want: func(s state) { s.words["out"][0] = sum(s.words["x"][0], s.words["y"][0], toNearest) }},
	"test26":  function(math.Sin, 2e-6),
	"test26c": function(func(x float64) float64 { return x - math.Floor(x) }, 0),
	"test26d": function(math.Log2, 1e-6),
	"test26f": function(func(x float64) float64 { return 1 / x }, relative),
	"test26g": function(math.Sqrt, relative),
	"test28": {within: relative, want: func(s state) {
		a := s.words["a"]
		line := texelOf(cell(a[0]), 0, 0)
		volume := texelOf(cell(a[0]), cell(a[1]), cell(a[2]))
		copy(a, []uint32{
			math.Float32bits(volume[0]), math.Float32bits(line[1]), math.Float32bits(volume[2]),
			math.Float32bits(float32(math.Exp2(float64(volume[3]))) - volume[2]),
		})
	}},
	"test28pred": {want: func(s state) { a := s.words["a"]; a[1] ^= a[0] }},
	"test3":      unary(func(x uint32) uint32 { return x << 2 }),
	"test30": {want: func(s state) {
		x, y, z := uint32(s.block[0]), uint32(s.block[1]), uint32(s.block[2])
		copy(s.words["out"], []uint32{0, 0 | (x-1)<<16, y - 1 | (z-1)<<16, x | y<<16, y | uint32(s.grid[0])<<16, uint32(s.grid[1]) | 1<<16})
	}},
	"test31": {want: func(s state) {
		f := fromInteger(s.words["in"][0], towardsZero)
		s.words["out"][0], s.words["in"][0] = f, uint32(int32(float(f)))
	}},
	"test32": unary(flush),
	"test34": {want: func(s state) {
		out := s.words["out"]
		out[0], out[1], out[2] = s.words["in"][0]&0xff*0x01010101, 0, out[2]&^0xff
	}},
	"test35": {want: func(s state) { clear(s.words["out"][:64]) }},
	"test39": {want: func(s state) {
		n, out := int32(s.words["n"][0]), s.words["out"]
		if n%4 == 0 {
			for i := range max(n, 0) / 2 {
				out[i] = 123<<16 | 123
			}
			return
		}
		for i := range max(n/2, 0) {
			out[i] = 123
		}
	}},
	"test4":    unary(func(x uint32) uint32 { return x << 3 }),
	"test4a":   unary(func(x uint32) uint32 { return x << 16 }),
	"test5":    unary(func(x uint32) uint32 { return uint32(int32(x) >> 3) }),
	"test5u":   unary(func(x uint32) uint32 { return x >> 3 }),
	"test6":    unary64(func(x uint64) uint64 { return x - 3 }),
	"test7":    unary(func(x uint32) uint32 { return x - 3 }),
	"test8":    unary(func(x uint32) uint32 { return uint32(signed24(x) * 3) }),
	"test8div": unary(func(x uint32) uint32 { return uint32(int32(x) / 3) }),
	"test8hi":  unary(func(x uint32) uint32 { return uint32(signed24(x) * 3 >> 16) }),
	"test8r":   {want: func(s state) { s.words["out"][0] = uint32(signed24(s.words["in"][0]) * signed24(s.words["by"][0])) }},
	"test8u":   unary(func(x uint32) uint32 { return x & 0xffffff * 3 }),

	"motion_div":  {want: func(s state) { plainTiles(s, 4) }},
	"motion_div2": {want: func(s state) { plainTiles(s, 2) }},
}

// unary is the reference of a kernel that maps in[0] to out[0].
func unary(f func(uint32) uint32) reference {
	return reference{want: func(s state) { s.words["out"][0] = f(s.words["in"][0]) }}
}

// unary64 is unary for two words, low first.
func unary64(f func(uint64) uint64) reference {
	return reference{want: func(s state) {
		in, out := s.words["in"], s.words["out"]
		r := f(uint64(in[1])<<32 | uint64(in[0]))
		out[0], out[1] = uint32(r), uint32(r>>32)
	}}
}

// function is the reference of a kernel that maps the float x to out[0].
func function(f func(float64) float64, within float64) reference {
	return reference{within: within, want: func(s state) {
		s.words["out"][0] = math.Float32bits(float32(f(float(s.words["x"][0]))))
	}}
}

// signed24 sign-extends the low 24 bits.
func signed24(x uint32) int64 { return int64(int32(x<<8) >> 8) }

// plainTiles is the path of the motion compensation kernels without a texture. A tile with motion
// vector (0x7ffe, 0x7ffe) has one value, kept beside the vector; threads write it as two 16-bit
// samples. tile is the number of words of a tile's vectors.
func plainTiles(s state, tile int) {
	v := func(name string) int { return int(int32(s.words[name][0])) }
	vectors := s.words["motion_vectors"]
	for by := range s.grid[1] {
		for ty := range s.block[1] {
			for tx := range s.block[0] {
				row := by<<(4-v("row_log2")) + ty>>v("row_log2")
				y := row<<v("height_log2") + ty&(1<<v("row_log2")-1)
				half := v("column_log2") - 1
				column := tx >> half
				x := column<<v("width_log2") + tx&(1<<half-1)*2
				if x >= v("width") || y >= v("height") {
					continue
				}
				words := vectors[(row*int(s.words["obmc"][0])+column)*tile:]
				value := uint32(int32(words[1])>>v("shift")) & 0xff
				s.words["out"][(v("pitch")*y+2*x)/4] = value | value<<16
			}
		}
	}
}
