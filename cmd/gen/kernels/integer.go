package main

// integerKernels lists the kernels that compute word by word without flags.
func integerKernels() []kernel {
	list := []kernel{
		rowwise("Move", 1, func(*function) func(x []vec) vec { return func(x []vec) vec { return x[0] } }),
		rowwise("Not", 1, func(f *function) func(x []vec) vec {
			all := f.constant(ones)
			return func(x []vec) vec { return f.xor(x[0], all) }
		}),
		rowwise("ExtractLowU", 1, masking(0xffff)),
		rowwise("ExtractByteU", 1, masking(0xff)),
		rowwise("ExtractLowS", 1, simple(func(f *function, x []vec) vec { return f.sar(f.shl(x[0], 16), 16) })),
		rowwise("ExtractByteS", 1, simple(func(f *function, x []vec) vec { return f.sar(f.shl(x[0], 24), 24) })),
		rowwise("ExtractHighU", 1, simple(func(f *function, x []vec) vec { return f.shr(x[0], 16) })),
		rowwise("ExtractHighS", 1, simple(func(f *function, x []vec) vec { return f.sar(x[0], 16) })),
		insertion("InsertLow", func(f *function, old, x, low vec) vec { return f.or(f.andNot(old, low), f.and(x, low)) }),
		insertion("InsertHigh", func(f *function, old, x, low vec) vec { return f.or(f.and(old, low), f.shl(x, 16)) }),

		rowwise("And", 2, simple(func(f *function, x []vec) vec { return f.and(x[0], x[1]) })),
		rowwise("AndNot", 2, simple(func(f *function, x []vec) vec { return f.andNot(x[0], x[1]) })),
		rowwise("Or", 2, simple(func(f *function, x []vec) vec { return f.or(x[0], x[1]) })),
		rowwise("OrNot", 2, func(f *function) func(x []vec) vec {
			all := f.constant(ones)
			return func(x []vec) vec { return f.or(x[0], f.xor(x[1], all)) }
		}),
		rowwise("Xor", 2, simple(func(f *function, x []vec) vec { return f.xor(x[0], x[1]) })),
		rowwise("Add", 2, simple(func(f *function, x []vec) vec { return f.add(x[0], x[1]) })),
		rowwise("Sub", 2, simple(func(f *function, x []vec) vec { return f.sub(x[0], x[1]) })),
		rowwise("AbsDiffU", 2, simple(func(f *function, x []vec) vec {
			return f.sub(f.op("VPMAXUD", x[0], x[1]), f.op("VPMINUD", x[0], x[1]))
		})),
		rowwise("AbsDiffS", 2, simple(func(f *function, x []vec) vec {
			return f.sub(f.op("VPMAXSD", x[0], x[1]), f.op("VPMINSD", x[0], x[1]))
		})),

		rowwise("Mul", 2, simple(func(f *function, x []vec) vec { return f.mul(x[0], x[1]) })),
		rowwise("MulAdd", 3, simple(func(f *function, x []vec) vec { return f.add(f.mul(x[0], x[1]), x[2]) })),
		rowwise("Mul24LoU", 2, func(f *function) func(x []vec) vec {
			low := f.constant(1<<24 - 1)
			return func(x []vec) vec { return f.mul(f.and(x[0], low), f.and(x[1], low)) }
		}),
		rowwise("Mul24LoS", 2, simple(func(f *function, x []vec) vec {
			return f.mul(f.sar(f.shl(x[0], 8), 8), f.sar(f.shl(x[1], 8), 8))
		})),
		rowwise("Mul24HiU", 2, func(f *function) func(x []vec) vec { return f.mulHigh("VPMULUDQ") }),
		rowwise("Mul24HiS", 2, func(f *function) func(x []vec) vec { return f.mulHigh("VPMULDQ") }),
	}
	for _, k := range []struct{ name, instruction string }{
		{"MinU", "VPMINUD"}, {"MinS", "VPMINSD"}, {"MaxU", "VPMAXUD"}, {"MaxS", "VPMAXSD"},
		// Counts from 32 on need no code: these instructions do the same as the machine.
		{"Shl", "VPSLLVD"}, {"ShrU", "VPSRLVD"}, {"ShrS", "VPSRAVD"},
	} {
		list = append(list, rowwise(k.name, 2, simple(func(f *function, x []vec) vec { return f.op(k.instruction, x[0], x[1]) })))
	}
	for _, h := range []struct {
		name         string
		aHigh, bHigh bool
	}{{"LowLow", false, false}, {"HighLow", true, false}, {"HighHigh", true, true}} {
		list = append(list,
			rowwise("Mul"+h.name, 2, func(f *function) func(x []vec) vec {
				half := f.halves(h.aHigh, h.bHigh)
				return func(x []vec) vec { return f.mul(half(x)) }
			}),
			rowwise("MulAdd"+h.name, 3, func(f *function) func(x []vec) vec {
				half := f.halves(h.aHigh, h.bHigh)
				return func(x []vec) vec { return f.add(f.mul(half(x)), x[2]) }
			}))
	}
	return list
}

// simple is the setup of a body without constants.
func simple(body func(f *function, x []vec) vec) func(f *function) func(x []vec) vec {
	return func(f *function) func(x []vec) vec {
		return func(x []vec) vec { return body(f, x) }
	}
}

func masking(m uint32) func(f *function) func(x []vec) vec {
	return func(f *function) func(x []vec) vec {
		c := f.constant(m)
		return func(x []vec) vec { return f.and(x[0], c) }
	}
}

// insertion is a kernel that keeps one half of the destination's old word.
func insertion(name string, body func(f *function, old, x, low vec) vec) kernel {
	return kernel{name: name, params: rowParams(1), build: func(f *function) {
		low := f.constant(0xffff)
		f.warps(rowNames(1), func(r *row) {
			for j := range f.level.vectors() {
				f.scope(func() { r.store(j, body(f, r.load(0, j), r.load(1, j), low)) })
			}
		})
	}}
}

func (f *function) mul(a, b vec) vec { return f.op("VPMULLD", a, b) }

// mulHigh is bits 47 to 16 of the product of the low 24 bits: with both factors moved to the top,
// it is an upper word.
func (f *function) mulHigh(instruction string) func(x []vec) vec {
	product := f.upperProduct(instruction)
	return func(x []vec) vec { return product(f.shl(x[0], 8), f.shl(x[1], 8)) }
}

// upperProduct is the upper words of 64-bit products. One instruction makes the products of the
// even lanes.
func (f *function) upperProduct(instruction string) func(a, b vec) vec {
	odd := f.oddLanes()
	return func(a, b vec) vec {
		even := f.op(instruction, a, b)
		p, q := f.op("VPSRLQ", a, 32), f.op("VPSRLQ", b, 32)
		f.in(instruction, p, q)
		f.free(q)
		f.in("VPSRLQ", even, 32)
		d := f.blend(odd, even, p)
		f.free(even, p)
		return d
	}
}

// oddLanes is the mask of the lanes 1, 3, ...
func (f *function) oddLanes() mask {
	m := f.mask()
	if f.level == avx512 {
		f.ins("MOVL", uint32(0xaaaa), "AX")
		f.ins("KMOVW", "AX", m)
		return m
	}
	f.ins("VPCMPEQD", vec(m), vec(m), vec(m))
	f.ins("VPSLLQ", 32, vec(m), vec(m))
	return m
}

// halves returns a function that extracts the factors of a product of halves.
func (f *function) halves(aHigh, bHigh bool) func(x []vec) (a, b vec) {
	if aHigh && bHigh {
		return func(x []vec) (a, b vec) { return f.shr(x[0], 16), f.shr(x[1], 16) }
	}
	low := f.constant(0xffff)
	if aHigh {
		return func(x []vec) (a, b vec) { return f.shr(x[0], 16), f.and(x[1], low) }
	}
	return func(x []vec) (a, b vec) { return f.and(x[0], low), f.and(x[1], low) }
}
