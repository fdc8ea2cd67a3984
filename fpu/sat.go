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

// SatNaNZero is Sat under the mode bit SAT_NAN_ZERO of GT215 and later: NaN becomes +0. On GT200
// that holds only for a NaN operand; a NaN that the operation makes stays NaN. operand tells
// whether an operand was NaN; other chips pass true.
func SatNaNZero(x uint32, operand bool) uint32 {
	if isNaN(x) && operand {
		return 0
	}
	return Sat(x)
}

// SatRow is Sat for each lane.
func SatRow(d, a *Row) {
	for i := 0; i < 32; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = sat(a[0])
		d[1] = sat(a[1])
		d[2] = sat(a[2])
		d[3] = sat(a[3])
		d[4] = sat(a[4])
		d[5] = sat(a[5])
		d[6] = sat(a[6])
		d[7] = sat(a[7])
	}
}

// sat is Sat without branches.
func sat(x uint32) uint32 {
	r := uint32(max(min(int32(x), one32), 0))
	if x&^sign32 > inf32 {
		r = NaN
	}
	return r
}
