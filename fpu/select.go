package fpu

// Select returns a if c >= 0 in f32, otherwise b. Zeros and denormals of either sign count as >= 0;
// a NaN selects b. a and b are words, not numbers.
func Select(a, b, c uint32) uint32 {
	c = flush(c)
	if isNaN(c) || c > sign32 {
		return b
	}
	return a
}

// SelectRow is Select for each lane.
func SelectRow(d, a, b, c *Row) {
	for i := 0; i < 32; i += 8 {
		d, a, b, c := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:]), (*[8]uint32)(c[i:])
		d[0] = choose(a[0], b[0], c[0])
		d[1] = choose(a[1], b[1], c[1])
		d[2] = choose(a[2], b[2], c[2])
		d[3] = choose(a[3], b[3], c[3])
		d[4] = choose(a[4], b[4], c[4])
		d[5] = choose(a[5], b[5], c[5])
		d[6] = choose(a[6], b[6], c[6])
		d[7] = choose(a[7], b[7], c[7])
	}
}

// choose is Select without branches.
func choose(a, b, c uint32) uint32 {
	r := b
	if c <= inf32 {
		r = a
	}
	if c-sign32 < min32 {
		r = a
	}
	return r
}
