package simt

import "jacquard/tesla"

// Plan says how finely the blocks of a wave must be interleaved.
type Plan struct {
	Reference bool   // one instruction a warp in turn over all blocks of the wave
	Reason    string // why, for people
}

// freeSlice is how far a block runs on before the next has its turn when the plan is
// free. It is finite so that a block may wait for another of its wave.
const freeSlice = 1 << 16

// planFor looks for what makes results depend on the order of blocks. Reductions without
// a result commute; an atomic that returns the old value, or replaces it, does not.
func planFor(code []tesla.Instruction) Plan {
	for i := range code {
		if in := &code[i]; in.Op == tesla.OpAtom && in.Bad == tesla.OK {
			return Plan{true, "the kernel uses the value an atomic returns: " + in.String()}
		}
	}
	return Plan{false, "no instruction depends on the order of blocks"}
}

// slice returns the number of rounds a block runs before the next one's turn.
func (p Plan) slice() uint64 {
	if p.Reference {
		return 1
	}
	return freeSlice
}
