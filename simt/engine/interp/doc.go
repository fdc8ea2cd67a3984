// Package interp is the usual engine: it executes an instruction for all warps of a selection at once,
// by one call of a kernel of simt/lane.
//
// Reading order: interp.go (Code, Engine and the loop), bind.go (what executes an instruction), operand.go
// and address.go (how operands become rows), then the exec_*.go files, one family of operations each:
// which kernels a family takes, and what it does with them. price.go counts accesses to
// memory.
package interp
