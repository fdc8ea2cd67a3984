package library_test

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"jacquard/ptx"
)

// operands makes rows of operands for a function: first all combinations of special ones, then
// random ones.
type operands struct {
	f       *ptx.Func
	special []row
	random  *rand.Rand
}

func newOperands(f *ptx.Func) *operands {
	g := &operands{f: f, random: rand.New(rand.NewPCG(1, uint64(len(f.Name))))}
	g.special = []row{{}}
	for i, p := range f.Params {
		list := specialsOf(p.Type)
		if most := mostSpecial(len(f.Params)); len(list) > most {
			list = thinned(list, most)
		}
		var next []row
		for _, r := range g.special {
			for _, x := range list {
				r[i] = x
				next = append(next, r)
			}
		}
		g.special = next
	}
	return g
}

// mostSpecial bounds the special operands of each of n parameters.
func mostSpecial(n int) int {
	switch {
	case n <= 2:
		return 1 << 10
	case n == 3:
		return 24
	}
	return 12
}

// thinned returns about n of the numbers, evenly spread.
func thinned(list []uint64, n int) (out []uint64) {
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

// row returns the i-th row.
func (g *operands) row(i int) (r row) {
	if i < len(g.special) {
		return g.special[i]
	}
	kind := g.random.IntN(8)
	for k, p := range g.f.Params {
		r[k] = g.one(p.Type, kind)
	}
	if len(g.f.Params) > 1 && kind == 7 {
		g.related(&r)
	}
	return r
}

// related makes operands that nearly cancel, or whose quotient is nearly a round number.
func (g *operands) related(r *row) {
	t := g.f.Params[0].Type
	d := uint64(g.random.IntN(9)) - 4
	last := len(g.f.Params) - 1
	switch {
	case t == ptx.F32 && last == 2:
		p := math.Float32frombits(uint32(r[0])) * math.Float32frombits(uint32(r[1]))
		r[2] = uint64(math.Float32bits(-p)) + d<<g.random.IntN(24)
	case t == ptx.F32:
		p := math.Float32frombits(uint32(r[1])) * float32(g.random.IntN(1<<24))
		r[0] = uint64(math.Float32bits(p)) + d
	case t == ptx.F64 && last == 1:
		p := math.Float64frombits(r[1]) * math.Float64frombits(g.one(t, 0)&^0xfff)
		r[0] = math.Float64bits(p) + d
	default:
		r[0] = r[1]*(g.random.Uint64()>>g.random.IntN(64)) + d
	}
}

// one returns a random operand.
func (g *operands) one(t ptx.Type, kind int) uint64 {
	u := g.random.Uint64()
	switch t {
	case ptx.F32:
		return uint64(g.single(uint32(u), kind))
	case ptx.F64:
		return g.double(u, kind)
	case ptx.Pred:
		return u & 1
	}
	n := t.Bits()
	switch {
	case t == ptx.B16 && kind == 1: // near 1 as f16
		return u&0x8fff | 0x3000
	case t == ptx.B16 && kind == 6: // near 1 as bf16
		return u&0x80ff | 0x3f00
	}
	switch kind {
	case 0, 1, 7:
		return u
	case 2: // near a power of two
		return 1<<g.random.IntN(n) + uint64(g.random.IntN(5)) - 2
	case 3: // small
		return uint64(g.random.IntN(300)) - 20
	case 4: // any length
		return u >> g.random.IntN(64)
	case 5: // long runs
		return u<<g.random.IntN(64)>>g.random.IntN(64) | uint64(int64(u)>>g.random.IntN(64))
	case 6: // few bits
		few := uint64(0)
		for range 3 {
			few |= 1 << g.random.IntN(64)
		}
		return few
	}
	return u >> g.random.IntN(n)
}

// single returns a random f32.
func (g *operands) single(u uint32, kind int) uint32 {
	const sign = 1 << 31
	switch kind {
	case 0:
		return u
	case 1, 7: // within the middle of the range
		return u&(sign|0x7fffff) | uint32(100+g.random.IntN(50))<<23
	case 2: // near a power of two
		return u&sign | uint32(g.random.IntN(256))<<23 + uint32(g.random.IntN(9)) - 4
	case 3: // small integers, halves
		return math.Float32bits(float32(g.random.IntN(2001)-1000) / 2)
	case 4: // close exponents
		return u&(sign|0x7fffff) | uint32(125+g.random.IntN(4))<<23
	case 5: // few bits
		return u&(sign|0x7f800000) | uint32(1)<<g.random.IntN(23) | uint32(1)<<g.random.IntN(23)
	case 6: // ends of the range
		e := uint32(g.random.IntN(26))
		if u&1 != 0 {
			e = 255 - e
		}
		return u&(sign|0x7fffff) | e<<23
	}
	return u
}

// double returns a random f64.
func (g *operands) double(u uint64, kind int) uint64 {
	const sign, fraction = 1 << 63, 1<<52 - 1
	switch kind {
	case 1, 7:
		return u&(sign|fraction) | uint64(900+g.random.IntN(250))<<52
	case 2:
		return u&sign | uint64(g.random.IntN(2048))<<52 + uint64(g.random.IntN(9)) - 4
	case 3:
		return math.Float64bits(float64(g.random.IntN(2001)-1000) / 2)
	case 4:
		return u&(sign|fraction) | uint64(1021+g.random.IntN(4))<<52
	case 5:
		few := uint64(1)<<g.random.IntN(52) | 1<<g.random.IntN(52)
		return u&sign | uint64(g.random.IntN(2048))<<52 | few
	case 6:
		e := uint64(g.random.IntN(56))
		if u&1 != 0 {
			e = 2047 - e
		}
		return u&(sign|fraction) | e<<52
	}
	return u
}

// singles and doubles are special operands without signs.
var singles = []uint32{
	0, 1, 2, 0x400000, 0x7fffff, 0x800000, 0x800001, 0xffffff, 0x1000000, 0x3effffff,
	0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x3fffffff,
	0x40000000, 0x40400000, 0x4b000001, 0x4b7fffff, 0x4effffff, 0x4f000000, 0x4f7fffff,
	0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x7e800001, 0x7e800003, 0x7f7fffff,
	0x7f800000, 0x7f800001, 0x7fffffff, 0x0c000000, 0x0d123456, 0x73456789,
}

var doubles = []uint64{
	0, 1, 2, 1 << 51, 1<<52 - 1, 1 << 52, 1<<52 + 1, 1<<53 - 1, 1 << 53, 0x380fffffffffffff,
	0x3810000000000000,
	0x380fffffe0000000, 0x380ffffff0000000, 0x3800000000000000, 0x36a0000000000000,
	0x3fdfffffffffffff, 0x3fe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000,
	0x3ff0000000000001, 0x3ff8000000000000, 0x3fffffffffffffff, 0x4000000000000000,
	0x4008000000000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000,
	0x47f0000000000000, 0x7fdfffffffffffff, 0x7fe0000000000000, 0x7fefffffffffffff,
	0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff,
	0x0340000000000000,
}

// halfSpecials are special f16 and bf16: ends of ranges, near ties.
var halfSpecials = []uint64{
	0x7bff, 0x7c00, 0x7c01, 0x3c00, 0x3c01, 0xbc00, 0x0400, 0x03ff, 0x83ff, 0x3800, 0x6400, 0x6401, 0x1400,
	0x7f7f, 0x7f80, 0x7f81, 0x3f80, 0x3f81, 0xbf80, 0x0080, 0x807f, 0x3f00, 0x4300, 0x4301, 0x3b80, 0x0d80,
}

// specialsOf returns the special operands of a type.
func specialsOf(t ptx.Type) (list []uint64) {
	switch t {
	case ptx.Pred:
		return []uint64{0, 1}
	case ptx.F32:
		for _, x := range singles {
			list = append(list, uint64(x), uint64(x|1<<31))
		}
		return list
	case ptx.F64:
		for _, x := range doubles {
			list = append(list, x, x|1<<63)
		}
		return list
	}
	if t == ptx.B16 {
		list = append(list, halfSpecials...)
	}
	n := t.Bits()
	seen := map[uint64]bool{}
	add := func(x uint64) {
		x &= ^uint64(0) >> (64 - n)
		if !seen[x] {
			seen[x] = true
			list = append(list, x)
		}
	}
	for _, k := range []int{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 23, 24, 31, 32, 33, 40, 47, 48, 63} {
		for d := -1; d <= 1; d++ {
			add(bits.RotateLeft64(1, k) + uint64(d))
			add(-bits.RotateLeft64(1, k) + uint64(d))
		}
	}
	add(10)
	add(100)
	add(0xdeadbeefcafebabe)
	return list
}
