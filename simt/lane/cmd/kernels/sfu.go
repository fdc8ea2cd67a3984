package main

import (
	"fmt"
	"log"
)

// The special functions: what they have in common. Interpolation is done in 32-bit
// integers where the result is a significand (rcp, rsqrt, ex2); where the result must be
// normalized (sin, cos, lg2), f64 adds the terms, which it holds exactly.

func sfuKernels() []kernel {
	return []kernel{
		squared("Rcp", reciprocal),
		squared("Rsqrt", reciprocalRoot),
		squared("Ex2", exponential),
		squared("Sin", sine),
		squared("Cos", cosine),
		squared("Lg2", logarithm),
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

// squared makes a kernel of a function that is interpolated. The square of 17 bits of the
// argument, as the machine's multiplier makes it, has 15 bits and needs only the upper 16: two vectors
// are squared as one of halves. The setup returns what extracts these 16 bits, and the body, which
// gets an argument and its square.
func squared(name string, setup func(f *function) (upper func(a vec) vec, body func(a, square vec) vec)) kernel {
	return kernel{name: name, params: rowParams(1), build: func(f *function) {
		upper, body := setup(f)
		f.warps(rowNames(1), func(r *row) {
			for j := 0; j < f.level.vectors(); j += 2 {
				f.scope(func() {
					w, high := upper(r.load(1, j)), upper(r.load(1, j+1))
					f.in("VPACKUSDW", w, high)
					f.free(high)
					q := f.square(w)
					for k, unpack := range []string{"VPUNPCKLWD", "VPUNPCKHWD"} {
						f.scope(func() {
							own := f.vec()
							f.ins(f.bitwise("VPXOR"), own, own, own)
							f.ins(unpack, own, q, own)
							r.store(j+k, body(r.load(1, j+k), own))
						})
					}
				})
			}
		})
		f.leave()
	}}
}

// halves is a word with x in both of its halves.
func halves(x uint32) uint32 { return x | x<<16 }

// square is sfu.square of numbers whose upper 16 bits are the halves of w, which it
// consumes. Their nibbles are c, d, f and g.
func (f *function) square(w vec) vec {
	sum := f.op("VPSRLW", w, 8)
	f.in("VPMULLW", sum, sum)
	f.in("VPSRLW", sum, 1)
	low, product := f.andIn(f.op("VPSRLW", w, 4), f.memory(halves(15))), f.op("VPSRLW", w, 12)
	f.in("VPMULLW", product, low)
	f.in("VPADDW", sum, product)
	f.free(product)
	f.corner(sum, w, 8, low)
	f.ins(f.bitwise("VPAND"), f.memory(halves(15)), w, low)
	f.corner(sum, w, 12, low)
	f.free(w, low)
	return sum
}

// corner adds to sum, for the set bits i of the nibble of w that begins at bit at, y >> (4-i).
func (f *function) corner(sum, w vec, at int, y vec) {
	t := f.vec()
	for i := 1; i < 4; i++ {
		f.ins("VPSRLW", 4-i, y, t)
		if f.level == avx512 {
			m := f.mask()
			f.ins("VPTESTMW", f.memory(halves(1<<(at+i))), w, m)
			f.ins("VPADDW", t, sum, m, sum)
			f.freeMask(m)
			continue
		}
		m := f.vec()
		f.ins("VPSLLW", 15-at-i, w, m)
		f.ins("VPSRAW", 15, m, m)
		f.ins("VPAND", m, t, t)
		f.ins("VPADDW", t, sum, sum)
		f.free(m)
	}
	f.free(t)
}

// lookup returns the columns of a table at index i, which must be below its length; it
// consumes i.
func (f *function) lookup(t *table, i vec) (columns [2]vec) {
	f.data.tables[t.name] = t
	name := func(c int) string { return fmt.Sprintf("%s%d<>", t.name, c) }
	if f.level == avx2 {
		all := f.vec()
		for c := range columns {
			columns[c] = f.vec()
			f.ins("LEAQ", name(c)+"(SB)", "AX")
			f.ins("VPCMPEQD", all, all, all)
			f.ins("VPGATHERDD", all, fmt.Sprintf("(AX)(%s*4)", f.register(i)), columns[c])
		}
		f.free(all, i)
		return columns
	}
	// A permutation takes 32 entries at once.
	odd := f.nonzero(i, f.constant(32))
	var upper mask
	if len(t.rows) == 128 {
		upper = f.nonzero(i, f.constant(64))
	}
	part := func(c, k int) vec {
		low, d := f.vec(), f.vec()
		f.ins("VMOVDQU32", fmt.Sprintf("%s+%d(SB)", name(c), 128*k), low)
		f.ins("VMOVDQA32", i, d)
		f.ins("VPERMI2D", fmt.Sprintf("%s+%d(SB)", name(c), 128*k+64), low, d)
		f.free(low)
		return d
	}
	choose := func(m mask, a, b vec) vec {
		f.ins("VMOVDQA32", b, m, a)
		f.free(b)
		return a
	}
	for c := range columns {
		columns[c] = choose(odd, part(c, 0), part(c, 1))
		if len(t.rows) == 128 {
			columns[c] = choose(upper, columns[c], choose(odd, part(c, 2), part(c, 3)))
		}
	}
	f.freeMask(odd)
	if len(t.rows) == 128 {
		f.freeMask(upper)
	}
	f.free(i)
	return columns
}

// literals makes sure that literal finds its words.
func (f *function) literals(list ...uint32) {
	for _, x := range list {
		f.literal(x)
	}
}

// quadratic says how a table's coefficients make a number: c0<<shift + c1*x + c2*q<<scale,
// where q is the square of x or of its double. Terms have up to 39 bits, but only few instructions
// multiply into more than 32. One makes sums of two products of signed halves; for it, c1 has an offset
// of 2^15 taken from it, c2 its scale put in, and both share a word of the table. So with the low half of x for
// a signed number, l, and what that leaves of x in steps of 2^16, h,
//
//	c1*x + c2*q<<scale = (c1-offset)*l + c2<<scale*q + (c1-offset)*h<<16 + offset*x
//
// whose last two terms are multiples of 1<<shift.
type quadratic struct {
	name         string // of the table
	shift, scale int
	offset       int32 // 0, 1<<15 or -1<<15
}

// prepare asks for the constants that terms needs, and returns the table.
func (q *quadratic) prepare(f *function) *table {
	t := readTable(q.name, func(c1, c2 int32) uint32 {
		c1, c2 = c1-q.offset, c2<<q.scale
		if c1 != int32(int16(c1)) || c2 != int32(int16(c2)) {
			log.Fatalf("%s: 16 bits are not enough for the coefficients", f.name)
		}
		return uint32(c1)<<16 | uint32(c2)&0xffff
	})
	if f.level == avx512 {
		f.constant(32)
		if len(t.rows) == 128 {
			f.constant(64)
		}
	}
	f.literals(1<<15, 3<<16)
	return t
}

// terms returns two numbers, high and low, of which high<<shift + low is the value at table index i; it
// consumes i and q. x is not negative and has at most 17 bits.
func (q *quadratic) terms(f *function, t *table, i, x, square vec) (high, low vec) {
	c := f.lookup(t, i)
	high, low = c[0], f.shl(x, 16)
	f.orIn(low, square)
	f.free(square)
	f.in("VPMADDWD", low, c[1])
	h := f.andIn(f.add(x, f.literal(1<<15)), f.literal(3<<16))
	f.in("VPMADDWD", h, c[1])
	f.free(c[1])
	f.in("VPSLLD", h, 16-q.shift)
	f.addIn(high, h)
	if q.offset != 0 {
		f.ins("VPSLLD", 15-q.shift, x, h)
		if q.offset > 0 {
			f.addIn(high, h)
		} else {
			f.subIn(high, h)
		}
	}
	f.free(h)
	return high, low
}

// significand returns (value + round) >> (shift+2): a number of 24 bits with its leading one. It
// consumes i and square.
func (q *quadratic) significand(f *function, t *table, round uint32, i, x, square vec) vec {
	high, low := q.terms(f, t, i, x, square)
	f.addIn(low, f.literal(round))
	last := f.and(high, f.literal(3))
	f.in("VPSLLD", last, q.shift)
	f.addIn(low, last)
	f.free(last)
	f.in("VPSRAD", low, q.shift+2)
	f.in("VPSRLD", high, 2)
	f.addIn(high, low)
	f.free(low)
	return high
}

// significandLiterals makes sure that significand finds its words.
func (f *function) significandLiterals(round uint32) { f.literals(3, round) }
