package program

import (
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// Counted holds the facts about an Op that statistics need. The end of every launch reads it for
// all instructions. An Op is twelve times as large, and goes over its operands to answer.
type Counted struct {
	PC        uint32 // byte address
	Slot      int32  // index of its access counts
	Exactness tesla.Exactness
	Control   bool // Op.Control
	Touches   bool // Op.TouchesMemory
	Spreads   bool // Op.Spreads
	Steers    bool // Op.Steers
	Annotates bool // Op.Annotates
	JoinAt    bool // the instruction is a joinat
}

// findCounted makes the table for the statistics.
func (p *Program) findCounted() {
	p.Counted = make([]Counted, p.Instructions())
	for i := range p.Counted {
		u := &p.Code[i]
		p.Counted[i] = Counted{
			PC: u.PC, Slot: u.Slot, Exactness: u.Exactness, Control: u.Control,
			Touches: u.TouchesMemory(), Spreads: u.Spreads(), Steers: u.Steers(),
			Annotates: u.Annotates(), JoinAt: u.Event == branch.JoinAt,
		}
	}
}
