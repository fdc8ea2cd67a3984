package fpu

import "strings"

// Conversion is one form of the convert instruction.
type Conversion struct {
	To, From Kind
	Round    Round
	Integral bool // floating point to floating point: round to an integral value
	Abs, Neg bool // source modifiers, absolute value first
	Sat      bool // clamp to [0, 1]; integer results always saturate
}

// String returns the kinds and modifiers in the form of the golden vectors: "s32 f32 rz abs".
func (c Conversion) String() string {
	words := []string{c.To.String(), c.From.String(), [...]string{"rn", "rm", "rp", "rz"}[c.Round&RZ]}
	if c.Integral {
		words[2] += "i"
	}
	for _, m := range []struct {
		on   bool
		name string
	}{{c.Abs, "abs"}, {c.Neg, "neg"}, {c.Sat, "sat"}} {
		if m.on {
			words = append(words, m.name)
		}
	}
	return strings.Join(words, " ")
}

// Do converts v, whose low bits hold a value of kind From, and returns the contents of
// the destination register, 8-bit results extended to 16 or 32 bits, and its flags.
// The conversion must be Valid.
func (c *Conversion) Do(v uint64) (uint64, Flags) {
	from, to := &shapes[c.From], &shapes[c.To]
	switch {
	case from.bits != 64 && to.bits != 64:
	case !from.float:
		return c.wideIntegerToFloat(v)
	case !to.float:
		return c.wideFloatToInteger(v)
	default:
		return c.wideFloatToFloat(v)
	}
	switch {
	case !from.float && !to.float:
		return c.integerToInteger(v)
	case !from.float:
		return c.integerToFloat(v)
	case !to.float:
		return c.floatToInteger(v)
	}
	return c.floatToFloat(v)
}

// Valid reports whether a converter of the machine handles the pair of kinds. The ordinary
// converter has up to 32 bits. The 64-bit converter has pairs of 32 and 64 bits with a
// floating-point kind.
func (c Conversion) Valid() bool {
	if c.To >= kinds || c.From >= kinds || c.Round > RZ {
		return false
	}
	from, to := shapes[c.From], shapes[c.To]
	if !c.wide() {
		return true
	}
	return from.bits >= 32 && to.bits >= 32 && (from.float || to.float)
}

// wide reports whether the 64-bit converter does the work.
func (c *Conversion) wide() bool {
	return shapes[c.From].bits == 64 || shapes[c.To].bits == 64
}

// readInteger returns sign and magnitude of an integer source after its modifiers.
func (c *Conversion) readInteger(v uint64) (neg bool, mag uint64) {
	neg, mag = c.From.read(v)
	if c.Abs {
		neg = false
	}
	return neg != c.Neg, mag
}

// modify applies the source modifiers to a floating-point pattern.
func (c *Conversion) modify(f format, v uint64) uint64 {
	if c.Abs {
		v = f.abs(v)
	}
	if c.Neg {
		v ^= f.sign()
	}
	return v
}
