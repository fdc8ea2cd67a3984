package exact

import "math/big"

// far is where the asymptotic expansions of the Bessel functions begin: their least term is e^-2x.
const far = 90

// J returns the Bessel function of the first kind of order n, not negative, at x not negative.
func J(n int, x *Number) *Number {
	if x.Cmp(Float(far)) < 0 || x.Cmp(Float(float64(n))) <= 0 {
		return powers(n, x, -1)
	}
	j, _ := recur(n, x)
	return j
}

// Y returns the Bessel function of the second kind of order n, not negative, at a positive x.
func Y(n int, x *Number) *Number {
	if x.Cmp(Float(far)) >= 0 {
		_, y := recur(n, x)
		return y
	}
	y0, y1 := neumann(x)
	return up(n, x, y0, y1)
}

// recur returns J and Y of order n at a large x, by the recurrence from orders 0 and 1.
func recur(n int, x *Number) (j, y *Number) {
	j0, y0 := hankel(0, x)
	j1, y1 := hankel(1, x)
	return up(n, x, j0, j1), up(n, x, y0, y1)
}

func up(n int, x, f0, f1 *Number) *Number {
	twice := Quo(Float(2), x)
	for k := range n {
		f0, f1 = f1, Sub(Mul(Mul(twice, zero().SetInt64(int64(k+1))), f1), f0)
	}
	return f0
}

// powers sums (x/2)^n / n! (1 + sign (x/2)^2 / (n+1) + ...).
func powers(n int, x *Number, sign int64) *Number {
	half := Scale(x, -1)
	first := Float(1)
	for k := range n {
		first.Mul(first, half)
		first.Quo(first, zero().SetInt64(int64(k+1)))
	}
	quarter, bits := square(half)
	return Mul(first, hypergeometric(quarter, bits, func(k int64) (up, down int64) {
		return sign, k * (k + int64(n))
	}))
}

// square returns the square of x/2 to its last bit, and bits enough for the cancellation in power
// series of it.
func square(half *Number) (*Number, uint) {
	f, _ := half.Float64()
	return new(Number).SetPrec(2*Precision).Mul(half, half), uint(fine + int(6*f))
}

// neumann returns Y of orders 0 and 1, by the series with harmonic numbers.
func neumann(x *Number) (y0, y1 *Number) {
	half := Scale(x, -1)
	quarter, bits := square(half)
	fixed := func(x *Number) *big.Int {
		n, _ := new(Number).SetMantExp(x, int(bits)).Int(nil)
		return n
	}
	float := func(n *big.Int) *Number { return Scale(zero().SetInt(n), -int(bits)) }
	// 2/pi (J0 (log(x/2) + gamma) - sum h_k (-x^2/4)^k / k!^2), and the derivative for Y1.
	one, factor := fixed(Float(1)), fixed(quarter.Neg(quarter))
	term, h, y := new(big.Int).Set(one), new(big.Int), new(big.Int)
	var j0, j1, s0, s1 big.Int
	for k := int64(1); term.BitLen() > 1; k++ { // shifts leave -1
		by := big.NewInt(k)
		over := new(big.Int).Quo(term, by)
		j0.Add(&j0, term)
		j1.Add(&j1, over)
		s0.Add(&s0, y.Rsh(y.Mul(term, h), bits))
		sum := new(big.Int).Set(h) // h_(k-1) + h_k
		h.Add(h, y.Quo(one, by))
		sum.Add(sum, h)
		s1.Add(&s1, y.Rsh(y.Mul(over, sum), bits))
		term.Quo(term.Rsh(term.Mul(over, factor), bits), by)
	}
	logarithm := Add(Log(half), euler())
	scale := Quo(Float(2), Pi(Precision))
	y0 = Mul(scale, Sub(Mul(float(&j0), logarithm), float(&s0)))
	y1 = Mul(half, Sub(Mul(float(&j1), logarithm), Scale(float(&s1), -1)))
	return y0, Mul(scale, Sub(y1, Quo(Float(1), x)))
}

// hankel returns J and Y of a large x, by Hankel's expansion.
func hankel(n int, x *Number) (j, y *Number) {
	step := Quo(Scale(Float(1), -3), x)
	factor := Neg(Square(step))
	expansion := func(first int64) *Number {
		return hypergeometric(factor, Precision, func(k int64) (up, down int64) {
			m := 2*k + first
			return odd(n, m-1) * odd(n, m), (m - 1) * m
		})
	}
	p, q := expansion(0), Mul(Mul(step, zero().SetInt64(odd(n, 1))), expansion(1))
	// The angle is x - n pi/2 - pi/4.
	sin, cos := SinCos(x)
	for range n {
		sin, cos = Neg(cos), sin
	}
	root := Sqrt(Scale(Float(1), -1))
	s, c := Mul(root, Sub(sin, cos)), Mul(root, Add(sin, cos))
	scale := Sqrt(Quo(Float(2), Mul(Pi(Precision), x)))
	return Mul(scale, Sub(Mul(p, c), Mul(q, s))), Mul(scale, Add(Mul(p, s), Mul(q, c)))
}

// odd returns the k-th factor of the terms of the asymptotic expansions.
func odd(n int, k int64) int64 { return int64(4*n*n) - (2*k-1)*(2*k-1) }

// I returns the modified Bessel function of the first kind of order n, 0 or 1, at x not negative.
func I(n int, x *Number) *Number {
	if x.Cmp(Float(far)) < 0 {
		return powers(n, x, 1)
	}
	sum := hypergeometric(Quo(Scale(Float(1), -3), x), Precision, func(k int64) (up, down int64) {
		return -odd(n, k), k
	})
	return Mul(sum, Quo(Exp(x), Sqrt(Mul(Scale(Pi(Precision), 1), x))))
}

// Modulus returns m and p of J = m sqrt(2/(pi x)) cos(x - n pi/2 - pi/4 + p), and of Y with the
// sine; n is 0 or 1. Both are smooth functions of 1/x.
func Modulus(n int, x *Number) (m, p *Number) {
	j, y := J(n, x), Y(n, x)
	sin, cos := SinCos(x)
	for range n {
		sin, cos = Neg(cos), sin
	}
	root := Sqrt(Scale(Float(1), -1))
	s, c := Mul(root, Sub(sin, cos)), Mul(root, Add(sin, cos))
	even, odd := Add(Mul(j, c), Mul(y, s)), Sub(Mul(y, c), Mul(j, s))
	scale := Sqrt(Scale(Mul(Pi(Precision), x), -1))
	return Mul(scale, Hypot(even, odd)), Atan(Quo(odd, even))
}

// Zero returns the zero of f next to x, by the secant method.
func Zero(f func(x *Number) *Number, x float64) *Number {
	a, b := Float(x), Float(x+1e-6)
	fa := f(a)
	for range 12 {
		fb := f(b)
		if d := Sub(fb, fa); d.Sign() != 0 {
			next := Sub(b, Mul(fb, Quo(Sub(b, a), d)))
			a, fa, b = b, fb, next
		}
	}
	return b
}
