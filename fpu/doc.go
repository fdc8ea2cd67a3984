// Package fpu is the floating-point arithmetic of the machine, bit for bit: f32 with
// flushed denormals, f64, and every conversion.
//
// Values are words: uint32 and uint64 hold the bit patterns of registers, so NaN payloads and
// signed zeros survive. Each operation exists twice. The scalar function is the reference: integers
// only, written for comparison with the specification. The row function (AddRow, MadRow, ...)
// computes the 32 lanes of a warp and is fast: it uses host floating point wherever that is
// provably the same, and the reference for other lanes. Tests and fuzzing compare the two.
//
// Accuracy: exact, on the evidence of golden vectors that come from a model checked
// against boards.
//
// Reading order: round.go (modes), format.go and number.go (exact values), then add.go, mul.go and
// mad.go; nan.go, flush.go and flags.go are shared by all. convert.go leads to the conversions.
package fpu
