package fpu

// flush turns an f32 denormal into a zero of its sign. f32 arithmetic applies it to its operands
// and results; f64 is never flushed.
func flush(x uint32) uint32 {
	if x&inf32 == 0 {
		x &= sign32
	}
	return x
}

// flushRow returns the row with its denormals flushed.
func flushRow(a *Row) (r Row) {
	for i := range r {
		r[i] = flush(a[i])
	}
	return r
}
