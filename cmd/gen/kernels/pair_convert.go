package main

// Conversions between f64 in pairs of registers and 32 bits: parts that write no flags. Words that
// widen in their own order are first permuted to the order in which pairs are packed.

func pairConversions() []kernel {
	list := []kernel{
		widening("S32ToF64", func(f *function, v vec) [2]vec {
			f.xorIn(v, f.memory(sign32))
			return f.biased(v, 1<<52+1<<31)
		}),
		widening("U32ToF64", func(f *function, v vec) [2]vec { return f.biased(v, 1<<52) }),
		widening("F32ToF64", func(f *function, v vec) [2]vec {
			f.reorder("packed", v)
			return [2]vec{f.widenFloat(v, 0), f.widenFloat(v, 1)}
		}),
	}
	for mode, r := range pairRoundings {
		list = append(list,
			narrowing("F64ToF32"+r.name, r, func(f *function, v vec) {
				f.ins(f.narrow("VCVTPD2PS")+r.suffix(f.level), v, f.lower(v))
			}),
			narrowing("F64ToS32"+r.name, pairRoundings[0], func(f *function, v vec) { f.toInteger(mode, v) }))
	}
	return list
}

// narrow is the name of an instruction with a result of half a vector.
func (f *function) narrow(name string) string {
	if f.level == avx2 {
		return name + "Y"
	}
	return name
}

// biased makes f64 by putting words under a high word that stands for 2^52, and subtracts bias.
func (f *function) biased(v vec, bias float64) (pair [2]vec) {
	high := f.vec()
	f.ins(f.move(), f.memory(0x43300000), high)
	pair[0] = f.op("VPUNPCKLDQ", v, high)
	pair[1] = f.op("VPUNPCKHDQ", v, high)
	f.free(high)
	for _, p := range pair {
		f.in("VSUBPD", p, f.double(bias))
	}
	return pair
}

// toInteger converts in the lower half of v. Only the upper limit needs code: for low values and a
// NaN the instruction gives the least integer, as the machine does.
func (f *function) toInteger(mode int, v vec) {
	limit := f.vec()
	f.ins(f.move(), f.double(1<<31-1), limit)
	f.ins("VMINPD", v, limit, v) // a NaN stays
	f.free(limit)
	switch {
	case mode == 3:
		f.ins(f.narrow("VCVTTPD2DQ"), v, f.lower(v))
		return
	case mode != 0:
		f.ins([...]string{avx2: "VROUNDPD", avx512: "VRNDSCALEPD"}[f.level], mode|8, v, v)
	}
	f.ins(f.narrow("VCVTPD2DQ"), v, f.lower(v))
}

// reorder permutes the lanes of v: "packed" gives the order of two unpacked vectors, "plain" undoes
// it.
func (f *function) reorder(name string, v vec) {
	order := f.packedOrder()
	if name == "plain" {
		plain := make([]uint32, len(order))
		for i, from := range order {
			plain[from] = uint32(i)
		}
		order = plain
	}
	f.data.vectors[name] = order
	index := f.vec()
	f.ins(f.move(), name+"<>(SB)", index)
	f.ins("VPERMD", v, index, v)
	f.free(index)
}

// packedOrder lists the lanes of two vectors that VPUNPCKLDQ and VPUNPCKHDQ make.
func (f *function) packedOrder() (order []uint32) {
	for half := range uint32(2) {
		for i := uint32(0); i < uint32(f.lanes()); i += 4 {
			order = append(order, i+2*half, i+2*half+1)
		}
	}
	return order
}

// widening makes a part whose body turns a vector into a pair.
func widening(name string, body func(f *function, v vec) [2]vec) kernel {
	k := kernel{name: name, part: true, params: []param{pairParam("d"), rowsParam("a"), selParam}}
	k.build = func(f *function) {
		f.everyWarp(append(pairNames("d"), "a"), func(r *row) {
			for j := range f.level.vectors() {
				f.scope(func() { r.pack(j, body(f, r.load(2, j))) })
			}
		})
	}
	return k
}

// narrowing makes a part whose body leaves 32-bit results in the lower half of a vector.
func narrowing(name string, how pairRounding, body func(f *function, v vec)) kernel {
	k := kernel{name: name, part: true, frame: floatFrame, params: []param{rowsParam("d"), pairParam("a"), selParam}}
	k.build = func(f *function) {
		f.roundBy(how)
		f.everyWarp(append([]string{"d"}, pairNames("a")...), func(r *row) {
			for j := range f.level.vectors() {
				f.scope(func() {
					a := r.unpack(1, j)
					v := f.halved(func(half int) vec {
						body(f, a[half])
						return a[half]
					})
					f.reorder("plain", v)
					r.store(j, v)
				})
			}
		})
	}
	return k
}
