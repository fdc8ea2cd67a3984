package fpu

// format describes a binary floating-point format by the widths of its fields.
type format struct{ frac, exp int }

// The formats of the machine.
var (
	half   = format{frac: 10, exp: 5}
	single = format{frac: 23, exp: 8}
	double = format{frac: 52, exp: 11}
)

// Named bit patterns.
const (
	sign32 = 1 << 31
	inf32  = 0x7f800000
	max32  = 0x7f7fffff // largest finite
	one32  = 0x3f800000
	min32  = 0x00800000 // 2^-126, the smallest number that is not flushed

	sign64 = 1 << 63
	inf64  = 0x7ff << 52
)

func (f format) sign() uint64 { return 1 << (f.frac + f.exp) }

func (f format) inf() uint64 { return (1<<f.exp - 1) << f.frac }

// bias is the exponent of 1.0 as it is stored.
func (f format) bias() int { return 1<<(f.exp-1) - 1 }

func (f format) neg(x uint64) bool { return x&f.sign() != 0 }

func (f format) abs(x uint64) uint64 { return x &^ f.sign() }

func (f format) isNaN(x uint64) bool { return f.abs(x) > f.inf() }

func (f format) isInf(x uint64) bool { return f.abs(x) == f.inf() }

func (f format) isZero(x uint64) bool { return f.abs(x) == 0 }

// withSign returns the magnitude x with the given sign.
func (f format) withSign(x uint64, neg bool) uint64 {
	if neg {
		return x | f.sign()
	}
	return x
}

// fixed returns the magnitude of a finite bit pattern, denormals included, as an integer and the
// number of its fraction bits; the number is negative if zeros follow.
func (f format) fixed(x uint64) (sig uint64, point int) {
	e := int(f.abs(x) >> f.frac)
	sig = x & (1<<f.frac - 1)
	if e == 0 {
		e = 1
	} else {
		sig |= 1 << f.frac
	}
	return sig, f.bias() + f.frac - e
}

// unpack returns the value of a finite bit pattern, denormals included.
func (f format) unpack(x uint64) number {
	sig, point := f.fixed(x)
	return numberOf(f.neg(x), wide{lo: sig}, -point)
}
