package program

import (
	"slices"

	"jacquard/tesla"
)

// backwards notes which Ops may access device memory before a parameter that their address is made
// of. A parameter may be the end of an array, where the next one begins.
func (p *Program) backwards(of []reads) {
	if !slices.ContainsFunc(of, func(set reads) bool { return set >= firstParam }) {
		return
	}
	negative := p.negative()
	for i := range p.Code {
		if u := &p.Code[i]; of[i] != 0 && u.Ins.Src[0].Value < uint32(len(negative)) && negative[u.Ins.Src[0].Value] {
			of[i] |= backward
		}
	}
}

// negative returns the registers that hold, somewhere in the code, a difference, a complement, a
// negative constant, or a value computed from one. Parameters and loaded values count as positive.
func (p *Program) negative() []bool {
	list := make([]bool, p.Kernel.Registers+8)
	for more := true; more; {
		more = false
		for i := range p.Code {
			u := &p.Code[i]
			if u.Memory || u.Refusal != nil || !p.negates(u) && !u.takes(list) {
				continue
			}
			for r := range u.Ins.Defs().General() {
				if r < len(list) && !list[r] {
					list[r], more = true, true
				}
			}
		}
	}
	return list
}

// negates reports whether u may make a negative number of positive ones.
func (p *Program) negates(u *Op) bool {
	constants, signs := false, false
	switch u.Ins.Op {
	case tesla.OpIAdd, tesla.OpIMad:
		constants, signs = true, u.Ins.Arith == tesla.Sub || u.Ins.Arith == tesla.SubR
	case tesla.OpMov, tesla.OpIMul:
		constants = true
	case tesla.OpLogic: // a mask takes bits away
		constants = u.Ins.Logic != tesla.And
		signs = constants && (u.Ins.Src[0].Not || u.Ins.Src[1].Not)
	case tesla.OpCvt:
		signs = u.Ins.Src[0].Neg
	}
	for i := range u.Src {
		x := &u.Src[i]
		signs = signs || constants && x.Mode == SrcRow && p.Rows[x.Index].Bank < 0 && int32(p.Rows[x.Index].Word) < 0
	}
	return signs
}

// takes reports whether u reads one of some registers.
func (u *Op) takes(registers []bool) bool {
	for i := range u.Src {
		switch x := &u.Src[i]; x.Mode {
		case SrcReg, SrcLow, SrcHigh:
			if int(x.Index) < len(registers) && registers[x.Index] {
				return true
			}
		}
	}
	return false
}
