package program

import "jacquard/tesla"

// WidthOf is the width of an operation of integer type t: 16 or 32.
func WidthOf(t tesla.Type) uint8 {
	switch t {
	case tesla.U8, tesla.S8, tesla.B16, tesla.U16, tesla.S16, tesla.F16:
		return 16
	}
	return 32
}

// values lowers an operation on integers or words. 16-bit factors are extended by their own
// signedness, so one 32-bit multiplication serves all four combinations. Their product, and the
// addend of a product or a difference, is a word.
func values(l *lowerer, u *Op, in *tesla.Instruction) {
	u.Width, u.Sat = WidthOf(in.Type), in.Mods&tesla.Sat != 0
	for i := range 2 {
		x, signed := &in.Src[i], IsSigned(in.Type)
		if x.As != tesla.TypeNone {
			signed = x.As == tesla.S16
		}
		l.source(u, i, x, signed, false)
	}
	if in.Src[0].As != tesla.TypeNone || in.Src[2].Kind != tesla.None {
		u.Width = 32
		l.source(u, 2, &in.Src[2], false, false)
	}
	if in.Src[0].Kind == tesla.CondReg {
		u.CIn = in.Src[0].Index
	}
	l.dest(u, &in.Dst)
}

// IsSigned reports whether an operation of type t is on signed integers.
func IsSigned(t tesla.Type) bool { return t == tesla.S16 || t == tesla.S32 }

// shift lowers a shift. The count is unsigned.
func shift(l *lowerer, u *Op, in *tesla.Instruction) {
	values(l, u, in)
	l.source(u, 1, &in.Src[1], false, false)
}
