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

func add(l *lowerer, u *Op, in *tesla.Instruction) {
	u.Width, u.Sat = WidthOf(in.Type), in.Mods&tesla.Sat != 0
	l.source(u, 0, &in.Src[0], false, false)
	l.source(u, 1, &in.Src[1], false, false)
	l.dest(u, &in.Dst)
}

// factors lowers the two factors of a product. 16-bit factors are extended by their own
// signedness, after which one 32-bit multiplication serves all four combinations.
func (l *lowerer) factors(u *Op, in *tesla.Instruction) {
	u.Width = WidthOf(in.Type)
	for i := range 2 {
		l.source(u, i, &in.Src[i], in.Src[i].As == tesla.S16, false)
	}
	u.Width = 32
}

func product(l *lowerer, u *Op, in *tesla.Instruction) {
	l.factors(u, in)
	l.dest(u, &in.Dst)
}

func productAndSum(l *lowerer, u *Op, in *tesla.Instruction) {
	l.factors(u, in)
	l.source(u, 2, &in.Src[2], false, false)
	l.dest(u, &in.Dst)
	u.Sat = in.Mods&tesla.Sat != 0
}

func differenceAndSum(l *lowerer, u *Op, in *tesla.Instruction) {
	signed := IsSigned(in.Type)
	u.Width = WidthOf(in.Type)
	l.source(u, 0, &in.Src[0], signed, false)
	l.source(u, 1, &in.Src[1], signed, false)
	u.Width = 32
	l.source(u, 2, &in.Src[2], false, false)
	l.dest(u, &in.Dst)
	u.Sat = in.Mods&tesla.Sat != 0
}

// IsSigned reports whether an operation of type t is on signed integers.
func IsSigned(t tesla.Type) bool { return t == tesla.S16 || t == tesla.S32 }

// integers lowers an operation on two integers of the same type.
func integers(l *lowerer, u *Op, in *tesla.Instruction) {
	signed := IsSigned(in.Type)
	u.Width = WidthOf(in.Type)
	l.source(u, 0, &in.Src[0], signed, false)
	l.source(u, 1, &in.Src[1], signed, false)
	l.dest(u, &in.Dst)
}

func shift(l *lowerer, u *Op, in *tesla.Instruction) {
	integers(l, u, in)
	l.source(u, 1, &in.Src[1], false, false) // counts are unsigned
}
