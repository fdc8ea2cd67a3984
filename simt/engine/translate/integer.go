package translate

import (
	"strings"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// plain computes a result part by part, with the flags of an integer result if the instruction
// writes any.
func (e *emitter) plain(u *program.Op, f func(part int) vector.Vec) bool {
	return e.compute(u, func(v vector.Vec, part int) { e.ResultFlags(v, int(u.Width), part) }, "zs", f)
}

// compute computes a result part by part, and its flags.
func (e *emitter) compute(u *program.Op, flags func(v vector.Vec, part int), which string, f func(part int) vector.Vec) bool {
	e.begin(u)
	if u.CDst == program.NoCond {
		e.parts(func(part int) { e.result(u, part, f(part)) })
		return true
	}
	var list []vector.Vec
	e.parts(func(part int) {
		v := f(part)
		if u.Clamp {
			c := e.FSat(v)
			e.Free(v)
			v = c
		}
		list = append(list, v)
	})
	e.parts(func(part int) { flags(list[part], part) })
	e.putFlags(u, which)
	e.parts(func(part int) { e.keep(u, part, list[part]) })
	return true
}

// putFlags replaces the flags of the condition register that u writes by the flags in the registers
// of package vector. Flags that which does not name become 0.
func (e *emitter) putFlags(u *program.Op, which string) {
	for i, name := range []string{"z", "s", "c", "o"} {
		to := x86.At(regFlags, int32(u.CDst)*int32(machine.FlagStep)+4*int32(i))
		from := x86.R([...]x86.Reg{vector.RegZ, vector.RegS, vector.RegC, vector.RegO}[i])
		known := strings.Contains(which, name)
		if e.full && !e.guarded {
			if !known {
				from = x86.Imm(0)
			}
			e.a.Mov(32, to, from)
			continue
		}
		if i == 0 {
			e.a.Mov(32, x86.R(x86.RAX), e.lanes)
		}
		if !known {
			e.a.Andn(32, x86.RCX, x86.RAX, to)
			e.a.Mov(32, to, x86.R(x86.RCX))
			continue
		}
		e.a.Xor(32, from, to)
		e.a.And(32, from, x86.R(x86.RAX))
		e.a.Xor(32, to, from)
	}
}

func (e *emitter) move(u *program.Op) bool {
	if u.Ins.Idle != 0 {
		return false
	}
	return e.plain(u, func(part int) vector.Vec { return e.copyOf(u, part) })
}

// copyOf is a new vector with source 0 of u.
func (e *emitter) copyOf(u *program.Op, part int) vector.Vec {
	if u.Src[0].Mode == program.SrcRow {
		if w, ok := literal(e.p, &u.Src[0]); ok {
			return e.Constant(w)
		}
		return e.Broadcast(x86.At(regLaunch, u.Src[0].Index*rowBytes))
	}
	return e.copy(e.source(u, 0, part))
}

func (e *emitter) moveFromAddress(u *program.Op) bool {
	a := u.Ins.Src[0].Index
	return e.plain(u, func(part int) vector.Vec {
		if !machine.WritableAddress(a) {
			return e.Constant(0)
		}
		return e.copy(e.get(machine.AddressRow(e.p, a), part))
	})
}

// setAddress makes v an address register.
func (e *emitter) setAddress(u *program.Op, part int, v vector.Vec) {
	e.assign(machine.AddressRow(e.p, u.Ins.Dst.Index), part, e.op(x86.VPANDD, v, e.Literal(0xffff)))
	e.Free(v)
}

func (e *emitter) shiftToAddress(u *program.Op) bool {
	if !machine.WritableAddress(u.Ins.Dst.Index) {
		return false
	}
	e.begin(u)
	e.parts(func(part int) { e.setAddress(u, part, e.shifted(u, part)) })
	return true
}

func (e *emitter) addAddress(u *program.Op) bool {
	a := u.Ins.Src[0].Index
	if !machine.WritableAddress(u.Ins.Dst.Index) {
		return false
	}
	e.begin(u)
	e.parts(func(part int) {
		if !machine.WritableAddress(a) { // the register reads 0
			e.setAddress(u, part, e.copy(e.vector(u, 1, part)))
			return
		}
		e.setAddress(u, part, e.op(x86.VPADDD, e.get(machine.AddressRow(e.p, a), part), e.source(u, 1, part)))
	})
	return true
}

// simpleSum reports whether a sum neither clamps nor reads a carry.
func simpleSum(u *program.Op) bool { return !u.Sat && u.Arith != tesla.AddC }

// sum is a sum or difference of a vector and source i.
func (e *emitter) sum(u *program.Op, a vector.Vec, i, part int) vector.Vec {
	switch u.Arith {
	case tesla.Sub:
		return e.op(x86.VPSUBD, a, e.source(u, i, part))
	case tesla.SubR:
		return e.op(x86.VPSUBD, e.vector(u, i, part), a)
	}
	return e.op(x86.VPADDD, a, e.source(u, i, part))
}

func (e *emitter) add(u *program.Op) bool {
	return e.adder(u, func(part int) vector.Vec { return e.vector(u, 0, part) }, 1)
}

// adder translates the addition of a value and source i: see interp's Engine.add.
func (e *emitter) adder(u *program.Op, value func(part int) vector.Vec, i int) bool {
	if simpleSum(u) && u.CDst == program.NoCond {
		e.begin(u)
		e.parts(func(part int) { e.result(u, part, e.sum(u, value(part), i, part)) })
		return true
	}
	how := map[tesla.Arith]vector.Sum{tesla.Add: vector.SumAdd, tesla.AddC: vector.SumCarry}[u.Arith]
	if u.Arith == tesla.Sub || u.Arith == tesla.SubR {
		how = vector.SumSub
	}
	operands := func(part int) (x, y vector.Vec) {
		x, y = value(part), e.vector(u, i, part)
		if u.Arith == tesla.SubR {
			x, y = y, x
		}
		return x, y
	}
	carry := func(part int) (m vector.Mask) {
		if how == vector.SumCarry {
			m = e.FromMemory(x86.At(regFlags, int32(u.CIn)*int32(machine.FlagStep)+8), part)
		}
		return m
	}
	done := func(m vector.Mask) {
		if how == vector.SumCarry {
			e.FreeMask(m)
		}
	}
	e.begin(u)
	var list []vector.Vec
	e.parts(func(part int) {
		x, y := operands(part)
		m := carry(part)
		switch {
		case u.Sat:
			list = append(list, e.SumSat(how, int(u.Width), x, y, m))
		case how == vector.SumCarry:
			list = append(list, e.AddCarry(x, y, m))
		case how == vector.SumSub:
			list = append(list, e.Sub(x, y))
		default:
			list = append(list, e.Add(x, y))
		}
		done(m)
	})
	if u.CDst != program.NoCond {
		e.parts(func(part int) {
			x, y := operands(part)
			m := carry(part)
			e.SumFlags(how, int(u.Width), u.Sat, x, y, m, part)
			done(m)
		})
		e.putFlags(u, "zsco")
	}
	e.parts(func(part int) { e.keep(u, part, list[part]) })
	return true
}

// product is the product of sources 0 and 1.
func (e *emitter) product(u *program.Op, part int) vector.Vec {
	t, high := u.Ins.Type, u.Ins.Mods&tesla.High != 0
	a, b := e.vector(u, 0, part), e.vector(u, 1, part)
	switch signed := t == tesla.S24; {
	case program.WidthOf(t) == 16:
		return e.IMul(a, b)
	case signed && high:
		return e.Mul24HiS(a, b)
	case signed:
		return e.Mul24LoS(a, b)
	case high:
		return e.Mul24HiU(a, b)
	}
	return e.Mul24LoU(a, b)
}

func (e *emitter) multiply(u *program.Op) bool {
	return e.plain(u, func(part int) vector.Vec { return e.product(u, part) })
}

func (e *emitter) multiplyAdd(u *program.Op) bool {
	return e.adder(u, func(part int) vector.Vec { return e.temporary(e.product(u, part)) }, 2)
}

func (e *emitter) absoluteDifference(u *program.Op) bool {
	difference := e.AbsDiffU
	if program.IsSigned(u.Ins.Type) {
		difference = e.AbsDiffS
	}
	return e.adder(u, func(part int) vector.Vec {
		return e.temporary(difference(e.vector(u, 0, part), e.source(u, 1, part)))
	}, 2)
}

func (e *emitter) extreme(u *program.Op) bool {
	op := x86.VPMINUD
	switch signed, most := program.IsSigned(u.Ins.Type), u.Ins.Op == tesla.OpIMax; {
	case signed && most:
		op = x86.VPMAXSD
	case signed:
		op = x86.VPMINSD
	case most:
		op = x86.VPMAXUD
	}
	return e.plain(u, func(part int) vector.Vec { return e.op(op, e.vector(u, 0, part), e.source(u, 1, part)) })
}

// shifted is source 0 shifted by source 1.
func (e *emitter) shifted(u *program.Op, part int) vector.Vec {
	by, fixed := e.Shl, e.ShlBy
	if u.Ins.Op == tesla.OpShr {
		by, fixed = e.ShrU, e.ShrUBy
		if program.IsSigned(u.Ins.Type) {
			by, fixed = e.ShrS, e.ShrSBy
		}
	}
	a := e.vector(u, 0, part)
	if n, ok := literal(e.p, &u.Src[1]); ok {
		return fixed(a, n)
	}
	return by(a, e.source(u, 1, part))
}

func (e *emitter) shift(u *program.Op) bool {
	if u.CDst == program.NoCond {
		return e.plain(u, func(part int) vector.Vec { return e.shifted(u, part) })
	}
	how := vector.ShiftLeft
	if u.Ins.Op == tesla.OpShr {
		how = vector.ShiftRightU
		if program.IsSigned(u.Ins.Type) {
			how = vector.ShiftRightS
		}
	}
	return e.compute(u, func(_ vector.Vec, part int) {
		e.ShiftFlags(how, int(u.Width), e.vector(u, 0, part), e.vector(u, 1, part), part)
	}, "zsco", func(part int) vector.Vec { return e.shifted(u, part) })
}

func (e *emitter) logic(u *program.Op) bool {
	var op x86.VOp
	switch u.Ins.Logic {
	case tesla.And:
		op = x86.VPANDD
	case tesla.Or:
		op = x86.VPORD
	case tesla.Xor:
		op = x86.VPXORD
	default: // the second source alone
		return e.plain(u, func(part int) vector.Vec { return e.copy(e.vector(u, 1, part)) })
	}
	return e.plain(u, func(part int) vector.Vec { return e.op(op, e.vector(u, 0, part), e.source(u, 1, part)) })
}

// set translates a comparison, whose answer is all ones or 0.
func (e *emitter) set(u *program.Op, holds func(part int) vector.Mask) bool {
	e.begin(u)
	var list []vector.Vec
	e.parts(func(part int) {
		m := holds(part)
		if u.Dst.Mode != program.DstNone {
			list = append(list, e.Expand(m))
		}
		if u.CDst == program.NoCond {
			e.FreeMask(m)
		} else {
			e.Collect(m, part, vector.RegS)
		}
	})
	if u.CDst != program.NoCond {
		e.a.Mov(32, x86.R(vector.RegZ), x86.R(vector.RegS))
		e.a.Not(32, x86.R(vector.RegZ))
		e.putFlags(u, "zs")
	}
	e.parts(func(part int) {
		if len(list) > 0 {
			e.result(u, part, list[part])
		}
	})
	return true
}

func (e *emitter) compareIntegers(u *program.Op) bool {
	compare := e.CompareU
	if program.IsSigned(u.Ins.Type) {
		compare = e.CompareS
	}
	return e.set(u, func(part int) vector.Mask {
		return compare(e.vector(u, 0, part), e.vector(u, 1, part), uint8(u.Ins.Cmp))
	})
}
