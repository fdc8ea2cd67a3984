package simt

import (
	"math/bits"
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
	u := &p.code[i]
	in := u.ins
	for _, r := range p.refusals {
		if r.PC == u.pc {
			return e
		}
	}
	first, count := p.written(u)
	for r := first; r < first+count && r < p.Kernel.Registers; r++ {
		e.Registers = append(e.Registers, r)
	}
	if in.Dst.Kind == tesla.AddrReg {
		e.AddressRegisters = append(e.AddressRegisters, int(in.Dst.Index))
	}
	for k := range in.Src {
		if o := &in.Src[k]; o.Post && !slices.Contains(e.AddressRegisters, int(o.Base)) {
			e.AddressRegisters = append(e.AddressRegisters, int(o.Base))
		}
	}
	if in.CDst != tesla.NoCond {
		e.Conditions = append(e.Conditions, int(in.CDst.Index()))
	}
	e.Decides = u.exec == nil
	e.Accesses = u.memory && u.words > 0
	if e.Accesses {
		e.Data = p.handed(u, first, first+count)
	}
	return e
}

// written returns the first register that u writes, and how many there are.
func (p *Program) written(u *uop) (first, count int) {
	in := u.ins
	switch {
	case u.memory && u.words == 0: // a texture
		return int(in.Dst.Index), bits.OnesCount8(in.Tex.Mask)
	case u.dst.mode == dstNone:
		return 0, 0
	case u.dst.mode == dstReg && u.words > 0:
		return int(u.dst.index), int(u.words)
	case in.Dst.Kind == tesla.Pair:
		return int(u.dst.index), 2
	}
	return int(u.dst.index), 1
}

// handed returns the registers that access u takes data from, without those from first up to
// end.
func (p *Program) handed(u *uop, first, end int) []int {
	var list []int
	for _, o := range u.ins.Src[1:] {
		at, count := int(o.Index), int(u.words)
		switch o.Kind {
		case tesla.Reg, tesla.Pair, tesla.Quadruple:
		case tesla.Half:
			at, count = at/2, 1
		default:
			continue
		}
		for r := at; r < at+count && r < p.Kernel.Registers; r++ {
			if (r < first || r >= end) && !slices.Contains(list, r) {
				list = append(list, r)
			}
		}
	}
	return list
}
