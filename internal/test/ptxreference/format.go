package ptxreference

import (
	"math/big"

	"jacquard/ptx"
)

// format is a binary format of floating-point numbers.
type format struct {
	bits int    // of a word
	prec int    // bits of a significand, with the leading one
	emin int    // exponent of the smallest normal number
	emax int    // exponent of the largest number
	nan  uint64 // the NaN that operations return
}

// The NaNs of f16, bf16 and f32 are canonical. The NaN of f64 is Tesla's result of an invalid
// operation; a NaN operand is passed through (see nan64).
var (
	half   = &format{bits: 16, prec: 11, emin: -14, emax: 15, nan: 0x7fff}
	brain  = &format{bits: 16, prec: 8, emin: -126, emax: 127, nan: 0x7fff}
	single = &format{bits: 32, prec: 24, emin: -126, emax: 127, nan: 0x7fffffff}
	double = &format{bits: 64, prec: 53, emin: -1022, emax: 1023, nan: 0xfff8000000000000}
)

// formatOf returns the format of a type or of a half of it, nil if the type is no float.
func formatOf(t ptx.Type) *format {
	switch t {
	case ptx.F16, ptx.F16x2:
		return half
	case ptx.BF16, ptx.BF16x2:
		return brain
	case ptx.F32:
		return single
	case ptx.F64:
		return double
	}
	return nil
}

func (f *format) sign() uint64     { return 1 << (f.bits - 1) }
func (f *format) fraction() uint64 { return 1<<(f.prec-1) - 1 }
func (f *format) infinity() uint64 { return f.sign() - 1 - f.fraction() }
func (f *format) largest() uint64  { return f.infinity() - 1 }
func (f *format) one() uint64      { return uint64(-f.emin+1) << (f.prec - 1) }

func (f *format) isNaN(x uint64) bool       { return x&^f.sign() > f.infinity() }
func (f *format) isSubnormal(x uint64) bool { return x&^f.sign() <= f.fraction() }

// flush returns x, or zero of its sign if x is subnormal.
func (f *format) flush(x uint64) uint64 {
	if f.isSubnormal(x) {
		return x & f.sign()
	}
	return x
}

// decode returns the value of x.
func (f *format) decode(x uint64) number {
	neg, m := x&f.sign() != 0, x&^f.sign()
	switch {
	case m > f.infinity():
		return number{kind: nan, neg: neg}
	case m == f.infinity():
		return number{kind: infinite, neg: neg}
	}
	sig, exp := m&f.fraction(), f.emin-f.prec+1
	if e := int(m >> (f.prec - 1)); e > 0 {
		sig, exp = sig|(f.fraction()+1), exp+e-1
	}
	return finiteOf(neg, new(big.Int).SetUint64(sig), exp)
}

// encode rounds x. With ftz a result below the normal range is a zero; x is then rounded as if the
// range had no end, so what rounds up to the smallest normal number stays.
func (f *format) encode(x number, mode ptx.Round, ftz bool) uint64 {
	sign := uint64(0)
	if x.neg {
		sign = f.sign()
	}
	switch x.kind {
	case nan:
		return f.nan
	case infinite:
		return sign | f.infinity()
	case zero:
		return sign
	}
	unit := x.exp + x.sig.BitLen() - f.prec
	if least := f.emin - f.prec + 1; !ftz {
		unit = max(unit, least)
	}
	m := roundShift(x.sig, unit-x.exp, x.more, x.neg, mode).Uint64()
	if m>>f.prec != 0 {
		m, unit = m>>1, unit+1
	}
	e := unit + f.prec - 1
	switch {
	case e > f.emax:
		return sign | f.overflow(x.neg, mode)
	case e < f.emin: // ftz alone
		return sign
	case m <= f.fraction(): // subnormal, or zero
		return sign | m
	}
	return sign | uint64(e-f.emin+1)<<(f.prec-1) | m&f.fraction()
}

// overflow returns the result for a number beyond the range.
func (f *format) overflow(neg bool, mode ptx.Round) uint64 {
	if mode == ptx.RZ || mode == ptx.RM && !neg || mode == ptx.RP && neg {
		return f.largest()
	}
	return f.infinity()
}

// saturate clamps x to [0, 1]. A NaN becomes 0, or stays one.
func (f *format) saturate(x uint64, keepNaN bool) uint64 {
	switch {
	case keepNaN && f.isNaN(x):
		return f.nan
	case f.isNaN(x) || x&f.sign() != 0:
		return 0
	case x > f.one():
		return f.one()
	}
	return x
}
