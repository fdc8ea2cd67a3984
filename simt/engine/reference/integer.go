package reference

import (
	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// integer carries out the operations of docs/isa/operations.md, Integer operations.
func (o *Operation) integer() Result {
	in := o.In
	width, signed := integerType(in.Type)
	carry, sat, high := o.Flags&alu.C != 0, in.Mods&tesla.Sat != 0, in.Mods&tesla.High != 0
	a, b, c := uint32(o.A), uint32(o.B), uint32(o.C)
	switch in.Op {
	case tesla.OpIAdd:
		return word(alu.Add(in.Arith, a, b, width, carry, sat))
	case tesla.OpIMul:
		if width == 16 {
			return word(alu.Mul16(a, b, in.Src[0].As == tesla.S16, in.Src[1].As == tesla.S16))
		}
		return word(alu.Mul(in.Type, high, a, b))
	case tesla.OpIMad:
		return word(alu.Mad(in.Type, high, in.Arith, a, b, c, carry, sat))
	case tesla.OpISad:
		return word(alu.Sad(a, b, c, width, signed))
	case tesla.OpISet:
		return word(alu.Set(a, b, uint8(in.Cmp), width, signed))
	case tesla.OpIMax:
		return word(alu.Max(a, b, width, signed))
	case tesla.OpIMin:
		return word(alu.Min(a, b, width, signed))
	case tesla.OpShl:
		return word(alu.Shl(a, b, width))
	case tesla.OpShr:
		return word(alu.Shr(a, b, width, signed))
	case tesla.OpLogic:
		return word(alu.Result(o.logic(a, b), width, 0))
	case tesla.OpShlToAddr:
		return Result{Value: o.A << o.B}
	case tesla.OpAddAddr:
		return Result{Value: o.A + o.B}
	}
	return o.unknown()
}

// logic combines bits (docs/isa/operations.md, Logic).
func (o *Operation) logic(a, b uint32) uint32 {
	if o.In.Src[0].Not {
		a = ^a
	}
	if o.In.Src[1].Not {
		b = ^b
	}
	switch o.In.Logic {
	case tesla.And:
		return a & b
	case tesla.Or:
		return a | b
	case tesla.Xor:
		return a ^ b
	}
	return b
}

// integerType returns the width and sign of the operands of an integer operation.
func integerType(t tesla.Type) (width int, signed bool) {
	switch t {
	case tesla.B16, tesla.U16:
		return 16, false
	case tesla.S16:
		return 16, true
	case tesla.S24, tesla.S32:
		return 32, true
	}
	return 32, false
}

// word makes a result of a word and its flags.
func word(r uint32, flags uint8) Result { return Result{uint64(r), flags} }

// answer makes the result of a comparison (docs/isa/operations.md, FSet).
func answer(holds bool) Result {
	if holds {
		return Result{1<<32 - 1, alu.Truth(true)}
	}
	return Result{0, alu.Truth(false)}
}
