package fpu

// Round is a rounding mode; the values are the machine's 2-bit code.
type Round uint8

// The rounding modes.
const (
	RN Round = iota // to nearest, ties to even
	RM              // towards minus infinity
	RP              // towards plus infinity
	RZ              // towards zero
)

// mirror returns the mode whose effect on the magnitude of a value with the given sign is r's
// effect on the value.
func (r Round) mirror(neg bool) Round {
	switch {
	case neg && r == RM:
		return RP
	case neg && r == RP:
		return RM
	}
	return r
}

// shiftRound returns sig / 2^n rounded to an integer in mode r; sig is a magnitude. The quotient
// must fit in 64 bits.
func shiftRound(sig wide, n int, r Round) uint64 {
	if n <= 0 {
		return sig.shl(-n).lo
	}
	n = min(n, 128) // the quotient is less than 1/2 anyway
	q := sig.shr(n).lo
	fraction := sig.shl(128 - n)
	tie := fraction.hi>>63 == 1             // the first bit below the quotient
	rest := fraction.hi<<1|fraction.lo != 0 // anything below that
	if r.up(q, tie, rest) {
		q++
	}
	return q
}

// shiftRoundWord is shiftRound for a magnitude of less than 64 bits.
func shiftRoundWord(sig uint64, n int, r Round) uint64 {
	if n <= 0 {
		return sig << -n
	}
	n = min(n, 64)
	q, fraction := sig>>n, sig<<(64-n)
	if r.up(q, fraction>>63 == 1, fraction<<1 != 0) {
		q++
	}
	return q
}

// up reports whether a magnitude is rounded up from q. tie is the first bit cut off, rest whether
// any bit below it is set.
func (r Round) up(q uint64, tie, rest bool) bool {
	switch r {
	case RN:
		return tie && (rest || q&1 == 1)
	case RP:
		return tie || rest
	}
	return false
}

// tiny selects the treatment of results below the smallest normal number.
type tiny uint8

const (
	gradual tiny = iota // rounded to a denormal
	flushed             // a zero of the sign, decided after rounding with unbounded exponent
)

// round returns x in format f, rounded once.
func (f format) round(x number, r Round, t tiny) uint64 {
	if x.isZero() {
		return f.withSign(0, x.neg)
	}
	r = r.mirror(x.neg)
	e := x.exp + f.bias() // the stored exponent, before a carry of the rounding
	drop := top - f.frac
	if e < 1 && t == gradual {
		drop += 1 - e
		e = 1
	}
	// The hidden one of the significand adds 1 to the exponent field, and so does a carry.
	m := shiftRound(x.sig, drop, r)
	switch stored := (e - 1) + int(m>>f.frac); {
	case stored < 1 && t == flushed:
		m = 0
	case stored >= 1<<f.exp-1:
		m = f.overflow(r)
	default:
		m += uint64(e-1) << f.frac
	}
	return f.withSign(m, x.neg)
}

// overflow returns the magnitude in place of one too large; r is mirrored already.
func (f format) overflow(r Round) uint64 {
	if r == RM || r == RZ {
		return f.inf() - 1
	}
	return f.inf()
}

// integral returns x rounded in mode r to a value without fraction; zeros, infinities and NaN are
// unchanged. The sign survives: -0.5 becomes -0.
func (f format) integral(x uint64, r Round) uint64 {
	if f.isZero(x) || f.abs(x) >= f.inf() {
		return x
	}
	sig, point := f.fixed(x)
	if point <= 0 {
		return x
	}
	neg := f.neg(x)
	m := shiftRoundWord(sig, point, r.mirror(neg))
	return f.round(integer(neg, m), RZ, gradual)
}
