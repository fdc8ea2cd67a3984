package accuracy

import (
	"math"

	"jacquard/toolkit/libdevice/exact"
)

// format is one of float and double.
type format struct {
	digits int     // of a number
	least  int     // exponent of normal numbers, as math.Frexp has it
	beyond int     // exponent that no number has
	tiny   float64 // the least normal number if the machine makes a zero of lesser ones, else 0
	widths []int   // of segments, from the widest on: x / 2^width on either side of x
}

// The widest are as wide as a polynomial approximates the logarithm to enough digits; the
// narrowest have some 1024 numbers.
var formats = map[bool]format{
	true:  {24, -125, 129, 0x1p-126, []int{4, 9, 14}},
	false: {53, -1021, 1025, 0, []int{6, 15, 24, 33, 42}},
}

// holds reports whether all numbers near y are below the greatest of the format.
func (f format) holds(y *exact.Number) bool {
	return y != nil && !y.IsInf() && y.MantExp(nil) < f.beyond-1
}

// ErrorOf returns the error of a result in units in the last place of the truth. Beyond the range
// infinity is right. A float below the normal numbers is a zero, as Tesla makes it.
func ErrorOf(got float64, want *exact.Number, single bool) float64 {
	f := formats[single]
	e := want.MantExp(nil)
	switch {
	case got != got:
		return math.Inf(1)
	case want.IsInf() || e >= f.beyond:
		if math.IsInf(got, want.Sign()) {
			return 0
		}
		return math.Inf(1)
	case (want.Sign() == 0 || e < f.least) && math.Abs(got) <= f.tiny:
		return 0
	case want.Sign() == 0:
		e = f.least
	}
	near := exact.Float(0)
	if math.IsInf(got, 0) { // as far as the next number would be
		near = exact.Scale(exact.Float(math.Copysign(1, got)), f.beyond-1)
	} else {
		near.SetFloat64(got)
	}
	d, _ := exact.Scale(exact.Sub(near, want), f.digits-max(e, f.least)).Float64()
	return math.Abs(d)
}
