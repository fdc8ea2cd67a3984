package exact

import "math"

// Erf returns the error function of x.
func Erf(x *Number) *Number {
	if Abs(x).Cmp(Float(4)) > 0 {
		if x.Sign() < 0 {
			return Neg(Erf(Neg(x)))
		}
		return Sub(Float(1), Erfc(x))
	}
	return inner(x)
}

// inner sums 2/sqrt(pi) e^-x^2 (x + 2x^3/3 + 4x^5/15 + ...). All terms have the same sign.
func inner(x *Number) *Number {
	twice := Scale(Square(x), 1)
	sum := hypergeometric(twice, fine, func(k int64) (up, down int64) { return 1, 2*k + 1 })
	return Mul(Mul(x, sum), derivative(x))
}

// Erfc returns 1 - erf(x).
func Erfc(x *Number) *Number {
	if x.Cmp(Float(4)) <= 0 {
		return Sub(Float(1), Erf(x))
	}
	return Mul(Erfcx(x), Exp(Neg(Square(x))))
}

// Erfcx returns e^x^2 erfc(x).
func Erfcx(x *Number) *Number {
	if x.Cmp(Float(4)) <= 0 {
		return Mul(Exp(Square(x)), Erfc(x))
	}
	// The continued fraction x + 1/2/(x + 1/(x + 3/2/(x + 2/(x + ...)))).
	f, _ := x.Float64()
	levels := int(Precision*Precision/(16*f*f)) + 20
	y := zero().Set(x)
	for k := levels; k > 0; k-- {
		y = Add(x, Quo(Float(float64(k)/2), y))
	}
	return Quo(Float(1), Mul(y, sqrtPi()))
}

// Erfinv returns x with erf(x) = y, for y between -1 and 1.
func Erfinv(y *Number) *Number {
	if Abs(y).Cmp(Float(0.5)) > 0 {
		if y.Sign() < 0 {
			return Neg(Erfcinv(Add(Float(1), y)))
		}
		return Erfcinv(Sub(Float(1), y))
	}
	if y.Sign() == 0 {
		return zero()
	}
	f, _ := y.Float64()
	x := Float(math.Erfinv(f))
	return improve(x, Sub(Erf(x), y))
}

// Erfcinv returns x with erfc(x) = y, for y between 0 and 2.
func Erfcinv(y *Number) *Number {
	if y.Cmp(Float(1)) > 0 {
		return Neg(Erfcinv(Sub(Float(2), y)))
	}
	if y.Cmp(Float(0.5)) > 0 {
		return Erfinv(Sub(Float(1), y))
	}
	b := Float(tail(y))
	for range 2 {
		b = improve(b, Sub(y, Erfc(b)))
	}
	return b
}

// tail returns a number near the inverse of erfc at y, at most 1/2, by Newton's method on the
// logarithm of erfc.
func tail(y *Number) float64 {
	want, _ := Log(y).Float64()
	x := math.Sqrt(-want)
	for range 40 {
		scaled := erfcx(x)
		x += scaled * (math.Log(scaled) - x*x - want) * math.Sqrt(math.Pi) / 2
	}
	return x
}

// erfcx returns e^x^2 erfc(x) of a positive number.
func erfcx(x float64) float64 {
	if x < 3 {
		return math.Exp(x*x) * math.Erfc(x)
	}
	y := x
	for k := 60; k > 0; k-- {
		y = x + float64(k)/2/y
	}
	return 1 / (y * math.Sqrt(math.Pi))
}

// improve is a step of Halley's method for erf(x) = y. The excess is erf(x) - y.
func improve(x, excess *Number) *Number {
	u := Quo(excess, derivative(x))
	return Sub(x, Quo(u, Add(Float(1), Mul(x, u))))
}

// derivative is the derivative of erf.
func derivative(x *Number) *Number {
	return Quo(Scale(Exp(Neg(Square(x))), 1), sqrtPi())
}

// Normcdf returns the normal distribution's probability below x.
func Normcdf(x *Number) *Number {
	return Scale(Erfc(Neg(Quo(x, Sqrt(Float(2))))), -1)
}

// Normcdfinv returns the x below which the normal distribution has probability p.
func Normcdfinv(p *Number) *Number { return Neg(Mul(Sqrt(Float(2)), Erfcinv(Scale(p, 1)))) }
