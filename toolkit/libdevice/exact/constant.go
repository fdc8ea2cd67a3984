package exact

import (
	"math/big"
	"sync"
)

// most is the precision of constants: enough to reduce the greatest double by pi.
const most = 1600

// Pi returns pi with bits of precision, at most 1600.
func Pi(bits uint) *Number { return new(Number).SetPrec(bits).Set(pi()) }

// pi by Machin's formula: pi = 16 atan(1/5) - 4 atan(1/239).
var pi = sync.OnceValue(func() *Number {
	scaled := new(big.Int).Sub(new(big.Int).Mul(big.NewInt(16), arccot(5)),
		new(big.Int).Mul(big.NewInt(4), arccot(239)))
	return fixed(scaled)
})

// ln2 = 18 arcoth(26) - 2 arcoth(4801) + 8 arcoth(8749).
var ln2 = sync.OnceValue(func() *Number {
	sum := new(big.Int).Mul(big.NewInt(18), arcoth(26))
	sum.Sub(sum, new(big.Int).Mul(big.NewInt(2), arcoth(4801)))
	sum.Add(sum, new(big.Int).Mul(big.NewInt(8), arcoth(8749)))
	return fixed(sum).SetPrec(fine)
})

var (
	ln10   = sync.OnceValue(func() *Number { return Log(Float(10)) })
	log2Pi = sync.OnceValue(func() *Number { return Log(Scale(Pi(Precision), 1)) })
	sqrtPi = sync.OnceValue(func() *Number { return Sqrt(Pi(Precision)) })
)

// fine is the precision of steps on the way to a result.
const fine = Precision + 64

// guard is the number of extra bits of a fixed-point number, beyond the bits of a constant.
const guard = 64

func fixed(x *big.Int) *Number {
	return new(Number).SetPrec(most).SetMantExp(new(Number).SetPrec(most).SetInt(x), -most-guard)
}

func arccot(n int64) *big.Int { return inverse(n, -1) }
func arcoth(n int64) *big.Int { return inverse(n, 1) }

// inverse returns the sum of sign^k / ((2k+1) n^(2k+1)), in fixed point.
func inverse(n, sign int64) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), most+guard)
	power.Quo(power, big.NewInt(n))
	sum, square := new(big.Int).Set(power), big.NewInt(n*n)
	for k := int64(1); power.Sign() != 0; k++ {
		power.Quo(power, square)
		term := new(big.Int).Quo(power, big.NewInt(2*k+1))
		if sign < 0 && k%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	return sum
}

// euler is Euler's constant, by the algorithm of Brent and McMillan with n = 64: I0(2n) and its
// companion of harmonic numbers. The error is below e^-8n.
var euler = sync.OnceValue(func() *Number {
	const n = 64
	const bits = fine
	at := func() *Number { return new(Number).SetPrec(bits) }
	term, a, b, h := at().SetInt64(1), at(), at().SetInt64(1), at()
	for k := int64(1); ; k++ {
		term.Mul(term, at().SetInt64(n*n))
		term.Quo(term, at().SetInt64(k*k))
		h.Add(h, at().Quo(at().SetInt64(1), at().SetInt64(k)))
		a.Add(a, at().Mul(term, h))
		b.Add(b, term)
		if term.MantExp(nil) < -bits {
			break
		}
	}
	logN := at().Mul(at().Set(ln2()), at().SetInt64(6))
	return zero().Sub(at().Quo(a, b), logN)
})

// bernoulli returns B(2k) / (2k (2k-1)) for k from 1 to 60, the coefficients of Stirling's series.
var bernoulli = sync.OnceValue(func() []*Number {
	const n = 121
	b := make([]*big.Rat, n+1) // by the triangle of Akiyama and Tanigawa
	var all []*Number
	for m := range n + 1 {
		b[m] = big.NewRat(1, int64(m+1))
		for j := m; j > 0; j-- {
			b[j-1] = new(big.Rat).Sub(b[j-1], b[j])
			b[j-1].Mul(b[j-1], big.NewRat(int64(j), 1))
		}
		if m > 0 && m%2 == 0 {
			all = append(all, zero().SetRat(new(big.Rat).Mul(b[0], big.NewRat(1, int64(m*(m-1))))))
		}
	}
	return all
})
