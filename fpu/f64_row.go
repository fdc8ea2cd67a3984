package fpu

import "math"

// Row64 is a 64-bit register of one warp.
type Row64 = [32]uint64

// Add64Row is Add64 for each lane. The host rounds to nearest. Other modes, and NaNs, in which
// hosts differ, go through Add64.
func Add64Row(d, a, b *Row64, r Round) {
	for i := range d {
		x, y := a[i], b[i]
		sum := math.Float64bits(math.Float64frombits(x) + math.Float64frombits(y))
		if r != RN || isNaN64(sum) {
			sum = Add64(x, y, r)
		}
		d[i] = sum
	}
}

// Mul64Row is Mul64 for each lane.
func Mul64Row(d, a, b *Row64, r Round) {
	for i := range d {
		x, y := a[i], b[i]
		product := math.Float64bits(math.Float64frombits(x) * math.Float64frombits(y))
		if r != RN || isNaN64(product) {
			product = Mul64(x, y, r)
		}
		d[i] = product
	}
}

// Fma64Row is Fma64 for each lane.
func Fma64Row(d, a, b, c *Row64, r Round) {
	for i := range d {
		x, y, z := a[i], b[i], c[i]
		sum := math.Float64bits(math.FMA(math.Float64frombits(x), math.Float64frombits(y), math.Float64frombits(z)))
		if r != RN || isNaN64(sum) {
			sum = Fma64(x, y, z, r)
		}
		d[i] = sum
	}
}

// Min64Row is Min64 for each lane.
func Min64Row(d, a, b *Row64) {
	for i := range d {
		d[i] = Min64(a[i], b[i])
	}
}

// Max64Row is Max64 for each lane.
func Max64Row(d, a, b *Row64) {
	for i := range d {
		d[i] = Max64(a[i], b[i])
	}
}

// Compare64Row is CompareRow for f64.
func Compare64Row(a, b *Row64, cond Relation) (lanes uint32) {
	for i := range a {
		x, y := math.Float64frombits(a[i]), math.Float64frombits(b[i])
		holds := Relation(bit(x < y)) | Relation(bit(x == y))<<1 | Relation(bit(x > y))<<2
		if holds == 0 {
			holds = Unordered
		}
		lanes |= bit(holds&cond != 0) << i
	}
	return lanes
}
