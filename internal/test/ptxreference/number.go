package ptxreference

import (
	"math/big"

	"jacquard/ptx"
)

// kind is the kind of a number.
type kind uint8

const (
	zero kind = iota
	finite
	infinite
	nan
)

// number is a value of unbounded precision: sig * 2^exp with a sign. If more is set, the magnitude
// is greater than that by less than one unit of sig: what division and roots leave behind.
type number struct {
	kind kind
	neg  bool
	sig  *big.Int
	exp  int
	more bool
}

func finiteOf(neg bool, sig *big.Int, exp int) number {
	if sig.Sign() == 0 {
		return number{kind: zero, neg: neg}
	}
	return number{kind: finite, neg: neg, sig: sig, exp: exp}
}

// times returns the exact product.
func (x number) times(y number) number {
	neg := x.neg != y.neg
	switch {
	case x.kind == nan || y.kind == nan,
		x.kind == infinite && y.kind == zero, x.kind == zero && y.kind == infinite:
		return number{kind: nan}
	case x.kind == infinite || y.kind == infinite:
		return number{kind: infinite, neg: neg}
	case x.kind == zero || y.kind == zero:
		return number{kind: zero, neg: neg}
	}
	return finiteOf(neg, new(big.Int).Mul(x.sig, y.sig), x.exp+y.exp)
}

// plus returns the exact sum. mode gives a zero sum its sign.
func (x number) plus(y number, mode ptx.Round) number {
	switch {
	case x.kind == nan || y.kind == nan,
		x.kind == infinite && y.kind == infinite && x.neg != y.neg:
		return number{kind: nan}
	case x.kind == infinite:
		return x
	case y.kind == infinite:
		return y
	case x.kind == zero && y.kind == zero:
		if x.neg == y.neg {
			return x
		}
		return number{kind: zero, neg: mode == ptx.RM}
	case x.kind == zero:
		return y
	case y.kind == zero:
		return x
	}
	exp := min(x.exp, y.exp)
	sum := new(big.Int).Add(x.scaled(exp), y.scaled(exp))
	if sum.Sign() == 0 {
		return number{kind: zero, neg: mode == ptx.RM}
	}
	neg := sum.Sign() < 0
	return finiteOf(neg, sum.Abs(sum), exp)
}

// scaled returns the number in units of 2^exp, with its sign. exp is at most x.exp.
func (x number) scaled(exp int) *big.Int {
	v := new(big.Int).Lsh(x.sig, uint(x.exp-exp))
	if x.neg {
		v.Neg(v)
	}
	return v
}

// over returns the quotient to at least bits bits.
func (x number) over(y number, bits int) number {
	neg := x.neg != y.neg
	switch {
	case x.kind == nan || y.kind == nan,
		x.kind == infinite && y.kind == infinite, x.kind == zero && y.kind == zero:
		return number{kind: nan}
	case x.kind == infinite || y.kind == zero:
		return number{kind: infinite, neg: neg}
	case x.kind == zero || y.kind == infinite:
		return number{kind: zero, neg: neg}
	}
	shift := max(0, bits+1+y.sig.BitLen()-x.sig.BitLen())
	q, r := new(big.Int).QuoRem(new(big.Int).Lsh(x.sig, uint(shift)), y.sig, new(big.Int))
	z := finiteOf(neg, q, x.exp-shift-y.exp)
	z.more = r.Sign() != 0
	return z
}

// root returns the square root to at least bits bits.
func (x number) root(bits int) number {
	switch {
	case x.kind == nan || x.kind == zero:
		return x
	case x.neg:
		return number{kind: nan}
	case x.kind == infinite:
		return x
	}
	shift := max(0, 2*bits+2-x.sig.BitLen())
	if (x.exp-shift)&1 != 0 {
		shift++
	}
	scaled := new(big.Int).Lsh(x.sig, uint(shift))
	r := new(big.Int).Sqrt(scaled)
	z := finiteOf(false, r, (x.exp-shift)/2)
	z.more = new(big.Int).Mul(r, r).Cmp(scaled) != 0
	return z
}

// integral returns the number rounded to an integer. A zero keeps the sign.
func (x number) integral(mode ptx.Round) number {
	if x.kind != finite || x.exp >= 0 && !x.more {
		return x
	}
	m := roundShift(x.sig, -x.exp, x.more, x.neg, mode)
	return finiteOf(x.neg, m, 0)
}

// roundShift returns sig / 2^shift rounded to an integer; more says that sig is a little too small.
func roundShift(sig *big.Int, shift int, more, neg bool, mode ptx.Round) *big.Int {
	if shift <= 0 {
		return new(big.Int).Lsh(sig, uint(-shift))
	}
	m := new(big.Int).Rsh(sig, uint(shift))
	half := sig.Bit(shift-1) != 0
	rest := more || sig.TrailingZeroBits() < uint(shift-1)
	up := false
	switch mode {
	case ptx.RZ, ptx.RZI:
	case ptx.RM, ptx.RMI:
		up = neg && (half || rest)
	case ptx.RP, ptx.RPI:
		up = !neg && (half || rest)
	case ptx.RNA:
		up = half
	default:
		up = half && (rest || m.Bit(0) != 0)
	}
	if up {
		m.Add(m, big.NewInt(1))
	}
	return m
}
