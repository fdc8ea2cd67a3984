package branch

import "jacquard/simt/cfg"

// Kernel is what a scheme may know of a kernel before it runs.
type Kernel struct {
	Code []Instruction

	// Graph returns the control flow of the code. It is computed when first asked for, once
	// a kernel, and belongs to all who ask. A kernel without code has a graph without
	// functions. The blocks name instructions by their place in Code.
	Graph func() *cfg.Graph
}

// Instruction is an instruction's place and its control event.
type Instruction struct {
	PC, Next uint32
	Kind     EventKind // 0 if it is no control instruction
	Target   uint32    // of those that have one in the code
	Indirect bool      // the target is known only when it runs
	Guarded  bool      // not all active lanes may take part
	Join     bool      // it carries the join marker
}
