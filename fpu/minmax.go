package fpu

// Min returns the smaller of two f32, with denormals flushed. -0 is less than +0. One
// NaN loses against a number; two give NaN.
func Min(a, b uint32) uint32 {
	a, b = flush(a), flush(b)
	return extreme(a, b, order(a) < order(b))
}

// Max returns the larger of two f32, by the rules of Min.
func Max(a, b uint32) uint32 {
	a, b = flush(a), flush(b)
	return extreme(a, b, order(a) > order(b))
}

// extreme returns a if first is set and b if not, with Min's rules for NaN.
func extreme(a, b uint32, first bool) uint32 {
	if isNaN(a) {
		return canonical(b)
	}
	if first || isNaN(b) {
		return a
	}
	return b
}

// order maps f32 except NaN to integers of the same order, -0 below +0.
func order(x uint32) int32 {
	return int32(x ^ uint32(int32(x)>>31)>>1)
}

// MinRow is Min for each lane.
func MinRow(d, a, b *Row) {
	if !tame(a, min32, inf32+1) || !tame(b, min32, inf32+1) {
		for i := range d {
			d[i] = Min(a[i], b[i])
		}
		return
	}
	x, y, z := floats(a), floats(b), floats(d)
	for i := 0; i < 32; i += 8 {
		x, y, z := (*[8]float32)(x[i:]), (*[8]float32)(y[i:]), (*[8]float32)(z[i:])
		z[0] = min(x[0], y[0])
		z[1] = min(x[1], y[1])
		z[2] = min(x[2], y[2])
		z[3] = min(x[3], y[3])
		z[4] = min(x[4], y[4])
		z[5] = min(x[5], y[5])
		z[6] = min(x[6], y[6])
		z[7] = min(x[7], y[7])
	}
}

// MaxRow is Max for each lane.
func MaxRow(d, a, b *Row) {
	if !tame(a, min32, inf32+1) || !tame(b, min32, inf32+1) {
		for i := range d {
			d[i] = Max(a[i], b[i])
		}
		return
	}
	x, y, z := floats(a), floats(b), floats(d)
	for i := 0; i < 32; i += 8 {
		x, y, z := (*[8]float32)(x[i:]), (*[8]float32)(y[i:]), (*[8]float32)(z[i:])
		z[0] = max(x[0], y[0])
		z[1] = max(x[1], y[1])
		z[2] = max(x[2], y[2])
		z[3] = max(x[3], y[3])
		z[4] = max(x[4], y[4])
		z[5] = max(x[5], y[5])
		z[6] = max(x[6], y[6])
		z[7] = max(x[7], y[7])
	}
}

// Min64 returns the smaller of two f64. -0 is less than +0. One NaN loses against a number; two
// give the second, quieted.
func Min64(a, b uint64) uint64 { return extreme64(a, b, order64(a) < order64(b)) }

// Max64 returns the larger of two f64, by the rules of Min64.
func Max64(a, b uint64) uint64 { return extreme64(a, b, order64(a) > order64(b)) }

// extreme64 returns a if first is set and b if not, with Min64's rules for NaN.
func extreme64(a, b uint64, first bool) uint64 {
	switch {
	case isNaN64(a) && isNaN64(b):
		return b | quietBit64
	case isNaN64(a):
		return b
	case first || isNaN64(b):
		return a
	}
	return b
}

// order64 maps f64 except NaN to integers of the same order, -0 below +0.
func order64(x uint64) int64 {
	return int64(x ^ uint64(int64(x)>>63)>>1)
}
