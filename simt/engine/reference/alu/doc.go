// Package alu is the integer arithmetic of the machine, one operation for one lane: results and
// flags as in docs/isa/operations.md. The reference engine computes with it, and tests and
// proofs compare the kernels of simt/lane with it.
//
// The low width bits of an operand count; width is 16 or 32. A result of 16 bits is
// extended with zeros. Flags are the four bits of a condition register.
//
// Reading order: flags.go, add.go, mul.go, shift.go, compare.go, atomic.go.
package alu
