// Package interp is the default engine: it executes an instruction for all warps of a selection at
// once, by one call of a kernel of simt/lane.
//
// Reading order: interp.go (Code, Engine and the loop), bind.go (the functions of an instruction),
// operand.go and address.go (operands as rows), then the exec_*.go files, one per family of
// operations: its kernels and their use. price.go counts accesses to memory.
package interp
