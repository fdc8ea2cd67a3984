package fpu

// Sat clamps an f32 to [0, 1]: negative numbers and -0 become +0, a NaN stays NaN.
func Sat(x uint32) uint32 {
	switch {
	case isNaN(x):
		return NaN
	case x&sign32 != 0:
		return 0
	case x > one32:
		return one32
	}
	return x
}

// SatNaNZero is Sat under the mode bit SAT_NAN_ZERO of GT215 and later: NaN becomes +0.
// On GT200 that holds only for a NaN that came in as an operand; one the operation
// itself made stays NaN. operand says which it was; other chips pass true.
func SatNaNZero(x uint32, operand bool) uint32 {
	if isNaN(x) && operand {
		return 0
	}
	return Sat(x)
}
