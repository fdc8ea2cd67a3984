package library_test

import (
	"math"
	"math/big"
)

// rounding is a rounding mode of PTX.
type rounding struct {
	name string
	mode big.RoundingMode
}

var roundings = []rounding{{"rn", big.ToNearestEven}, {"rz", big.ToZero},
	{"rm", big.ToNegativeInf}, {"rp", big.ToPositiveInf}}

const (
	nan32 = 0x7fffffff
	inf32 = 0x7f800000
)

// flush32 makes a subnormal f32 a zero.
func flush32(x uint32) uint32 {
	if x&0x7f800000 == 0 {
		return x & (1 << 31)
	}
	return x
}

func number(x uint64) float64 {
	return float64(math.Float32frombits(flush32(uint32(x))))
}

// round32 rounds a number, which is exact if beyond is 0, else nearer to zero than the truth (1) or
// farther (-1) by less than one unit of f64. There are no subnormal results.
func round32(x float64, beyond int, mode big.RoundingMode) uint32 {
	if x != x {
		return nan32
	}
	b := math.Float64bits(x)
	sign := uint32(b>>63) << 31
	m := b &^ (1 << 63)
	if m == 0 {
		return sign
	}
	if math.IsInf(x, 0) {
		return sign | inf32
	}
	if beyond < 0 {
		m--
	}
	exp := int(m>>52) - 1023
	kept, rest := m>>29&0x7fffff|0x800000, m&(1<<29-1)<<1
	if beyond != 0 {
		rest |= 1
	}
	up := rest != 0
	switch mode {
	case big.ToNearestEven:
		up = rest > 1<<29 || rest == 1<<29 && kept&1 != 0
	case big.ToZero:
		up = false
	case big.ToNegativeInf:
		up = up && sign != 0
	case big.ToPositiveInf:
		up = up && sign == 0
	}
	if up {
		kept++
	}
	if kept>>24 != 0 {
		kept, exp = kept>>1, exp+1
	}
	switch {
	case exp < -126:
		return sign
	case exp > 127:
		return sign | largest32(sign != 0, mode)
	}
	return sign | uint32(exp+127)<<23 | uint32(kept)&0x7fffff
}

// largest32 is the result for a magnitude beyond the range.
func largest32(neg bool, mode big.RoundingMode) uint32 {
	if mode == big.ToZero || mode == big.ToNegativeInf && !neg || mode == big.ToPositiveInf && neg {
		return inf32 - 1
	}
	return inf32
}

// residue says where the truth lies beside x: 1 if it has a greater magnitude.
func residue(x, rest float64) int {
	switch {
	case rest == 0 || rest != rest:
		return 0
	case (rest > 0) == (x > 0):
		return 1
	}
	return -1
}

// div32 divides two f32. The f64 quotient of two f32 is never subnormal.
func div32(a, b uint64, mode big.RoundingMode) uint32 {
	x, y := number(a), number(b)
	q := x / y
	rest := -math.FMA(q, y, -x)
	if y < 0 {
		rest = -rest
	}
	return round32(q, residue(q, rest), mode)
}

func sqrt32(a uint64, mode big.RoundingMode) uint32 {
	x := number(a)
	q := math.Sqrt(x)
	return round32(q, residue(q, -math.FMA(q, q, -x)), mode)
}

// add64 adds two f64 exactly: a sum and its error.
func add64(x, y float64) (sum, rest float64) {
	sum = x + y
	t := sum - x
	return sum, (x - (sum - t)) + (y - t)
}

// fma32 multiplies and adds three f32. The product of two f32 is an f64.
func fma32(a, b, c uint64, mode big.RoundingMode) uint32 {
	p, z := number(a)*number(b), number(c)
	sum, rest := add64(p, z)
	if sum == 0 && rest == 0 && p != 0 || p == 0 && z == 0 && math.Signbit(p) != math.Signbit(z) {
		if mode == big.ToNegativeInf {
			return 1 << 31
		}
		return 0
	}
	return round32(sum, residue(sum, rest), mode)
}
