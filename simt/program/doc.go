// Package program makes a decoded kernel ready to run: everything that can be known before the run
// is resolved once. A lowered program is plain data that anybody may read. It knows no engine, no
// block and no schedule.
//
// Reading order: program.go (a Program and how Lower makes one), op.go (one lowered instruction),
// operand.go (how operands find their rows), lower.go (how a class of operations is lowered) and the
// operands_*.go files beside it, illegal.go (what hardware refuses), effects.go (what an
// instruction can change), fork.go (short ways apart, known before the run), plan.go (how finely
// blocks interleave).
package program
