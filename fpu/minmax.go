package fpu

// Min returns the smaller of two f32, with denormals flushed. -0 is less than +0. One
// NaN loses against a number; two give NaN.
func Min(a, b uint32) uint32 {
	a, b = flush(a), flush(b)
	switch {
	case isNaN(a):
		return canonical(b)
	case isNaN(b):
		return a
	case order(a) < order(b):
		return a
	}
	return b
}

// Max returns the larger of two f32, by the rules of Min.
func Max(a, b uint32) uint32 {
	a, b = flush(a), flush(b)
	switch {
	case isNaN(a):
		return canonical(b)
	case isNaN(b):
		return a
	case order(a) < order(b):
		return b
	}
	return a
}

// order maps the f32 that are not NaN to integers of the same order, -0 below +0.
func order(x uint32) int32 {
	return int32(x ^ uint32(int32(x)>>31)>>1)
}
