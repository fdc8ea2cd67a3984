package lane

import "jacquard/sfu"

// The special functions. Negation and absolute value of a source come before, as word operations;
// the saturation of Ex2, FSat, comes after.

// Rcp is 1/a.
func Rcp(d, a Rows, s *Sel) { each1(d, a, s, sfu.RcpRow) }

// Rsqrt is 1/sqrt(a).
func Rsqrt(d, a Rows, s *Sel) { each1(d, a, s, sfu.RsqrtRow) }

// Lg2 is the binary logarithm of a.
func Lg2(d, a Rows, s *Sel) { each1(d, a, s, sfu.Lg2Row) }

// Sin is the sine of a, an angle from PreSin.
func Sin(d, a Rows, s *Sel) { each1(d, a, s, sfu.SinRow) }

// Cos is the cosine of a, an angle from PreSin.
func Cos(d, a Rows, s *Sel) { each1(d, a, s, sfu.CosRow) }

// Ex2 is 2 to the power a, a result of PreEx2.
func Ex2(d, a Rows, s *Sel) { each1(d, a, s, sfu.Ex2Row) }

// PreSin reduces a for Sin and Cos.
func PreSin(d, a Rows, s *Sel) { each1(d, a, s, sfu.PreSinRow) }

// PreEx2 reduces a for Ex2.
func PreEx2(d, a Rows, s *Sel) { each1(d, a, s, sfu.PreEx2Row) }
