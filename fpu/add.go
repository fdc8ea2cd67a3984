package fpu

// Add returns a + b in f32, rounded once in mode RN or RZ, with denormals flushed.
func Add(a, b uint32, r Round) uint32 {
	a, b = flush(a), flush(b)
	switch x, y := uint64(a), uint64(b); {
	case isNaN(a) || isNaN(b):
		return NaN
	case single.isInf(x) && single.isInf(y) && a != b:
		return NaN
	case single.isInf(x):
		return a
	case single.isInf(y):
		return b
	default:
		sum := single.unpack(x).plus(single.unpack(y), r == RM)
		return uint32(single.round(sum, r, flushed))
	}
}
