package random

import (
	"fmt"

	"jacquard/simt/machine"
	"jacquard/tesla"
)

// Seen counts the instructions of straight kernels.
type Seen struct {
	Executed [tesla.Forms]int
	Faults   map[machine.FaultKind]int // of last instructions
	Facets   map[string]bool           // of the instructions that were tried: whether one was executed
}

// NewSeen returns a Seen of nothing.
func NewSeen() *Seen {
	return &Seen{Faults: map[machine.FaultKind]int{}, Facets: map[string]bool{}}
}

// note records an instruction that was tried.
func (s *Seen) note(in *tesla.Instruction, executed bool) {
	for _, f := range facets(in) {
		s.Facets[f] = s.Facets[f] || executed
	}
	if executed {
		s.Executed[in.Form]++
	}
}

// facets lists the properties of an instruction, each with the name of its form.
func facets(in *tesla.Instruction) (list []string) {
	add := func(format string, a ...any) { list = append(list, in.Form.String()+" "+fmt.Sprintf(format, a...)) }
	for i := range 16 {
		if in.Mods>>i&1 != 0 {
			add("modifier %d", i)
		}
	}
	add("type %d from %d round %d arith %d logic %d cmp %d atom %d", in.Type, in.From, in.Round, in.Arith, in.Logic, in.Cmp, in.Atom)
	if in.Guard.Cond != tesla.CondAlways {
		add("guard %d", in.Guard.Cond)
		add("guard of $c%d", in.Guard.Reg)
	}
	if in.CDst != tesla.NoCond {
		add("%s written", in.CDst)
	}
	if in.CarryIn != tesla.NoCond {
		add("carry of %s", in.CarryIn)
	}
	add("destination kind %d", in.Dst.Kind)
	for i := range in.Src {
		o := &in.Src[i]
		add("source %d kind %d access %d neg %t abs %t not %t", i, o.Kind, o.Type, o.Neg, o.Abs, o.Not)
		if o.Kind == tesla.Shared || o.Kind == tesla.Const || o.Kind == tesla.Local {
			add("source %d in %d through $a%d, post-increment %t", i, o.Kind, o.Base, o.Post)
		}
	}
	return list
}
