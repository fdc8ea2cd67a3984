package main

import (
	"fmt"
	"log"
)

// The special functions: what they have in common. Interpolation is done in 32-bit
// integers where the result is a significand (rcp, rsqrt, ex2), and in f64, which holds
// every term exactly, where the result must be normalized (sin, cos, lg2).

func sfuKernels() []kernel {
	return []kernel{
		rowwise("Rcp", 1, reciprocal),
		rowwise("Rsqrt", 1, reciprocalRoot),
		rowwise("Ex2", 1, exponential),
		rowwise("Sin", 1, func(f *function) func(x []vec) vec { return f.sine(false) }),
		rowwise("Cos", 1, func(f *function) func(x []vec) vec { return f.sine(true) }),
		rowwise("Lg2", 1, logarithm),
		rowwise("PreSin", 1, reduceAngle),
		rowwise("PreEx2", 1, reduceExponent),
	}
}

// in does an operation in place: a is its first source and its result.
func (f *function) in(name string, a vec, b any) vec {
	f.ins(name, b, a, a)
	return a
}

func (f *function) andIn(a vec, b any) vec { return f.in(f.bitwise("VPAND"), a, b) }
func (f *function) orIn(a vec, b any) vec  { return f.in(f.bitwise("VPOR"), a, b) }
func (f *function) xorIn(a vec, b any) vec { return f.in(f.bitwise("VPXOR"), a, b) }
func (f *function) addIn(a vec, b any) vec { return f.in("VPADDD", a, b) }
func (f *function) subIn(a vec, b any) vec { return f.in("VPSUBD", a, b) }

// replace puts y in the lanes of m of x, and gives m back.
func (f *function) replace(x vec, m mask, y any) {
	if f.level == avx512 {
		f.ins("VMOVDQA32", y, m, x)
	} else {
		f.ins("VPBLENDVB", vec(m), y, x, x)
	}
	f.freeMask(m)
}

// keepIf makes zeros of the lanes of x outside m, and gives m back.
func (f *function) keepIf(x vec, m mask) {
	if f.level == avx512 {
		f.ins("VMOVDQA32.Z", x, m, x)
	} else {
		f.ins("VPAND", m, x, x)
	}
	f.freeMask(m)
}

// square is sfu.square of x, which it consumes: x of 17 bits in parts of 8 and 9 bits,
// and these in halves.
func (f *function) square(x vec) vec {
	high, c := f.shr(x, 9), f.shr(x, 13)
	p := f.andIn(f.shr(x, 5), f.literal(15))
	sum := f.op("VPMULLD", high, high)
	f.in("VPSRLD", sum, 1)
	t := f.op("VPMULLD", c, p)
	f.addIn(sum, t)
	f.free(t)
	f.andIn(high, f.literal(15))
	f.corner(sum, high, p)
	f.free(high, p)
	f.in("VPSRLD", x, 1)
	f.andIn(x, f.literal(15))
	f.corner(sum, c, x)
	f.free(c, x)
	return sum
}

// corner adds to sum, for the set bits i of the 4-bit x, y >> (4-i).
func (f *function) corner(sum, x, y vec) {
	t := f.vec()
	for i := 1; i < 4; i++ {
		f.ins("VPSRLD", 4-i, y, t)
		if f.level == avx512 {
			m := f.nonzero(x, f.constant(1<<i))
			f.ins("VPADDD", t, sum, m, sum)
			f.freeMask(m)
			continue
		}
		m := f.vec()
		f.ins("VPSLLD", 31-i, x, m)
		f.ins("VPSRAD", 31, m, m)
		f.ins("VPAND", m, t, t)
		f.ins("VPADDD", t, sum, sum)
		f.free(m)
	}
	f.free(t)
}

// lookup returns column c of a table at index i, which must be below its length.
func (f *function) lookup(t *table, c int, i vec) vec {
	f.data.tables[t.name] = t
	name := fmt.Sprintf("%s%d<>", t.name, c)
	if f.level == avx2 {
		d, all := f.vec(), f.vec()
		f.ins("LEAQ", name+"(SB)", "AX")
		f.ins("VPCMPEQD", all, all, all)
		f.ins("VPGATHERDD", all, fmt.Sprintf("(AX)(%s*4)", f.register(i)), d)
		f.free(all)
		return d
	}
	part := func(k int) vec { // a permutation takes 32 entries at once
		low, d := f.vec(), f.vec()
		f.ins("VMOVDQU32", fmt.Sprintf("%s+%d(SB)", name, 128*k), low)
		f.ins("VMOVDQA32", i, d)
		f.ins("VPERMI2D", fmt.Sprintf("%s+%d(SB)", name, 128*k+64), low, d)
		f.free(low)
		return d
	}
	choose := func(bit uint32, a, b vec) vec {
		f.replace(a, f.nonzero(i, f.constant(bit)), b)
		f.free(b)
		return a
	}
	d := choose(32, part(0), part(1))
	if len(t.rows) == 128 {
		d = choose(64, d, choose(32, part(2), part(3)))
	}
	return d
}

// interpolationConstants asks for what square and lookup want in registers.
func (f *function) interpolationConstants() {
	if f.level == avx512 {
		for _, x := range []uint32{2, 4, 8, 32, 64} {
			f.constant(x)
		}
	}
	f.literals(15)
}

// literals makes sure that literal finds its words.
func (f *function) literals(list ...uint32) {
	for _, x := range list {
		f.literal(x)
	}
}

// quadratic says how a table's coefficients make a significand:
// (c0<<shift + c1*x + c2*q<<scale + round) >> out, where q is the square of the lowest 17
// bits of x, or of its double.
type quadratic struct {
	table             *table
	shift, scale, out int
	round             uint32
	bits              int // of x
}

// prepare asks for the constants that evaluate needs, and makes sure that 32 bits are
// enough for its terms.
func (q *quadratic) prepare(f *function) {
	const square = 1 << 15 // the most that it can be
	v := q.table.most(1)*15 + q.table.most(2)*square<<q.scale + int64(q.round)
	w := v>>4 + q.table.most(1)<<(q.bits-4) + 3<<(q.shift-4)
	if v >= 1<<31 || w >= 1<<31 || q.out-q.shift != 2 {
		log.Fatalf("%s: 32 bits are not enough for the terms", f.name)
	}
	f.interpolationConstants()
	f.literals(15, 3, q.round)
}

// evaluate computes the significand at table index i; it consumes i, x and q. Terms have
// up to 39 bits: c1*x is split at bit 4 of x, and c0 where its lowest bits meet the
// result's.
func (q *quadratic) evaluate(f *function, i, x, square vec) vec {
	v := f.lookup(q.table, 2, i)
	f.in("VPMULLD", v, square)
	f.free(square)
	if q.scale > 0 {
		f.in("VPSLLD", v, q.scale)
	}
	f.addIn(v, f.literal(q.round))
	c1 := f.lookup(q.table, 1, i)
	low := f.and(x, f.literal(15))
	f.in("VPMULLD", low, c1)
	f.addIn(v, low)
	f.free(low)
	f.in("VPSRAD", v, 4)
	f.in("VPSRLD", x, 4)
	f.in("VPMULLD", x, c1)
	f.addIn(v, x)
	f.free(c1, x)
	c0 := f.lookup(q.table, 0, i)
	f.free(i)
	low = f.and(c0, f.literal(3))
	f.in("VPSLLD", low, q.shift-4)
	f.addIn(v, low)
	f.free(low)
	f.in("VPSRAD", v, q.out-4)
	f.in("VPSRLD", c0, 2)
	f.addIn(v, c0)
	f.free(c0)
	return v
}
