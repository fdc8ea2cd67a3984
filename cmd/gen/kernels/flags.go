package main

import "fmt"

// flagKernels lists the kernels that write flags or read a carry. Operands of width bits are moved
// to the top of their lanes: there the sign is the sign bit, and carry and overflow leave the lane.
func flagKernels() []kernel {
	return []kernel{
		resultFlagsKernel(),
		sumFlagsKernel("AddFlags", sumAdd), sumFlagsKernel("SubFlags", sumSub), sumFlagsKernel("AddCarryFlags", sumCarry),
		addCarryKernel(),
		clampKernel("AddSat", sumAdd), clampKernel("SubSat", sumSub), clampKernel("AddCarrySat", sumCarry),
		shiftFlagsKernel("ShlFlags", "VPSLLVD"), shiftFlagsKernel("ShrUFlags", "VPSRLVD"), shiftFlagsKernel("ShrSFlags", "VPSRAVD"),
	}
}

// sum is a variant of the adder.
type sum uint8

const (
	sumAdd sum = iota
	sumSub
	sumCarry
)

// The general registers of flags, and a scratch register.
const (
	regZ, regS, regC, regO = "R10", "R11", "R12", "R13"
	scratch                = "DX"
)

// flagBytes is the size of lane.Flags, flagC the place of its carries.
const (
	flagBytes = 16
	flagC     = 8
)

// flagsAt turns AX from the warp to the address of its flags.
func (f *function) flagsAt(base string) {
	f.ins("SHLQ", 4, "AX")
	f.ins("ADDQ", f.arg(base), "AX")
}

// put replaces the flags at AX in the lanes of the row's mask.
func (f *function) put(registers ...string) {
	f.ins("MOVL", rowMask, scratch)
	for i, v := range registers {
		at := fmt.Sprintf("%d(AX)", 4*i)
		if v == "" { // clear
			f.ins("ANDNL", at, scratch, "R9")
			f.ins("MOVL", "R9", at)
			continue
		}
		f.ins("XORL", at, v)
		f.ins("ANDL", scratch, v)
		f.ins("XORL", v, at)
	}
}

// shiftUp returns functions that move operands to the top of their lanes, and back.
func (f *function) shiftUp() (up, down func(x vec) vec) {
	count := f.vec()
	x := fmt.Sprintf("X%d", count)
	f.ins("MOVQ", 32, "AX")
	f.ins("SUBQ", f.arg("width"), "AX")
	f.ins("VMOVD", "AX", x)
	return func(v vec) vec { return f.op("VPSLLD", v, x) }, func(v vec) vec { return f.op("VPSRLD", v, x) }
}

func resultFlagsKernel() kernel {
	return kernel{name: "ResultFlags", params: []param{flagsParam, rowsParam("r"), widthParam, selParam}, build: func(f *function) {
		zero := f.constant(0)
		up, _ := f.shiftUp()
		f.each([]string{"r"}, func(r *row) {
			r.kept(regS, scratch, func(j int) mask { return f.sign(up(r.load(0, j))) })
			r.kept(regZ, scratch, func(j int) mask { return f.equal(up(r.load(0, j)), zero) })
			f.flagsAt("f_base")
			f.put(regZ, regS, "", "")
		})
	}}
}

// summed is a vector of the adder's operands and result, at the top of their lanes. y is
// complemented for a subtraction.
type summed struct{ x, y, s vec }

// adder returns a function that adds vector j of a row. one is the weight of a carry.
func (f *function) adder(how sum, up func(vec) vec, one vec) func(r *row, a, b, j int, carry mask) summed {
	return func(r *row, a, b, j int, carry mask) summed {
		p, q := r.load(a, j), r.load(b, j)
		t := summed{x: up(p), y: up(q)}
		f.free(p, q)
		switch how {
		case sumSub:
			t.s = f.sub(t.x, t.y)
			f.ins(f.bitwise("VPXOR"), f.constant(ones), t.y, t.y)
		case sumAdd:
			t.s = f.add(t.x, t.y)
		case sumCarry:
			t.s = f.add(t.x, t.y)
			if f.level == avx512 {
				f.ins("VPADDD", one, t.s, carry, t.s)
			} else {
				f.ins("VPAND", one, carry, carry)
				f.ins("VPADDD", vec(carry), t.s, t.s)
				f.freeMask(carry)
			}
		}
		return t
	}
}

// oneAtTop is the weight of a carry into operands that were moved up.
func (f *function) oneAtTop(up func(vec) vec) vec { return up(f.constant(1)) }

// carries returns the masks of the row's carries at an address.
func (f *function) carries(at string, offset int) func(j int) mask {
	if f.level == avx2 {
		return func(j int) mask { return f.expand(fmt.Sprintf("%d(%s)", offset+j, at)) }
	}
	masks := f.rowMasks(fmt.Sprintf("%d(%s)", offset, at))
	return func(j int) mask { return masks[j] }
}

// sumFlagsKernel writes the flags of the adder. Carry and overflow follow from the signs: a carry
// leaves the top bit if both addends have it set, or if one of them has and the sum has not.
func sumFlagsKernel(name string, how sum) kernel {
	params := []param{flagsParam, rowsParam("a"), rowsParam("b")}
	if how == sumCarry {
		params = append(params, param{"carry", "[]Flags", flagsParam.parts})
	}
	params = append(params, widthParam, param{"sat", "bool", []part{{"", 1}}}, selParam)
	return kernel{name: name, params: params, build: func(f *function) {
		zero := f.constant(0)
		f.constant(ones)
		up, _ := f.shiftUp()
		var one vec
		if how == sumCarry {
			one = f.oneAtTop(up)
		}
		add := f.adder(how, up, one)
		f.each([]string{"a", "b"}, func(r *row) {
			var carry func(j int) mask
			if how == sumCarry {
				f.ins("MOVQ", "AX", scratch)
				f.ins("SHLQ", 4, scratch)
				f.ins("ADDQ", f.arg("carry_base"), scratch)
				carry = f.carries(scratch, flagC)
			}
			terms := func(j int) summed {
				var k mask
				if how == sumCarry {
					k = carry(j)
				}
				return add(r, 0, 1, j, k)
			}
			// One pass per flag, because AVX2 has too few registers for all at once.
			r.kept(regC, "R9", func(j int) mask {
				t := terms(j)
				both, either := f.and(t.x, t.y), f.or(t.x, t.y)
				f.ins(f.bitwise("VPANDN"), either, t.s, either)
				f.ins(f.bitwise("VPOR"), both, either, either)
				return f.sign(either)
			})
			r.kept(regO, "R9", func(j int) mask {
				t := terms(j)
				return f.sign(f.and(f.xor(t.x, t.s), f.xor(t.y, t.s)))
			})
			r.kept(regS, "R9", func(j int) mask { return f.sign(terms(j).s) })
			r.kept(regZ, "R9", func(j int) mask { return f.equal(terms(j).s, zero) })
			f.ins("CMPB", f.arg("sat"), 0)
			f.ins("JEQ", "wraps")
			f.ins("XORL", regO, regS)        // a clamped sum has the sign of its operands
			f.ins("ANDNL", regZ, regO, regZ) // and is not zero
			f.label("wraps")
			f.flagsAt("f_base")
			f.put(regZ, regS, regC, regO)
		})
	}}
}

func addCarryKernel() kernel {
	params := []param{rowsParam("d"), rowsParam("a"), rowsParam("b"), flagsParam, selParam}
	return kernel{name: "AddCarry", params: params, build: func(f *function) {
		one := f.constant(1)
		add := f.adder(sumCarry, func(v vec) vec { return f.op1(f.move(), v) }, one)
		f.everyWarp(rowNames(2), func(r *row) {
			f.flagsAt("f_base")
			carry := f.carries("AX", flagC)
			for j := range f.level.vectors() {
				f.scope(func() { r.store(j, add(r, 1, 2, j, carry(j)).s) })
			}
		})
	}}
}

// clampKernel adds and clamps: an overflow becomes the largest number of the sign.
func clampKernel(name string, how sum) kernel {
	params := []param{rowsParam("d"), rowsParam("a"), rowsParam("b")}
	if how == sumCarry {
		params = append(params, flagsParam)
	}
	params = append(params, widthParam, selParam)
	return kernel{name: name, params: params, build: func(f *function) {
		most := f.constant(1<<31 - 1)
		f.constant(ones)
		up, down := f.shiftUp()
		var one vec
		if how == sumCarry {
			one = f.oneAtTop(up)
		}
		add := f.adder(how, up, one)
		f.everyWarp(rowNames(2), func(r *row) {
			var carry func(j int) mask
			if how == sumCarry {
				f.flagsAt("f_base")
				carry = f.carries("AX", flagC)
			}
			for j := range f.level.vectors() {
				f.scope(func() {
					var k mask
					if how == sumCarry {
						k = carry(j)
					}
					t := add(r, 1, 2, j, k)
					limit := f.sar(t.x, 31)
					f.ins(f.bitwise("VPXOR"), most, limit, limit)
					f.ins(f.bitwise("VPXOR"), t.s, t.x, t.x)
					f.ins(f.bitwise("VPXOR"), t.s, t.y, t.y)
					f.ins(f.bitwise("VPAND"), t.y, t.x, t.x)
					f.free(t.y)
					over := f.sign(f.sar(t.x, 31))
					f.free(t.x)
					v := f.blend(over, t.s, limit)
					f.free(t.s, limit)
					f.freeMask(over)
					r.store(j, down(v))
				})
			}
		})
	}}
}

// sign is the mask of the lanes with their sign bit set, for collect.
func (f *function) sign(v vec) mask {
	if f.level == avx512 {
		m := f.mask()
		f.ins("VPMOVD2M", v, m)
		return m
	}
	return mask(v) // only the sign bits are collected
}

// shiftFlagsKernel writes the flags of a shift. C is the last bit shifted out while the count is
// below the width; O is a change of sign by a shift of one.
func shiftFlagsKernel(name, instruction string) kernel {
	params := []param{flagsParam, rowsParam("a"), rowsParam("n"), widthParam, selParam}
	return kernel{name: name, params: params, build: func(f *function) {
		zero, one := f.constant(0), f.constant(1)
		f.constant(ones)
		f.constant(1 << 31)
		up, _ := f.shiftUp()
		left := instruction == "VPSLLVD"
		edge := one // the last bit out, after a shift by one place less
		if left {
			edge = f.constant(1 << 31)
		}
		limit := f.vec() // of a count less one
		f.ins("MOVQ", f.arg("width"), "AX")
		f.ins("DECL", "AX")
		f.broadcast("AX", limit)
		below := f.lessUnsigned()
		f.each([]string{"a", "n"}, func(r *row) {
			value := func(j int) vec {
				if left {
					return up(r.load(0, j))
				}
				return r.load(0, j)
			}
			result := func(j int) vec { return f.op(instruction, value(j), r.load(1, j)) }
			atTop := func(v vec) vec {
				if left {
					return v
				}
				return up(v)
			}
			r.kept(regC, scratch, func(j int) mask { return f.nonzero(f.op(instruction, value(j), f.sub(r.load(1, j), one)), edge) })
			r.kept(regZ, scratch, func(j int) mask { return below(f.sub(r.load(1, j), one), limit) })
			f.ins("ANDL", regZ, regC)
			r.kept(regO, scratch, func(j int) mask { return f.sign(atTop(f.xor(result(j), value(j)))) })
			r.kept(regZ, scratch, func(j int) mask { return f.equal(r.load(1, j), one) })
			f.ins("ANDL", regZ, regO)
			r.kept(regS, scratch, func(j int) mask { return f.sign(atTop(result(j))) })
			r.kept(regZ, scratch, func(j int) mask { return f.equal(result(j), zero) })
			f.flagsAt("f_base")
			f.put(regZ, regS, regC, regO)
		})
	}}
}
