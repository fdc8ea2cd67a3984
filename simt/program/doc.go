// Package program makes a decoded kernel ready to run: all that can be known before the run is
// resolved once. A lowered program is plain data for any reader. It knows no engine, no block and no
// schedule.
//
// Reading order: kernel.go and program.go (what Lower takes and makes), op.go (one lowered
// instruction), operand.go (how operands find their rows), lower.go (how a class of operations is
// lowered) and the operands_*.go files beside it, illegal.go (what hardware refuses), effects.go
// (what an instruction can change), fork.go (short divergent code), plan.go (how finely blocks
// interleave).
package program
