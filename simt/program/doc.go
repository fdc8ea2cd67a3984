// Package program makes a decoded kernel ready to run: it resolves once all that can be known
// before the run. A lowered program is plain data for any reader. It knows no engine, no block and
// no schedule.
//
// Reading order: kernel.go and program.go (input and output of Lower), op.go (one lowered
// instruction), operand.go (operands as rows), lower.go (how a class of operations is lowered) and
// the operands_*.go files beside it, illegal.go (hardware's refusals), effects.go (effects of an
// instruction), fork.go (short divergent code), overwrite.go, origin.go, backward.go and own.go
// (writes of memory that other warps may have yet to read), plan.go (how finely blocks
// interleave), counted.go (facts for statistics).
package program
