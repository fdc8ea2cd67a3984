package lane

// Condition returns the lanes in which the condition, a tesla.Cond, holds on f. An invalid
// condition (CondValid) holds nowhere.
func Condition(f *Flags, cond uint8) Mask {
	z, s, c, o := f.Z, f.S, f.C, f.O
	switch cond {
	case 0x00: // always
		return All
	case 0x01: // l
		return (s &^ z) ^ o
	case 0x02: // e
		return z &^ s
	case 0x03: // le
		return s ^ (z | o)
	case 0x04: // g
		return ^z & ^(s ^ o)
	case 0x05: // lg
		return ^z
	case 0x06: // ge
		return ^(s ^ o)
	case 0x07: // lge
		return ^z | ^s
	case 0x08: // u
		return z & s
	case 0x09: // lu
		return s ^ o
	case 0x0a: // eu
		return z
	case 0x0b: // leu
		return z | (s ^ o)
	case 0x0c: // gu
		return ^s ^ (z | o)
	case 0x0d: // lgu
		return ^z | s
	case 0x0e: // geu
		return (^s | z) ^ o
	case 0x10: // o
		return o
	case 0x11: // c
		return c
	case 0x12: // a
		return c &^ z
	case 0x13: // s
		return s
	case 0x1c: // ns
		return ^s
	case 0x1d: // na
		return z | ^c
	case 0x1e: // nc
		return ^c
	case 0x1f: // no
		return ^o
	}
	return 0
}

// CondValid reports whether the number is a tesla.Cond: 0x14 to 0x1b and numbers above 0x1f are
// not.
func CondValid(cond uint8) bool {
	return cond < 0x14 || 0x1c <= cond && cond < 0x20
}
