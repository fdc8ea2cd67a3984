// Package fpu is the floating-point arithmetic of the machine, bit for bit: f32 with
// flushed denormals, f64, and every conversion.
//
// Values are words: uint32 and uint64 hold the bit patterns of registers, and so NaN
// payloads and signed zeros survive. Each operation exists twice. The scalar function is
// the reference: integers only, written to be compared with the specification. The row
// function (AddRow, MadRow, ...) computes the 32 lanes of a warp and is fast: host
// floating point wherever that is provably the same, the reference for the lanes where
// it is not. Tests and fuzzing compare the two.
//
// Accuracy: exact, on the evidence of golden vectors that come from a model checked
// against boards.
//
// Reading order: round.go (modes), format.go and number.go (exact values), then
// add.go, mul.go and mad.go; nan.go, flush.go and flags.go own what all share. convert.go
// leads to the conversions.
package fpu
