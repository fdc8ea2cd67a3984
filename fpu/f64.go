package fpu

// Add64 returns a + b in f64, correctly rounded, denormals included.
func Add64(a, b uint64, r Round) uint64 {
	if nan, ok := propagate(b, a); ok {
		return nan
	}
	switch {
	case double.isInf(a) && double.isInf(b) && a != b:
		return invalid64
	case double.isInf(a):
		return a
	case double.isInf(b):
		return b
	}
	return double.round(double.unpack(a).plus(double.unpack(b), r == RM), r, gradual)
}

// Mul64 returns a * b in f64, correctly rounded, denormals included.
func Mul64(a, b uint64, r Round) uint64 {
	if nan, ok := propagate(b, a); ok {
		return nan
	}
	anyInf := double.isInf(a) || double.isInf(b)
	anyZero := double.isZero(a) || double.isZero(b)
	switch sign := (a ^ b) & sign64; {
	case anyInf && anyZero:
		return invalid64
	case anyInf:
		return sign | inf64
	case anyZero:
		return sign
	}
	return double.round(double.unpack(a).times(double.unpack(b)), r, gradual)
}

// Fma64 returns a * b + c in f64, rounded once, denormals included.
func Fma64(a, b, c uint64, r Round) uint64 {
	if nan, ok := propagate(b, c, a); ok {
		return nan // also for an infinity times zero
	}
	sign := (a ^ b) & sign64
	infProduct := double.isInf(a) || double.isInf(b)
	zeroProduct := double.isZero(a) || double.isZero(b)
	switch {
	case infProduct && zeroProduct,
		infProduct && double.isInf(c) && sign != c&sign64:
		return invalid64
	case infProduct:
		return sign | inf64
	case double.isInf(c):
		return c
	}
	product := number{neg: sign != 0}
	if !zeroProduct {
		product = double.unpack(a).times(double.unpack(b))
	}
	return double.round(product.plus(double.unpack(c), r == RM), r, gradual)
}
