package exact

import "math/big"

// Precision is the precision of all results, in bits.
const Precision = 220

// Number is a big number. Functions of this package never change one that they are given.
type Number = big.Float

func zero() *Number { return new(Number).SetPrec(Precision) }

// Float returns a number with the value of x, which must be finite.
func Float(x float64) *Number { return zero().SetFloat64(x) }

// Add returns x + y.
func Add(x, y *Number) *Number { return zero().Add(x, y) }

// Sub returns x - y.
func Sub(x, y *Number) *Number { return zero().Sub(x, y) }

// Mul returns x * y.
func Mul(x, y *Number) *Number { return zero().Mul(x, y) }

// Quo returns x / y.
func Quo(x, y *Number) *Number { return zero().Quo(x, y) }

// Neg returns -x.
func Neg(x *Number) *Number { return zero().Neg(x) }

// Abs returns |x|.
func Abs(x *Number) *Number { return zero().Abs(x) }

// Sqrt returns the square root of x.
func Sqrt(x *Number) *Number { return zero().Sqrt(x) }

// Scale returns x * 2^n.
func Scale(x *Number, n int) *Number { return zero().SetMantExp(x, n) }

// Square returns x * x.
func Square(x *Number) *Number { return Mul(x, x) }

// Hypot returns the root of the sum of squares.
func Hypot(all ...*Number) *Number {
	sum := zero()
	for _, x := range all {
		sum.Add(sum, Square(x))
	}
	return Sqrt(sum)
}

// Cbrt returns the cubic root of x.
func Cbrt(x *Number) *Number {
	if x.Sign() == 0 {
		return zero()
	}
	e := x.MantExp(nil)
	third := floorDiv(e, 3)
	m := Scale(x, -3*third) // between 1/2 and 4
	f, _ := m.Float64()
	y := Float(cbrt(f))
	for range 3 { // y -= (y^3 - m) / 3y^2
		square := Square(y)
		y = Sub(y, Quo(Sub(Mul(square, y), m), Mul(Float(3), square)))
	}
	return Scale(y, third)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// cbrt returns a root of three digits.
func cbrt(x float64) float64 {
	y := 1.0
	if x < 0 {
		y = -1
	}
	for range 6 {
		y -= (y*y*y - x) / (3 * y * y)
	}
	return y
}

// hypergeometric returns the sum of 1 and further terms, each x up(k) / down(k) times the one
// before. The error is some 2^-bits of the greatest term.
func hypergeometric(x *Number, bits uint, ratio func(k int64) (up, down int64)) *Number {
	factor, _ := new(Number).SetMantExp(x, int(bits)).Int(nil) // in fixed point
	term := new(big.Int).Lsh(big.NewInt(1), bits)
	sum := new(big.Int).Set(term)
	var product, small, rest big.Int
	for k := int64(1); term.BitLen() > 1; k++ { // shifts leave -1
		up, down := ratio(k)
		product.Mul(term, factor)
		term.Mul(&product, small.SetInt64(up))
		product.QuoRem(term, small.SetInt64(down), &rest)
		sum.Add(sum, term.Rsh(&product, bits))
	}
	return Scale(zero().SetInt(sum), -int(bits))
}

// tiny reports whether a term no longer changes a sum.
func tiny(term, sum *Number) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-Precision-2
}

// nearest returns the integer next to x.
func nearest(x *Number) *big.Int {
	half := Scale(Float(1), -1)
	if x.Sign() < 0 {
		half.Neg(half)
	}
	n, _ := new(Number).SetPrec(x.Prec()).Add(x, half).Int(nil)
	return n
}
