package code

import (
	"errors"
	"fmt"

	"jacquard/tesla"
)

// Verify returns all violations of the passes' assumptions, as one error: registers that are read
// before anything writes them on some path, operands whose registers do not suit their kind, and
// ends that lead nowhere. For a function with physical registers it checks the ends alone.
func Verify(f *Func) error {
	v := &verifier{f: f}
	v.ends()
	if len(v.errs) == 0 && !f.physical {
		for _, b := range f.Blocks {
			for i := range b.Code {
				v.instr(b, &b.Code[i])
			}
			if !b.End.Guard.always() {
				v.class(b, "branch", b.End.Guard.Reg, Cond)
			}
		}
	}
	if len(v.errs) == 0 && !f.physical {
		v.paths()
	}
	return errors.Join(v.errs...)
}

// verifier collects violations.
type verifier struct {
	f    *Func
	errs []error
}

func (v *verifier) fail(b *Block, where, format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("b%d: %s: %s", b.ID, where, fmt.Sprintf(format, args...)))
}

// ends checks that every end leads to blocks of the function.
func (v *verifier) ends() {
	v.f.number()
	for _, b := range v.f.Blocks {
		for _, t := range b.successors() {
			if t == nil || t.ID >= len(v.f.Blocks) || v.f.Blocks[t.ID] != t {
				v.fail(b, "end", "leads to no block of the function")
			}
		}
		if b.End.Kind == Branch && b.End.Guard.always() {
			v.fail(b, "end", "a branch without a guard")
		}
	}
}

// class checks that a register has a class.
func (v *verifier) class(b *Block, where string, r Reg, c Class) {
	switch {
	case r <= 0 || int(r) >= len(v.f.Regs):
		v.fail(b, where, "no register %d", r)
	case v.f.Regs[r].Class != c:
		v.fail(b, where, "register %d is of class %d, not %d", r, v.f.Regs[r].Class, c)
	}
}

// instr checks the operands of an instruction.
func (v *verifier) instr(b *Block, in *Instr) {
	where := v.f.describe(in)
	v.operand(b, where, &in.In.Dst, &in.Dst, in.Tied)
	for k := range in.Src {
		v.operand(b, where, &in.In.Src[k], &in.Src[k], in.Tied)
	}
	if !in.Guard.always() {
		v.class(b, where, in.Guard.Reg, Cond)
	}
	for _, r := range []Reg{in.CDst, in.CarryIn} {
		if r != 0 {
			v.class(b, where, r, Cond)
		}
	}
	if in.Copy && (in.In.Op != tesla.OpMov || in.In.Type != tesla.B32 || in.Dst.width() != 1 || in.Src[0].width() != 1) {
		v.fail(b, where, "not a copy")
	}
	if in.Parallel != 0 && (in.In.Op != tesla.OpMov || !in.Guard.always()) {
		v.fail(b, where, "not a parallel copy")
	}
}

// operand checks the registers of an operand. A texture instruction names several by a plain
// register.
func (v *verifier) operand(b *Block, where string, o *tesla.Operand, r *Operand, texture bool) {
	least, most, class := 0, 0, Word
	switch o.Kind {
	case tesla.Reg, tesla.Half:
		most = 1
	case tesla.Pair:
		most = 2
	case tesla.Quadruple:
		most = 4
	case tesla.Global:
		least, most = 1, 1
	case tesla.CondReg:
		least, most, class = 1, 1, Cond
	case tesla.AddrReg:
		most, class = 1, Addr
	}
	n := r.width()
	switch {
	case texture:
	case n < least || n > most || n > 0 && n < most:
		v.fail(b, where, "an operand of %d registers", n)
	}
	for _, x := range r.Regs[:n] {
		v.class(b, where, x, class)
	}
	if r.Base != 0 {
		v.class(b, where, r.Base, Addr)
	}
}

// paths checks that something writes every register before it is read, on every path.
func (v *verifier) paths() {
	g := newGraph(v.f)
	in := make([]set, len(v.f.Blocks))
	entry := newSet(len(v.f.Regs))
	for r := range v.f.Regs {
		if v.f.Regs[r].Fixed != 0 || v.f.Regs[r].Open {
			entry.add(r)
		}
	}
	in[0] = entry
	for changed := true; changed; {
		changed = false
		for _, n := range g.Order {
			out := v.walk(v.f.Blocks[n], in[n], false)
			for _, s := range g.succ[n] {
				changed = meet(&in[s], out) || changed
			}
		}
	}
	for _, n := range g.Order {
		v.walk(v.f.Blocks[n], in[n], true)
	}
}

// meet makes *to the members of both sets, all of from if *to is nil, and reports whether that
// changed it.
func meet(to *set, from set) bool {
	if *to == nil {
		*to = append(set(nil), from...)
		return true
	}
	changed := false
	for w := range *to {
		m := (*to)[w] & from[w]
		changed = changed || m != (*to)[w]
		(*to)[w] = m
	}
	return changed
}

// walk returns the registers that are written after a block, and reports reads of registers that
// are not yet written.
func (v *verifier) walk(b *Block, in set, report bool) set {
	out := append(set(nil), in...)
	check := func(where func() string, r Reg) {
		if report && !out.has(int(r)) {
			v.fail(b, where(), "register %d is read before it is written", r)
		}
	}
	var list []Reg
	for i := 0; i < len(b.Code); {
		end := runEnd(b.Code, i)
		for k := i; k < end; k++ {
			list = b.Code[k].uses(list[:0])
			for _, r := range list {
				check(func() string { return v.f.describe(&b.Code[k]) }, r)
			}
		}
		for ; i < end; i++ {
			list = b.Code[i].defs(list[:0])
			for _, r := range list {
				out.add(int(r))
			}
		}
	}
	if !b.End.Guard.always() {
		check(func() string { return "branch" }, b.End.Guard.Reg)
	}
	return out
}
