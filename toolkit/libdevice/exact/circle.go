package exact

import "math"

// Sin returns the sine of x.
func Sin(x *Number) *Number {
	s, _ := SinCos(x)
	return s
}

// Cos returns the cosine of x.
func Cos(x *Number) *Number {
	_, c := SinCos(x)
	return c
}

// Tan returns the tangent of x.
func Tan(x *Number) *Number {
	s, c := SinCos(x)
	return Quo(s, c)
}

// SinCos returns the sine and the cosine of x. The exponent of x is at most 1024.
func SinCos(x *Number) (sin, cos *Number) {
	bits := uint(Precision + 130 + max(0, x.MantExp(nil)))
	half := Scale1(Pi(bits), -1)
	quotient := new(Number).SetPrec(bits).Quo(x, half)
	k := nearest(quotient)
	r := new(Number).SetPrec(bits).SetInt(k)
	r.Sub(x, r.Mul(r, half))
	return quadrant(zero().Set(r), int(k.Bit(0)|k.Bit(1)<<1))
}

// SinCosPi returns the sine and the cosine of pi x.
func SinCosPi(x *Number) (sin, cos *Number) {
	k := nearest(Scale(x, 1))
	bits := uint(Precision + 64 + max(0, x.MantExp(nil)))
	r := new(Number).SetPrec(bits).SetInt(k)
	r.Sub(x, Scale1(r, -1))
	return quadrant(zero().Mul(r, Pi(Precision)), int(k.Bit(0)|k.Bit(1)<<1))
}

// Scale1 is [Scale] with the precision of x.
func Scale1(x *Number, n int) *Number { return new(Number).SetMantExp(x, n) }

// quadrant returns the sine and the cosine of r + k pi/2, of bits of k as a number without sign.
func quadrant(r *Number, k int) (sin, cos *Number) {
	square := Neg(Square(r))
	sin = hypergeometric(square, fine, func(k int64) (up, down int64) { return 1, 2 * k * (2*k + 1) })
	sin.Mul(sin, r)
	cos = hypergeometric(square, fine, func(k int64) (up, down int64) { return 1, 2 * k * (2*k - 1) })
	switch k & 3 {
	case 1:
		return cos, Neg(sin)
	case 2:
		return Neg(sin), Neg(cos)
	case 3:
		return Neg(cos), sin
	}
	return sin, cos
}

// Atan returns the arc tangent of x.
func Atan(x *Number) *Number {
	if x.Sign() == 0 {
		return zero()
	}
	if x.MantExp(nil) > 2 { // pi/2 - atan(1/x)
		half := Scale(Pi(Precision), -1)
		if x.Sign() < 0 {
			half.Neg(half)
		}
		return Sub(half, Atan(Quo(Float(1), x)))
	}
	f, _ := x.Float64()
	near := Float(math.Atan(f))
	t := Tan(near)
	d := Quo(Sub(x, t), Add(Float(1), Mul(x, t))) // about 2^-53
	square := Square(d)
	sum, power := zero().Set(d), zero().Set(d)
	for k := int64(3); ; k += 2 {
		power.Neg(power.Mul(power, square))
		term := Quo(power, zero().SetInt64(k))
		if tiny(term, sum) {
			return Add(near, sum)
		}
		sum.Add(sum, term)
	}
}

// Atan2 returns the angle of the point (x, y), other than (0, 0).
func Atan2(y, x *Number) *Number {
	if x.Sign() == 0 {
		half := Scale(Pi(Precision), -1)
		if y.Sign() < 0 {
			half.Neg(half)
		}
		return half
	}
	a := Atan(Quo(y, x))
	if x.Sign() > 0 {
		return a
	}
	if y.Sign() < 0 || y.Sign() == 0 && y.Signbit() {
		return Sub(a, Pi(Precision))
	}
	return Add(a, Pi(Precision))
}

// Asin returns the arc sine of x, for x between -1 and 1.
func Asin(x *Number) *Number {
	return Atan2(x, Sqrt(Mul(Sub(Float(1), x), Add(Float(1), x))))
}

// Acos returns the arc cosine of x, for x between -1 and 1.
func Acos(x *Number) *Number {
	y := Sqrt(Mul(Sub(Float(1), x), Add(Float(1), x)))
	if y.Sign() == 0 && x.Sign() > 0 {
		return zero()
	}
	return Atan2(y, x)
}
