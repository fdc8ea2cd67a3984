package kernels

import (
	"math"
	"math/big"
)

const (
	toNearest   = big.ToNearestEven
	towardsZero = big.ToZero
)

func float(w uint32) float64 { return float64(math.Float32frombits(w)) }

// exact returns the value of finite float w, without rounding.
func exact(w uint32) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(float(w)) }

// round returns x rounded to 24 bits, as a float. x must round to a normal number or zero.
func round(x *big.Float, mode big.RoundingMode) uint32 {
	r, _ := new(big.Float).SetPrec(24).SetMode(mode).Set(x).Float32()
	return math.Float32bits(r)
}

func sum(a, b uint32, mode big.RoundingMode) uint32 {
	return round(new(big.Float).SetPrec(600).Add(exact(a), exact(b)), mode)
}

// multiplyAdd truncates the product to 24 bits before it adds.
func multiplyAdd(a, b, c uint32) uint32 {
	product := new(big.Float).SetPrec(600).Mul(exact(a), exact(b))
	product.SetMode(towardsZero).SetPrec(24)
	return round(new(big.Float).SetPrec(600).Add(product, exact(c)), toNearest)
}

func fromInteger(x uint32, mode big.RoundingMode) uint32 {
	return round(new(big.Float).SetPrec(600).SetInt64(int64(int32(x))), mode)
}

// flush turns denormals into zeros of their sign.
func flush(w uint32) uint32 {
	if w&0x7f800000 == 0 {
		return w & 0x80000000
	}
	return w
}

// larger and smaller return the other operand if one is NaN.
func larger(a, b uint32) uint32 {
	if math.IsNaN(float(a)) || float(flush(a)) < float(b) {
		return b
	}
	return flush(a)
}

func smaller(a, b uint32) uint32 {
	if math.IsNaN(float(a)) || float(flush(a)) > float(b) {
		return b
	}
	return flush(a)
}

// clamp rounds x to a float between 0 and 1; NaN stays NaN, in the machine's one form.
func clamp(x float64) uint32 {
	if math.IsNaN(x) {
		return 0x7fffffff
	}
	return math.Float32bits(float32(min(max(x, 0), 1)))
}
