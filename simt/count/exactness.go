package count

import (
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Executed counts executed instructions.
type Executed struct {
	WarpInstructions   uint64
	ThreadInstructions uint64
}

// ByExactness splits the warp- and thread-instructions of a launch of p by how certain
// it is that they did what hardware does. It adds up to the totals of s, and to nothing
// if s counted nothing.
func ByExactness(p *program.Program, s *Stats) [tesla.Exactnesses]Executed {
	var by [tesla.Exactnesses]Executed
	for i := range s.ByInstruction {
		e := &by[p.Kernel.Code[i].Certainty().Exactness]
		e.WarpInstructions += s.ByInstruction[i].Issues
		e.ThreadInstructions += s.ByInstruction[i].Threads
	}
	return by
}
