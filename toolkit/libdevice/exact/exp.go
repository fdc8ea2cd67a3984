package exact

import "math"

// Exp returns e^x.
func Exp(x *Number) *Number {
	k := nearest(Quo(x, ln2()))
	if !k.IsInt64() || k.Int64() > 1<<24 || k.Int64() < -1<<24 {
		if x.Sign() < 0 {
			return zero()
		}
		return zero().SetInf(false)
	}
	n := int(k.Int64())
	r := new(Number).SetPrec(fine).SetInt64(int64(n))
	r.Mul(ln2(), r)
	r.Sub(x, r)
	const halvings = 6
	y := series(Scale(r, -halvings))
	y.Add(y, Float(1))
	for range halvings {
		y.Mul(y, y)
	}
	return Scale(y, n)
}

// series returns e^x - 1 by its Taylor series.
func series(x *Number) *Number {
	return Mul(x, hypergeometric(x, fine, func(k int64) (up, down int64) { return 1, k + 1 }))
}

// Expm1 returns e^x - 1.
func Expm1(x *Number) *Number {
	if Abs(x).Cmp(Float(0.5)) < 0 {
		return series(x)
	}
	return Sub(Exp(x), Float(1))
}

// Exp2 returns 2^x.
func Exp2(x *Number) *Number { return Exp(Mul(x, ln2())) }

// Exp10 returns 10^x.
func Exp10(x *Number) *Number { return Exp(Mul(x, ln10())) }

// Log returns the natural logarithm of x.
func Log(x *Number) *Number {
	if d := Sub(x, Float(1)); d.Sign() == 0 || d.MantExp(nil) < -8 {
		return Log1p(d)
	}
	m := zero()
	e := x.MantExp(m)
	f, _ := m.Float64()
	near := Float(math.Log(f))
	power := Exp(near)
	y := Add(near, small(Quo(Sub(m, power), power)))
	return Add(y, Mul(ln2(), Float(float64(e))))
}

// Log1p returns the natural logarithm of 1 + x.
func Log1p(x *Number) *Number {
	if x.Sign() != 0 && x.MantExp(nil) >= -8 {
		return Log(Add(x, Float(1)))
	}
	return small(x)
}

// small returns log(1 + x) of a small x, by the series of the inverse hyperbolic tangent.
func small(x *Number) *Number {
	s := Quo(x, Add(x, Float(2)))
	square := Square(s)
	sum, power := zero().Set(s), zero().Set(s)
	for k := int64(3); ; k += 2 {
		power.Mul(power, square)
		term := Quo(power, zero().SetInt64(k))
		if tiny(term, sum) {
			return Scale(sum, 1)
		}
		sum.Add(sum, term)
	}
}

// Log2 returns the logarithm of x to base 2.
func Log2(x *Number) *Number { return Quo(Log(x), ln2()) }

// Log10 returns the logarithm of x to base 10.
func Log10(x *Number) *Number { return Quo(Log(x), ln10()) }

// Pow returns x^y for a positive x.
func Pow(x, y *Number) *Number { return Exp(Mul(y, Log(x))) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x *Number) *Number {
	e := Expm1(Abs(x)) // (e + e/(e+1)) / 2
	if !e.IsInf() {
		e = Scale(Add(e, Quo(e, Add(e, Float(1)))), -1)
	}
	if x.Sign() < 0 {
		e.Neg(e)
	}
	return e
}

// Cosh returns the hyperbolic cosine of x.
func Cosh(x *Number) *Number {
	e := Exp(Abs(x))
	return Scale(Add(e, Quo(Float(1), e)), -1)
}

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *Number) *Number {
	e := Expm1(Scale(Abs(x), 1))
	y := Float(1)
	if !e.IsInf() {
		y = Quo(e, Add(e, Float(2)))
	}
	if x.Sign() < 0 {
		return Neg(y)
	}
	return y
}

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x *Number) *Number {
	a := Abs(x)
	square := Square(a)
	y := Log1p(Add(a, Quo(square, Add(Float(1), Sqrt(Add(square, Float(1)))))))
	if x.Sign() < 0 {
		return Neg(y)
	}
	return y
}

// Acosh returns the inverse hyperbolic cosine of x, for x of at least 1.
func Acosh(x *Number) *Number {
	t := Sub(x, Float(1))
	return Log1p(Add(t, Sqrt(Mul(t, Add(t, Float(2))))))
}

// Atanh returns the inverse hyperbolic tangent of x, for x between -1 and 1.
func Atanh(x *Number) *Number {
	return Scale(Log1p(Quo(Scale(x, 1), Sub(Float(1), x))), -1)
}
