package decoder

import "jacquard/tesla"

// encoding is an instruction under construction: its bits, and the mask of claimed ones.
type encoding struct{ w, owned uint64 }

// encodeStep writes the bits of one sub-decoder. It reports whether the form can express the
// instruction.
type encodeStep func(in *tesla.Instruction, e *encoding) bool

// part is a piece of a field: width bits from bit low.
type part struct{ low, width uint }

// put claims the bits of mask and sets them. It fails if one is claimed already with the other
// value.
func (e *encoding) put(mask, bits uint64) bool {
	if (e.w^bits)&mask&e.owned != 0 {
		return false
	}
	e.w |= bits
	e.owned |= mask
	return true
}

// field puts v into width bits from low.
func (e *encoding) field(v uint64, low, width uint) bool {
	mask := uint64(1)<<width - 1
	return v <= mask && e.put(mask<<low, v<<low)
}

// split puts v into several parts, the most significant first.
func (e *encoding) split(v uint64, parts []part) bool {
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		if !e.field(v&(1<<p.width-1), p.low, p.width) {
			return false
		}
		v >>= p.width
	}
	return v == 0
}

// has reports whether the bits of mask are claimed and hold one of the values.
func (e *encoding) has(mask uint64, values ...uint64) bool {
	if e.owned&mask != mask {
		return false
	}
	for _, v := range values {
		if e.w&mask == v {
			return true
		}
	}
	return false
}

// tooBig is a value that does not fit any field.
const tooBig = ^uint64(0)

// scaled returns an offset in units, or tooBig if it is no multiple.
func scaled(v uint32, unit uint32) uint64 {
	if v%unit != 0 {
		return tooBig
	}
	return uint64(v / unit)
}

// scaledStep is scaled for operands whose field is signed in a post-increment.
func scaledStep(o *tesla.Operand, width uint, unit int32) uint64 {
	if !o.Post {
		return scaled(o.Value, uint32(unit))
	}
	step := int32(o.Value)
	if step%unit != 0 || signed(uint64(step/unit), width) != int64(step/unit) {
		return tooBig
	}
	return uint64(step/unit) & (1<<width - 1)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
