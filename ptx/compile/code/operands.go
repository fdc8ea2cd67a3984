package code

import "jacquard/tesla"

// always reports whether the guard holds in all lanes, whatever its register.
func (g Guard) always() bool { return g.Reg == 0 || g.Cond == tesla.CondAlways }

// each calls visit for every register that the instruction names: all that it reads, then all that
// it writes. A register that is read and written, such as a base with post-increment, is visited
// once for both.
func (in *Instr) each(visit func(r *Reg, def bool)) {
	for i := range in.Src {
		in.Src[i].each(visit)
	}
	read := func(r *Reg) {
		if *r != 0 {
			visit(r, false)
		}
	}
	read(&in.Dst.Base)
	read(&in.Guard.Reg)
	read(&in.CarryIn)
	for k := range in.Dst.Regs {
		if in.Dst.Regs[k] != 0 {
			visit(&in.Dst.Regs[k], true)
		}
	}
	if in.CDst != 0 {
		visit(&in.CDst, true)
	}
}

func (o *Operand) each(visit func(r *Reg, def bool)) {
	for k := range o.Regs {
		if o.Regs[k] != 0 {
			visit(&o.Regs[k], false)
		}
	}
	if o.Base != 0 {
		visit(&o.Base, false)
	}
}

// uses appends the registers that the instruction reads for their values: not the old values of
// its destinations.
func (in *Instr) uses(list []Reg) []Reg {
	for i := range in.Src {
		o := &in.Src[i]
		if o.Regs[0]|o.Base == 0 {
			continue
		}
		for _, r := range o.Regs {
			if r != 0 {
				list = append(list, r)
			}
		}
		if o.Base != 0 {
			list = append(list, o.Base)
		}
	}
	if in.Guard.Reg != 0 {
		list = append(list, in.Guard.Reg)
	}
	if in.CarryIn != 0 {
		list = append(list, in.CarryIn)
	}
	return list
}

// defs appends the registers that the instruction writes.
func (in *Instr) defs(list []Reg) []Reg {
	for _, r := range in.Dst.Regs {
		if r != 0 {
			list = append(list, r)
		}
	}
	if in.CDst != 0 {
		list = append(list, in.CDst)
	}
	for i := range in.Src {
		if in.In.Src[i].Post && in.Src[i].Base != 0 {
			list = append(list, in.Src[i].Base)
		}
	}
	return list
}

// keeps reports whether the instruction may leave a part of register r, which it writes, as it was.
func (in *Instr) keeps(r Reg) bool {
	if in.First && r != in.CDst {
		return false
	}
	if in.In.Op.Guarded() && !in.Guard.always() {
		return true
	}
	return in.In.Dst.Kind == tesla.Half && r == in.Dst.Regs[0]
}

// width returns the number of words of the operand.
func (o *Operand) width() int {
	n := 0
	for n < len(o.Regs) && o.Regs[n] != 0 {
		n++
	}
	return n
}

// tie returns the source that must be in the registers of the destination, from the first on, or
// -1. A multiply-add with an immediate adds to its destination.
func (in *Instr) tie() int {
	if in.Tied {
		return 0
	}
	if in.In.Op.Accumulates() && in.immediateForm() {
		return 2
	}
	return -1
}

// runEnd returns the end of the run of parallel copies that begins at instruction i, or i+1.
func runEnd(code []Instr, i int) int {
	n := code[i].Parallel
	for i++; n != 0 && i < len(code) && code[i].Parallel == n; i++ {
	}
	return i
}

// move returns a copy of a Word.
func move(d, s Reg, line Line) Instr {
	in := Instr{Copy: true, Line: line}
	in.In = tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32}
	in.In.Dst.Kind, in.In.Src[0].Kind = tesla.Reg, tesla.Reg
	in.Dst.Regs[0], in.Src[0].Regs[0] = d, s
	return in
}

// invert returns the condition that holds where c does not.
func invert(c tesla.Cond) tesla.Cond {
	if c > tesla.CondNever {
		return tesla.CondO + tesla.CondNO - c
	}
	return tesla.CondNever - c
}
