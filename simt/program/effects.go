package program

import (
	"slices"

	"jacquard/tesla"
)

// Effects are the registers that an instruction changes, and the registers that it hands to memory.
// It changes registers only in the lanes that execute it.
type Effects struct {
	Registers        []int // written, lowest first
	AddressRegisters []int // $a written
	Conditions       []int // $c written
	Accesses         bool  // the instruction is a load, store or atomic: an Issue has Addresses

	// Decides is set for branches: every active lane executes them, even if its guard does not
	// hold.
	Decides bool

	// Data are the registers with the data of a store or atomic; the new value of a cas is last. It
	// leaves out registers that the instruction itself overwrites.
	Data []int
}

// Effects returns the effects of the instruction at index i of Kernel.Code; none if it always
// faults.
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

// handed returns the registers with the data of an access, without the registers that it writes.
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
