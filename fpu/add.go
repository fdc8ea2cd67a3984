package fpu

import "math"

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

// AddRow is Add in mode RN for each lane.
func AddRow(d, a, b *Row) {
	const least = (1 + 24) << 23 // sums of multiples of 2^-126 are never denormal
	if !tame(a, least, inf32) || !tame(b, least, inf32) {
		addCareful(d, a, b)
		return
	}
	x, y, z := floats(a), floats(b), floats(d)
	for i := 0; i < 32; i += 8 {
		x, y, z := (*[8]float32)(x[i:]), (*[8]float32)(y[i:]), (*[8]float32)(z[i:])
		z[0] = x[0] + y[0]
		z[1] = x[1] + y[1]
		z[2] = x[2] + y[2]
		z[3] = x[3] + y[3]
		z[4] = x[4] + y[4]
		z[5] = x[5] + y[5]
		z[6] = x[6] + y[6]
		z[7] = x[7] + y[7]
	}
}

func addCareful(d, a, b *Row) {
	for i := range d {
		d[i] = addLane(a[i], b[i])
	}
}

// addLane flushes the operands and the result of a host addition, whose denormal results are exact.
func addLane(a, b uint32) uint32 {
	x, y := math.Float32frombits(flush(a)), math.Float32frombits(flush(b))
	return canonical(flush(math.Float32bits(x + y)))
}

// SubRow is Add in mode RN for each lane, with the sign of b changed.
func SubRow(d, a, b *Row) {
	const least = (1 + 24) << 23 // as in AddRow
	if !tame(a, least, inf32) || !tame(b, least, inf32) {
		for i := range d {
			d[i] = addLane(a[i], b[i]^sign32)
		}
		return
	}
	x, y, z := floats(a), floats(b), floats(d)
	for i := 0; i < 32; i += 8 {
		x, y, z := (*[8]float32)(x[i:]), (*[8]float32)(y[i:]), (*[8]float32)(z[i:])
		z[0] = x[0] - y[0]
		z[1] = x[1] - y[1]
		z[2] = x[2] - y[2]
		z[3] = x[3] - y[3]
		z[4] = x[4] - y[4]
		z[5] = x[5] - y[5]
		z[6] = x[6] - y[6]
		z[7] = x[7] - y[7]
	}
}

// AddRowRZ is Add in mode RZ for each lane.
func AddRowRZ(d, a, b *Row) {
	for i := range d {
		d[i] = addLaneRZ(a[i], b[i])
	}
}

// addLaneRZ adds in f64 and corrects the sum towards zero by its error, which the two-sum algorithm
// finds exactly; truncating to 24 bits is then right.
func addLaneRZ(a, b uint32) uint32 {
	x := float64(math.Float32frombits(flush(a)))
	y := float64(math.Float32frombits(flush(b)))
	sum := x + y
	back := sum - x
	lost := (x - (sum - back)) + (y - back)
	s := math.Float64bits(sum)
	if lost < 0 && sum > 0 || lost > 0 && sum < 0 {
		s--
	}
	return cut(s)
}

// cut returns the bits of an f64 as an f32 in mode RZ, with denormals flushed. Only an infinite
// operand gives an infinity.
func cut(s uint64) uint32 {
	sign := uint32(s>>32) & sign32
	switch m := s &^ sign64; {
	case m > inf64:
		return NaN
	case m < inf64 && m >= (1023+128)<<52:
		return sign | max32
	case m < (1023-126)<<52:
		return sign
	}
	return math.Float32bits(float32(math.Float64frombits(s &^ dropped)))
}
