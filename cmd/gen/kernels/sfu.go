package main

import "fmt"

// Code shared by the special functions. Functions whose result is a significand (rcp, rsqrt, ex2)
// interpolate in 32-bit integers; functions whose result must be normalized (sin, cos, lg2) add the
// terms in f64, which holds them exactly.

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

// replace puts y in the lanes m of x, and frees m.
func (f *function) replace(x vec, m mask, y any) {
	if f.level == avx512 {
		f.ins("VMOVDQA32", y, m, x)
	} else {
		f.ins("VPBLENDVB", vec(m), y, x, x)
	}
	f.freeMask(m)
}

// keepIf clears the lanes of x outside m, and frees m.
func (f *function) keepIf(x vec, m mask) {
	if f.level == avx512 {
		f.ins("VMOVDQA32.Z", x, m, x)
	} else {
		f.ins("VPAND", m, x, x)
	}
	f.freeMask(m)
}

// interpolated describes an interpolated function of a vector of arguments. The square of 17 bits
// of the argument, as the machine's multiplier makes it, has 15 bits and depends only on the upper
// 16.
type interpolated struct {
	// upper extracts these 16 bits.
	upper func(a vec) vec
	// body returns the results. The halves of square are the square and, above it, zero or, if
	// centred is set, the squared number less 2^15.
	body    func(a, square vec) vec
	centred bool
	// special returns the lanes for which the body's result is wrong, by sign bits with AVX2, and
	// mend corrects them. Both are nil if there are none.
	special func(a vec) mask
	mend    func(r, a vec)
}

// squared makes a kernel of an interpolated function. It squares two vectors as one vector of
// halves.
func squared(name string, setup func(f *function) *interpolated) kernel {
	return kernel{name: name, params: rowParams(1), build: func(f *function) {
		p := setup(f)
		f.warps(rowNames(1), func(r *row) {
			for j := 0; j < f.level.vectors(); j += 2 {
				f.scope(func() {
					a := [2]vec{r.load(1, j), r.load(1, j+1)}
					w, high := p.upper(a[0]), p.upper(a[1])
					f.in("VPACKUSDW", w, high)
					f.free(high)
					above := f.vec()
					if p.centred {
						f.ins(f.bitwise("VPXOR"), f.memory(halves(1<<15)), w, above)
					} else {
						f.ins(f.bitwise("VPXOR"), above, above, above)
					}
					q := f.square(w)
					d := [2]vec{f.vec(), f.vec()}
					f.scope(func() {
						f.ins("VPUNPCKLWD", above, q, d[0])
						f.ins("VPUNPCKHWD", above, q, q)
						f.free(above)
						f.scope(func() { f.ins(f.copy(), p.body(a[0], d[0]), d[0]) })
						f.scope(func() { f.ins(f.copy(), p.body(a[1], q), d[1]) })
					})
					if p.special != nil {
						f.unlessSpecial(p, a, d, fmt.Sprintf("plain%d%t", j, r.masked))
					}
					r.store(j, d[0])
					r.store(j+1, d[1])
				})
			}
		})
	}}
}

// unlessSpecial mends results if an argument is special.
func (f *function) unlessSpecial(p *interpolated, a, d [2]vec, label string) {
	f.scope(func() {
		m, n := p.special(a[0]), p.special(a[1])
		if f.level == avx512 {
			f.ins("KORTESTW", n, m)
		} else {
			f.ins("VPOR", n, m, m)
			f.ins("VTESTPS", m, m)
		}
	})
	f.ins("JEQ", label)
	for k := range a {
		f.scope(func() { p.mend(d[k], a[k]) })
	}
	f.label(label)
}

// halves is a word with x in both of its halves.
func halves(x uint32) uint32 { return x | x<<16 }

// square is sfu.square of numbers whose upper 16 bits are the halves of w, which it consumes. Their
// nibbles are c, d, f and g. Twice the square is the square of c and d, plus 2*c*f, plus two
// corners: that of d and f, and that of g and c, which are computed side by side in bytes.
func (f *function) square(w vec) vec {
	x := f.and(w, f.memory(halves(0x0f0f))) // d, g
	y := f.op("VPSRLW", w, 4)
	f.andIn(y, f.memory(halves(0x0f0f))) // c, f
	z := f.op("VPSHUFB", y, f.bytes("swapBytes", func(i int) byte { return byte(i ^ 1) }))
	sum := f.in("VPSRLW", w, 8)
	f.in("VPMULLW", sum, sum)
	f.in("VPMADDUBSW", y, z) // c*f + f*c
	f.in("VPADDW", sum, y)

	// A corner is the sum, over the set bits i of one nibble, of the other nibble shifted right by
	// 4-i. One table has the shifted nibbles, another masks for them.
	shifted := f.bytes("shifted", func(i int) byte { return byte(i>>1 | i>>2<<4 | i>>3<<6) })
	chosen := f.bytes("chosen", func(i int) byte { return byte(i>>3*0x07 | i>>2&1*0x30 | i>>1&1*0x40) })
	f.lookupBytes(shifted, x, y)
	f.lookupBytes(chosen, z, y)
	f.andIn(x, z)
	f.ins("VPSRLW", 4, x, z)
	f.andIn(x, f.memory(halves(0x0707)))
	f.andIn(z, f.memory(halves(0x0707)))
	f.lookupBytes(f.bytes("added", func(i int) byte { return byte(i&3 + i>>2&1) }), z, y)
	f.in("VPADDB", x, z)
	f.in("VPMADDUBSW", x, f.memory(halves(0x0202)))
	f.in("VPADDW", sum, x)
	f.in("VPSRLW", sum, 1)
	f.free(x, y, z)
	return sum
}

// bytes is a vector in memory that repeats the same 16 bytes.
func (f *function) bytes(name string, at func(i int) byte) string {
	var words []uint32
	for i := range 16 {
		words = append(words, uint32(at(4*i%16))|uint32(at(4*i%16+1))<<8|uint32(at(4*i%16+2))<<16|uint32(at(4*i%16+3))<<24)
	}
	f.data.vectors[name] = words
	return name + "<>(SB)"
}

// lookupBytes replaces bytes below 16 by those of a table. It needs a spare register.
func (f *function) lookupBytes(table string, x, spare vec) {
	f.ins([...]string{avx2: "VMOVDQU", avx512: "VMOVDQU32"}[f.level], table, spare)
	f.ins("VPSHUFB", x, spare, x)
}

// lookup returns the columns of a table at index i, which it consumes. AVX-512 uses only as many
// low bits of i as the table's length needs; with AVX2 the other bits must be zero.
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
	// A permutation looks up 32 entries. It overwrites the indexes under a mask, so two
	// permutations look up 64.
	odd := f.nonzero(i, f.constant(32))
	even := f.mask()
	f.ins("KNOTW", odd, even)
	part := func(c, k int) vec {
		low, d := f.vec(), f.op1("VMOVDQA32", i)
		for n, m := range []mask{even, odd} {
			at := 128 * (k + n)
			f.ins("VMOVDQU32", fmt.Sprintf("%s+%d(SB)", name(c), at), low)
			f.ins("VPERMI2D", fmt.Sprintf("%s+%d(SB)", name(c), at+64), low, m, d)
		}
		f.free(low)
		return d
	}
	for c := range columns {
		columns[c] = part(c, 0)
	}
	if len(t.rows) == 128 {
		upper := f.nonzero(i, f.constant(64))
		for c := range columns {
			d := part(c, 2)
			f.ins("VMOVDQA32", d, upper, columns[c])
			f.free(d)
		}
		f.freeMask(upper)
	}
	f.freeMask(odd, even)
	f.free(i)
	return columns
}

// literals makes sure that literal finds the words in list.
func (f *function) literals(list ...uint32) {
	for _, x := range list {
		f.literal(x)
	}
}
