package code

import (
	"slices"

	"jacquard/tesla"
)

// literals puts immediates into bank 1 where the immediate form would not do: it has no guard and
// no flags, and a multiply-add of it adds to its destination.
func literals(f *Func) {
	for _, b := range f.Blocks {
		for i := range b.Code {
			if in := &b.Code[i]; in.immediateForm() && (in.tie() == 2 || !in.Guard.always() || in.CDst != 0) {
				f.useLiteral(&in.In, func(x *tesla.Instruction) bool {
					y := *x
					y.Size = 8
					return f.encodes(&y)
				})
			}
		}
	}
}

// useLiteral replaces the immediate of an instruction by a word of bank 1 if it is good then, and
// reports that. Immediate forms have no room for markers, guards and flags.
func (f *Func) useLiteral(in *tesla.Instruction, good func(in *tesla.Instruction) bool) bool {
	k := 0
	switch in.Op {
	case tesla.OpMov:
	case tesla.OpIAdd, tesla.OpFAdd, tesla.OpFMul, tesla.OpLogic, tesla.OpIMul, tesla.OpIMad, tesla.OpFMad:
		k = 1
	default:
		return false
	}
	if in.Src[k].Kind != tesla.Imm || in.Type.Bytes() != 4 || in.Src[1].As != tesla.TypeNone {
		return false
	}
	at := slices.Index(f.Literals, in.Src[k].Value)
	if at < 0 {
		at = len(f.Literals)
	}
	if at >= literalReach {
		return false
	}
	x := *in
	if x.Op == tesla.OpMov {
		x.Op = tesla.OpLdConst
	}
	x.Src[k] = tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Index: 1, Value: uint32(4 * at),
		Neg: in.Src[k].Neg, Not: in.Src[k].Not}
	if !good(&x) {
		return false
	}
	if at == len(f.Literals) {
		f.Literals = append(f.Literals, in.Src[k].Value)
	}
	*in = x
	return true
}

// literalReach is the number of words of a bank that an operand reaches.
const literalReach = 128
