package fpu

// Select returns a if c >= 0 in f32, otherwise b. Zeros and denormals of either sign
// count as >= 0, a NaN selects b. The words a and b are not looked at.
func Select(a, b, c uint32) uint32 {
	c = flush(c)
	if isNaN(c) || c > sign32 {
		return b
	}
	return a
}
