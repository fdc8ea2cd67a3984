package ptxreference

import "math"

// Accurate computes the approximate functions in f64 and rounds to f32.
type Accurate struct{}

func one(x uint32, f func(float64) float64) uint32 {
	return bits32(f(float64(math.Float32frombits(x))))
}

func bits32(x float64) uint32 {
	if x != x {
		return uint32(single.nan)
	}
	return math.Float32bits(float32(x))
}

// Div returns a / b. It is a zero of the quotient's sign, or NaN if a is infinite, for |b| above
// 2^126, as PTX says.
func (Accurate) Div(a, b uint32) uint32 {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	if m := math.Abs(y); m > 0x1p126 && !math.IsInf(y, 0) {
		x *= math.Copysign(0, y)
		return bits32(x)
	}
	return bits32(x / y)
}

// DivFull returns a / b.
func (Accurate) DivFull(a, b uint32) uint32 {
	return bits32(float64(math.Float32frombits(a)) / float64(math.Float32frombits(b)))
}

// Rcp returns 1 / x.
func (Accurate) Rcp(x uint32) uint32 { return one(x, func(v float64) float64 { return 1 / v }) }

// Rsqrt returns 1 / sqrt(x).
func (Accurate) Rsqrt(x uint32) uint32 {
	return one(x, func(v float64) float64 { return 1 / math.Sqrt(v) })
}

// Sqrt returns the square root.
func (Accurate) Sqrt(x uint32) uint32 { return one(x, math.Sqrt) }

// Sin returns the sine.
func (Accurate) Sin(x uint32) uint32 { return one(x, math.Sin) }

// Cos returns the cosine.
func (Accurate) Cos(x uint32) uint32 { return one(x, math.Cos) }

// Lg2 returns the logarithm to base 2.
func (Accurate) Lg2(x uint32) uint32 { return one(x, math.Log2) }

// Ex2 returns 2^x.
func (Accurate) Ex2(x uint32) uint32 { return one(x, math.Exp2) }

// Tanh returns the hyperbolic tangent.
func (Accurate) Tanh(x uint32) uint32 { return one(x, math.Tanh) }

// Rcp64 returns 1 / x.
func (Accurate) Rcp64(x uint64) uint64 { return math.Float64bits(1 / math.Float64frombits(x)) }

// Rsqrt64 returns 1 / sqrt(x).
func (Accurate) Rsqrt64(x uint64) uint64 {
	r := 1 / math.Sqrt(math.Float64frombits(x))
	if r != r {
		return double.nan
	}
	return math.Float64bits(r)
}
