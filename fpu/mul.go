package fpu

import "math"

// Mul returns a * b in f32, rounded once in mode RN or RZ, with denormals flushed.
func Mul(a, b uint32, r Round) uint32 {
	a, b = flush(a), flush(b)
	x, y := uint64(a), uint64(b)
	sign := (a ^ b) & sign32
	anyInf := single.isInf(x) || single.isInf(y)
	anyZero := single.isZero(x) || single.isZero(y)
	switch {
	case isNaN(a) || isNaN(b) || anyInf && anyZero:
		return NaN
	case anyInf:
		return sign | inf32
	case anyZero:
		return sign
	default:
		return uint32(single.round(single.unpack(x).times(single.unpack(y)), r, flushed))
	}
}

// MulZeroWins is Mul under the mode bit MUL_ZERO_WINS: a zero or denormal factor makes the product
// +0 for any other factor.
func MulZeroWins(a, b uint32, r Round) uint32 {
	if a&inf32 == 0 || b&inf32 == 0 {
		return 0
	}
	return Mul(a, b, r)
}

// MulRow is Mul in mode RN for each lane.
func MulRow(d, a, b *Row) {
	const least = (127 - 63) << 23 // products of factors from 2^-63 on are normal
	if !tame(a, least, inf32) || !tame(b, least, inf32) {
		mulCareful(d, a, b)
		return
	}
	x, y, z := floats(a), floats(b), floats(d)
	for i := 0; i < 32; i += 8 {
		x, y, z := (*[8]float32)(x[i:]), (*[8]float32)(y[i:]), (*[8]float32)(z[i:])
		z[0] = x[0] * y[0]
		z[1] = x[1] * y[1]
		z[2] = x[2] * y[2]
		z[3] = x[3] * y[3]
		z[4] = x[4] * y[4]
		z[5] = x[5] * y[5]
		z[6] = x[6] * y[6]
		z[7] = x[7] * y[7]
	}
}

func mulCareful(d, a, b *Row) {
	for i := range d {
		d[i] = mulLane(a[i], b[i])
	}
}

// mulLane flushes the operands and the result of a host multiplication. The host rounds tiny
// products to the denormal grid, and so reaches 2^-126 a little too early.
func mulLane(a, b uint32) uint32 {
	x, y := math.Float32frombits(flush(a)), math.Float32frombits(flush(b))
	r := math.Float32bits(x * y)
	if r&^sign32 == min32 {
		return Mul(a, b, RN)
	}
	return canonical(flush(r))
}

// MulRowRZ is Mul in mode RZ for each lane.
func MulRowRZ(d, a, b *Row) {
	for i := range d {
		x := float64(math.Float32frombits(flush(a[i])))
		y := float64(math.Float32frombits(flush(b[i])))
		d[i] = cut(math.Float64bits(x * y)) // the f64 product is exact
	}
}
