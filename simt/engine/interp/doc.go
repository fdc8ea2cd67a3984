// Package interp is the interpreter: it executes one instruction after the other for a warp, or for
// the warps of a mixed issue, each by a call of a kernel of simt/lane. It runs on every host. The
// translator leaves to it what has no code.
//
// Reading order: interp.go (Code, Engine and the loop), bind.go (the functions of an instruction),
// operand.go and address.go (operands as rows), then the exec_*.go files, one per family of
// operations: its kernels and their use. price.go counts accesses to memory.
package interp
