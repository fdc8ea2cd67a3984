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
	k := in.Op.Immediate()
	if k < 0 || in.Src[k].Kind != tesla.Imm || in.Type.Bytes() != 4 || in.Src[1].As != tesla.TypeNone {
		return false
	}
	before := len(f.Literals)
	word, ok := f.Literal(in.Src[k].Value, LiteralReach)
	if !ok {
		return false
	}
	x := *in
	useConstant(&x, k, word)
	if !good(&x) {
		f.Literals = f.Literals[:before]
		return false
	}
	*in = x
	return true
}

// useConstant replaces source k of an instruction by a word of a constant bank.
func useConstant(in *tesla.Instruction, k int, word tesla.Operand) {
	word.Neg, word.Not = in.Src[k].Neg, in.Src[k].Not
	in.Src[k] = word
	if in.Op == tesla.OpMov {
		in.Op = tesla.OpLdConst
	}
}

// LiteralReach is the number of words of a constant bank that an operand reaches.
const LiteralReach = 128

// literalBank is the constant bank of the literals.
const literalBank = 1

// Literal returns the operand that is a word of the literals. It adds the word if need be, and
// reports false if there would be more than most.
func (f *Func) Literal(word uint32, most int) (tesla.Operand, bool) {
	at := slices.Index(f.Literals, word)
	if at < 0 {
		at = len(f.Literals)
		if at >= most {
			return tesla.Operand{}, false
		}
		f.Literals = append(f.Literals, word)
	}
	return tesla.Operand{Kind: tesla.Const, Index: literalBank, Type: tesla.B32, Value: uint32(4 * at)}, at < LiteralReach
}
