package program

import "jacquard/tesla"

// Plan tells how finely the blocks of a wave must be interleaved.
type Plan struct {
	Reference bool   // one instruction per warp in turn, over all blocks of the wave
	Reason    string // why, for messages
}

// FreeSlice is how many rounds a block runs before the next has its turn, unless the plan is the
// reference order. It is finite so that a block may wait for another of its wave.
const FreeSlice = 1 << 16

// planFor looks for instructions whose results depend on the order of blocks: atomics that return
// the old value, and reductions that do not commute.
func planFor(code []tesla.Instruction) Plan {
	for i := range code {
		switch in := &code[i]; {
		case in.Bad != tesla.OK:
		case in.Op == tesla.OpAtom:
			return Plan{true, "the kernel uses the value an atomic returns: " + in.String()}
		case in.Op == tesla.OpRed && !commutes(in.Atom):
			return Plan{true, "the order of these reductions matters: " + in.String()}
		}
	}
	return Plan{false, "no instruction depends on the order of blocks"}
}

// commutes reports whether the order of reductions by op does not matter. Counting up or down
// commutes only if all limits are equal.
func commutes(op tesla.AtomOp) bool {
	switch op {
	case tesla.AtomAdd, tesla.AtomMin, tesla.AtomMax, tesla.AtomAnd, tesla.AtomOr, tesla.AtomXor:
		return true
	}
	return false
}

// Slice returns the number of rounds that a block runs before the next has its turn.
func (p Plan) Slice() uint64 {
	if p.Reference {
		return 1
	}
	return FreeSlice
}
