package fpu

// Min64 returns the smaller of two f64. -0 is less than +0. One NaN loses against a
// number; of two the second is returned, quieted.
func Min64(a, b uint64) uint64 {
	switch {
	case isNaN64(a) && isNaN64(b):
		return b | quietBit64
	case isNaN64(a):
		return b
	case isNaN64(b):
		return a
	case order64(a) < order64(b):
		return a
	}
	return b
}

// Max64 returns the larger of two f64, by the rules of Min64.
func Max64(a, b uint64) uint64 {
	switch {
	case isNaN64(a) && isNaN64(b):
		return b | quietBit64
	case isNaN64(a):
		return b
	case isNaN64(b):
		return a
	case order64(a) < order64(b):
		return b
	}
	return a
}

// Compare64 returns the relation of a to b in f64. Zeros are equal.
func Compare64(a, b uint64) Relation {
	switch {
	case isNaN64(a) || isNaN64(b):
		return Unordered
	case a == b || (a|b)&^sign64 == 0:
		return Equal
	case order64(a) < order64(b):
		return Less
	}
	return Greater
}

// order64 maps the f64 that are not NaN to integers of the same order, -0 below +0.
func order64(x uint64) int64 {
	return int64(x ^ uint64(int64(x)>>63)>>1)
}
