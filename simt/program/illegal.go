package program

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// illegal returns why the hardware would refuse an instruction, or "". The decoder checks bits;
// this function checks rules that depend on an operand's number (docs/isa/machine.md, General
// registers; docs/isa/encoding.md, Address registers of operands; docs/isa/memory.md, Sizes).
func illegal(in *tesla.Instruction) string {
	switch in.Bad {
	case tesla.OK:
	case tesla.BadOpcode:
		return "the device has no such instruction"
	case tesla.BadOperand:
		return "an operand or type field has an invalid value"
	case tesla.BadLength:
		return "a long instruction must start at a multiple of 8 and be complete"
	default:
		return "the instruction does not exist in compute programs"
	}
	if !lane.CondValid(uint8(in.Guard.Cond)) {
		return "the condition code is undefined"
	}
	for _, o := range [...]*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		switch {
		case o.Kind == tesla.Pair && o.Index%2 != 0 || o.Kind == tesla.Quadruple && o.Index%4 != 0:
			return "a wide operand must start at a multiple of its registers"
		case o.Post && (o.Base == 0 || o.Base == 5 || o.Base == 6):
			return "post-increment needs a writable address register"
		case o.Kind == tesla.Output:
			return "output space does not exist in compute programs"
		}
	}
	if !sharedFits(in) {
		return "the access type of the s[] operand does not fit the operation"
	}
	return ""
}

// sharedFits reports whether the access type of an s[] source suits the operation. 8-bit operations
// take only bytes; 16-bit operations take no 32-bit access, and with a sign no access that is
// extended in the other way. Loads and stores have the access type as their own.
// Unverified: that a signed 16-bit operation takes u8, which the prose leaves open.
func sharedFits(in *tesla.Instruction) bool {
	o := &in.Src[0]
	if o.Kind != tesla.Shared || in.Op.Class() == tesla.ClassShared {
		return true
	}
	t := in.Type
	switch {
	case in.Op == tesla.OpCvt:
		t = in.From
	case o.As != tesla.TypeNone:
		t = o.As
	}
	switch t {
	case tesla.U8, tesla.S8:
		return o.Type == tesla.U8
	case tesla.B16, tesla.F16:
		return o.Type != tesla.B32
	case tesla.U16:
		return o.Type == tesla.U8 || o.Type == tesla.U16
	case tesla.S16:
		return o.Type == tesla.U8 || o.Type == tesla.S16
	}
	return true
}
