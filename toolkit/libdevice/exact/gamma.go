package exact

// Lgamma returns log |gamma(x)|. x is no pole.
func Lgamma(x *Number) *Number {
	if x.Cmp(Float(0.5)) < 0 { // pi / |sin(pi x) gamma(1 - x)|
		sin, _ := SinCosPi(x)
		return Sub(Log(Quo(Pi(Precision), Abs(sin))), Lgamma(Sub(Float(1), x)))
	}
	z, product := shift(x)
	return Sub(stirling(z), Log(product))
}

// Gamma returns the gamma function of x. x must not be a pole.
func Gamma(x *Number) *Number {
	if x.Cmp(Float(0.5)) < 0 {
		sin, _ := SinCosPi(x)
		return Quo(Pi(Precision), Mul(sin, Gamma(Sub(Float(1), x))))
	}
	z, product := shift(x)
	return Quo(Exp(stirling(z)), product)
}

// shift returns x + n, large enough for Stirling's series, and the product x (x+1) ... (x+n-1).
func shift(x *Number) (z, product *Number) {
	z, product = zero().Set(x), Float(1)
	for z.Cmp(Float(40)) < 0 {
		product = Mul(product, z)
		z = Add(z, Float(1))
	}
	return z, product
}

// stirling returns log gamma(z) of z not less than 40.
func stirling(z *Number) *Number {
	sum := Mul(Sub(z, Float(0.5)), Log(z))
	sum.Sub(sum, z)
	sum.Add(sum, Scale(log2Pi(), -1))
	power := Quo(Float(1), z)
	inverse := Square(power)
	for _, b := range bernoulli() {
		term := Mul(b, power)
		sum.Add(sum, term)
		if tiny(term, sum) {
			break
		}
		power.Mul(power, inverse)
	}
	return sum
}
