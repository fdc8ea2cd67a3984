package program

import "jacquard/tesla"

// Plan tells how the blocks of a wave must be interleaved.
type Plan struct {
	Reference bool   // all blocks of the wave take turns, because their order matters
	Reason    string // why, for messages
}

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
