package lane

import (
	"jacquard/fpu"
	"jacquard/tesla"
)

// The kernels under the two mode bits of a launch. No cubin can set these, so plain loops suffice.

// FMulZeroWins returns FMul for rounding mode r under MUL_ZERO_WINS: a zero or denormal factor
// makes +0 for any other factor.
func FMulZeroWins(r tesla.Round) func(d, a, b Rows, s *Sel) {
	row := func(d, a, b *Row) {
		for i := range d {
			d[i] = fpu.MulZeroWins(a[i], b[i], fpu.Round(r))
		}
	}
	return func(d, a, b Rows, s *Sel) { each2(d, a, b, s, row) }
}

// FSatNaNZero is FSat under SAT_NAN_ZERO: the NaNs in the lanes of operand become +0.
// operand[i] belongs to s.Warp[i].
func FSatNaNZero(d, a Rows, operand *[MaxWarps]Mask, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		var r Row
		for lane, x := range a.At(w) {
			r[lane] = fpu.SatNaNZero(x, operand[i]>>lane&1 != 0)
		}
		commit(d.At(w), &r, s.Mask[i])
	}
}

// NaNs adds to out[i] the lanes of s.Warp[i] in which a, of type F32 or F16, is NaN.
func NaNs(out *[MaxWarps]Mask, a Rows, t tesla.Type, s *Sel) {
	magnitude, infinity := uint32(0x7fffffff), uint32(0x7f800000)
	if t == tesla.F16 {
		magnitude, infinity = 0x7fff, 0x7c00
	}
	for i := range s.N {
		for lane, x := range a.At(int(s.Warp[i])) {
			if x&magnitude > infinity {
				out[i] |= 1 << lane
			}
		}
	}
}
