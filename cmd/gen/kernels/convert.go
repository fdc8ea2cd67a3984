package main

// convertKernels lists the parts from which package lane makes conversions without a 64-bit side:
// between integers, and to and from f32. The name of a part ends in its rounding mode, which its
// instructions contain.
func convertKernels() []kernel {
	list := []kernel{
		withWords(rowwise("U32ToF32", 1, unsignedToFloat)),
		withWords(rowwise("IntToF32", 1, integerToFloat), "mask", "top"),
		withWords(rowwise("IntToInt", 1, integerToInteger), "mask", "top", "least", "most", "container"),
		withWords(rowwise("ModifiedToInt", 1, modifiedToInteger), "mask", "top", "abs", "neg", "least", "most", "container"),
		withWords(rowwise("U32ToInt", 1, unsignedToInteger), "most", "container"),
		withWords(rowwise("F16ToF32", 1, halfToFloat)),
		withWords(rowwise("F32ToF32", 1, floatToFloat(false, -1)), "clear", "flip"),
		withWords(rowwise("F32ToF32Sat", 1, floatToFloat(true, -1)), "clear", "flip"),
	}
	for mode, name := range []string{"RN", "RM", "RP", "RZ"} {
		list = append(list,
			withWords(rowwise("F32ToF16"+name, 1, floatToHalf(mode))),
			withWords(rowwise("F32ToU32"+name, 1, floatToUnsigned(mode))),
			withWords(rowwise("F32ToInt"+name, 1, floatToInteger(mode)), "least", "most", "container"),
			withWords(rowwise("F32Integral"+name, 1, floatToFloat(false, mode)), "clear", "flip"),
			withWords(rowwise("F32IntegralSat"+name, 1, floatToFloat(true, mode)), "clear", "flip"))
	}
	return list
}

// withWords makes a kernel a part, and adds parameters of one word before the selection.
func withWords(k kernel, names ...string) kernel {
	k.part = true
	last := len(k.params) - 1
	params := append([]param(nil), k.params[:last]...)
	for _, name := range names {
		params = append(params, param{name, "uint32", []part{{"", 4}}})
	}
	k.params = append(params, k.params[last])
	return k
}

// parameter returns a vector of a parameter of one word.
func (f *function) parameter(name string) vec {
	v := f.vec()
	f.ins("MOVL", f.arg(name), "AX")
	f.broadcast("AX", v)
	return v
}

// extended returns the value of a word, x&mask^top - top, for a kind whose sign bit is top.
func (f *function) extended() func(x vec) vec {
	bits, top := f.parameter("mask"), f.parameter("top")
	return func(x vec) vec { return f.subIn(f.xorIn(f.and(x, bits), top), top) }
}

func integerToFloat(f *function) func(x []vec) vec {
	value := f.extended()
	return func(x []vec) vec {
		v := value(x[0])
		f.ins("VCVTDQ2PS", v, v)
		return v
	}
}

// integerToInteger clamps values in the range of s32.
func integerToInteger(f *function) func(x []vec) vec {
	value := f.extended()
	least, most, container := f.parameter("least"), f.parameter("most"), f.parameter("container")
	return func(x []vec) vec {
		v := f.in("VPMAXSD", value(x[0]), least)
		f.in("VPMINSD", v, most)
		return f.andIn(v, container)
	}
}

// modifiedToInteger is integerToInteger of values whose modifiers are all ones or zero. The least
// s32 has no opposite; the next one's opposite is the greatest, to which the least would be
// clamped.
func modifiedToInteger(f *function) func(x []vec) vec {
	value := f.extended()
	abs, neg := f.parameter("abs"), f.parameter("neg")
	least, most, container := f.parameter("least"), f.parameter("most"), f.parameter("container")
	f.literals(1<<31 + 1)
	return func(x []vec) vec {
		v := f.in("VPMAXSD", value(x[0]), f.literal(1<<31+1))
		s := f.xorIn(f.andIn(f.sar(v, 31), abs), neg)
		f.subIn(f.xorIn(v, s), s)
		f.in("VPMAXSD", v, least)
		f.in("VPMINSD", v, most)
		return f.andIn(v, container)
	}
}

func unsignedToInteger(f *function) func(x []vec) vec {
	most, container := f.parameter("most"), f.parameter("container")
	return func(x []vec) vec { return f.andIn(f.op("VPMINUD", x[0], most), container) }
}

// halfToFloat is exact, denormals included.
func halfToFloat(f *function) func(x []vec) vec {
	f.literals(0xffff)
	fix := f.canonical()
	return func(x []vec) vec {
		v := x[0]
		if f.level == avx512 {
			f.ins("VPMOVDW", v, f.lower(v))
		} else {
			f.andIn(v, f.literal(0xffff))
			f.ins("VPACKUSDW", v, v, v)
			f.ins("VPERMQ", 0x08, v, v)
		}
		f.ins("VCVTPH2PS", f.lower(v), v)
		return fix(v)
	}
}

// floatToHalf makes magnitudes below 2^-33 zeros in every mode; the instruction would round up.
func floatToHalf(mode int) func(f *function) func(x []vec) vec {
	const least = (127 - 33) << 23
	return func(f *function) func(x []vec) vec {
		f.literals(nan32, sign32, least-1, 0x7fff)
		return func(x []vec) vec {
			sign := f.and(x[0], f.literal(sign32))
			v := f.blend(f.greater(f.and(x[0], f.literal(nan32)), f.literal(least-1)), sign, x[0])
			f.ins("VCVTPS2PH", mode, v, f.lower(v))
			f.ins("VPMOVZXWD", f.lower(v), v)
			f.replace(v, f.compareFloat(predicateUnordered, x[0], x[0]), f.literal(0x7fff))
			return v
		}
	}
}

// unsignedToFloat adds the converted halves with AVX2: both are exact, so the sum is rounded once.
func unsignedToFloat(f *function) func(x []vec) vec {
	if f.level == avx512 {
		return func(x []vec) vec { return f.op1("VCVTUDQ2PS", x[0]) }
	}
	f.literals(0xffff, 0x47800000) // 2^16 in f32
	return func(x []vec) vec {
		high, low := f.shr(x[0], 16), f.and(x[0], f.literal(0xffff))
		f.ins("VCVTDQ2PS", high, high)
		f.ins("VCVTDQ2PS", low, low)
		f.in("VMULPS", high, f.literal(0x47800000))
		return f.in("VADDPS", high, low)
	}
}

// roundTo rounds to integral values in place.
func (f *function) roundTo(mode int, v vec) {
	f.ins([...]string{avx2: "VROUNDPS", avx512: "VRNDSCALEPS"}[f.level], mode|8, v, v)
}

// toInt32 converts in the mode. Denormals become zeros first: no rounding may make them 1.
func (f *function) toInt32(mode int, v vec) vec {
	switch mode {
	case 0:
		return f.op1("VCVTPS2DQ", v)
	case 3:
		return f.op1("VCVTTPS2DQ", v)
	}
	r := f.flush(v)
	f.roundTo(mode, r)
	f.ins("VCVTPS2DQ", r, r)
	return r
}

// floatToInteger saturates at 32 bits, because the instruction saturates only below, then at the
// limits of the kind. A NaN becomes 0.
func floatToInteger(mode int) func(f *function) func(x []vec) vec {
	return func(f *function) func(x []vec) vec {
		least, most, container := f.parameter("least"), f.parameter("most"), f.parameter("container")
		limit := f.constant(0x4f000000) // 2^31
		f.flushLiterals()
		f.literals(1<<31 - 1)
		return func(x []vec) vec {
			r := f.toInt32(mode, x[0])
			f.replace(r, f.compareFloat(predicateAtMost, limit, x[0]), f.literal(1<<31-1))
			f.keepIf(r, f.compareFloat(predicateOrdered, x[0], x[0]))
			f.in("VPMAXSD", r, least)
			f.in("VPMINSD", r, most)
			return f.andIn(r, container)
		}
	}
}

// floatToUnsigned subtracts 2^31 from large numbers with AVX2, and adds it again as a bit. Negative
// numbers and NaNs become 0 first: the second source of the maximum.
func floatToUnsigned(mode int) func(f *function) func(x []vec) vec {
	return func(f *function) func(x []vec) vec {
		f.flushLiterals()
		zero := f.constant(0)
		if f.level == avx512 {
			convert := [...]string{"VCVTPS2UDQ", "VCVTPS2UDQ", "VCVTPS2UDQ", "VCVTTPS2UDQ"}[mode]
			return func(x []vec) vec {
				r := f.op("VMAXPS", x[0], zero)
				if mode == 1 || mode == 2 {
					r = f.flush(r)
					f.roundTo(mode, r)
				}
				f.ins(convert, r, r)
				return r
			}
		}
		half, whole := f.constant(0x4f000000), f.constant(0x4f800000) // 2^31, 2^32
		f.literals(ones)
		return func(x []vec) vec {
			v := f.op("VMAXPS", x[0], zero)
			over := f.compareFloat(predicateAtMost, whole, v)
			large := f.compareFloat(predicateAtMost, half, v)
			part := f.and(vec(large), half)
			f.in("VSUBPS", v, part)
			r := f.toInt32(mode, v)
			f.in("VPSLLD", vec(large), 31)
			f.xorIn(r, vec(large))
			f.replace(r, over, f.literal(ones))
			return r
		}
	}
}

// floatToFloat clears and flips bits, flushes, clamps to [0, 1] if it saturates, and rounds
// to integral values if mode is not negative.
func floatToFloat(sat bool, mode int) func(f *function) func(x []vec) vec {
	return func(f *function) func(x []vec) vec {
		clear, flip := f.parameter("clear"), f.parameter("flip")
		f.flushLiterals()
		f.literals(nan32, one32)
		return func(x []vec) vec {
			v := f.andNot(x[0], clear)
			f.xorIn(v, flip)
			r := f.flush(v)
			if sat {
				f.in("VPMAXSD", r, f.literal(0)) // the order of integers
				f.in("VPMINSD", r, f.literal(one32))
			}
			if mode >= 0 {
				f.roundTo(mode, r)
			}
			f.replace(r, f.compareFloat(predicateUnordered, v, v), f.literal(nan32))
			return r
		}
	}
}
