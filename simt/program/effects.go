package program

import (
	"slices"

	"jacquard/tesla"
)

// Effects are the registers that an instruction can change, and those that it hands to
// memory. What it changes depends on the lanes that execute it; it changes nothing else.
type Effects struct {
	Registers        []int // written, lowest first
	AddressRegisters []int // $a written
	Conditions       []int // $c written
	Accesses         bool  // it is a load, store or atomic: an Issue has Addresses

	// Decides says that every active lane executes it, with or without the guard: a branch, which
	// is taken or not.
	Decides bool

	// Data are the registers that hold what a store or atomic takes to memory, those of a cas
	// last its new value. Registers that the instruction itself overwrites are left out.
	Data []int
}

// Effects returns what the instruction at index i of Kernel.Code does. One that always faults
// does nothing.
func (p *Program) Effects(i int) Effects {
	var e Effects
	u := &p.Code[i]
	in := u.Ins
	if u.Refusal != nil {
		return e
	}
	defs := in.Defs()
	for r := range defs.General() {
		if r < p.Kernel.Registers {
			e.Registers = append(e.Registers, r)
		}
	}
	e.AddressRegisters = slices.Collect(defs.Addresses())
	e.Conditions = slices.Collect(defs.Conditions())
	e.Decides = !u.Acts
	e.Accesses = u.Accesses()
	if e.Accesses {
		e.Data = p.handed(in, e.Registers)
	}
	return e
}

// handed returns the registers that an access takes data from, without those that it writes.
func (p *Program) handed(in *tesla.Instruction, written []int) []int {
	var list []int
	for i := range in.Src {
		if !in.Op.HandsOver(i) {
			continue
		}
		first, count := in.Src[i].Span()
		for r := first; r < first+count && r < p.Kernel.Registers; r++ {
			if !slices.Contains(written, r) && !slices.Contains(list, r) {
				list = append(list, r)
			}
		}
	}
	return list
}
