package fpu

// NaN is the only NaN that an f32 operation produces, for any NaN operand.
const NaN = 0x7fffffff

const (
	quietBit64 = 1 << 51
	invalid64  = 0xfff8 << 48 // the result of an invalid f64 operation
)

func isNaN(x uint32) bool { return x&^sign32 > inf32 }

func isNaN64(x uint64) bool { return x&^sign64 > inf64 }

// canonical replaces any NaN by NaN.
func canonical(x uint32) uint32 {
	if isNaN(x) {
		return NaN
	}
	return x
}

// propagate returns the first NaN of xs with its quiet bit set; each operation lists its operands
// in the hardware's order.
func propagate(xs ...uint64) (nan uint64, found bool) {
	for _, x := range xs {
		if isNaN64(x) {
			return x | quietBit64, true
		}
	}
	return 0, false
}

// Modify64 applies the source modifiers of an f64 operand, absolute value first. A NaN
// keeps its sign.
func Modify64(x uint64, abs, neg bool) uint64 {
	if isNaN64(x) {
		return x
	}
	if abs {
		x &^= sign64
	}
	if neg {
		x ^= sign64
	}
	return x
}
