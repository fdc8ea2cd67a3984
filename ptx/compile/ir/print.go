package ir

import (
	"fmt"
	"strings"

	"jacquard/ptx"
)

// String returns the kernel as text, a line per value.
func (f *Func) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n", f.Name)
	for _, b := range f.Blocks {
		b.print(&s)
	}
	return s.String()
}

func (b *Block) print(s *strings.Builder) {
	fmt.Fprintf(s, "b%d:", b.ID)
	for _, p := range b.Preds {
		fmt.Fprintf(s, " <- b%d", p.ID)
	}
	if b.Depth > 0 {
		fmt.Fprintf(s, " depth %d", b.Depth)
	}
	s.WriteByte('\n')
	for _, v := range b.Values {
		fmt.Fprintf(s, "\t%s\n", v.text())
	}
	uniform := ""
	if b.Uniform {
		uniform = " uniform"
	}
	switch b.End {
	case Jump:
		fmt.Fprintf(s, "\tjump b%d\n", b.To[0].ID)
	case Branch:
		fmt.Fprintf(s, "\tbranch%s %s b%d b%d\n", uniform, b.Control, b.To[0].ID, b.To[1].ID)
	case Exit:
		s.WriteString("\texit\n")
	case Fault:
		s.WriteString("\ttrap\n")
	default:
		s.WriteString("\topen\n")
	}
}

// String returns the value's name: a constant itself, or a letter and a number.
func (v *Value) String() string {
	if v.Op == Const {
		return fmt.Sprintf("0x%x", v.Imm)
	}
	return fmt.Sprintf("%s%d", v.Kind, v.ID)
}

// text returns the value with its operation.
func (v *Value) text() string {
	var s strings.Builder
	if v.Kind != None {
		fmt.Fprintf(&s, "%s = ", v)
	}
	s.WriteString(v.Op.String())
	v.modifiers(&s)
	for _, a := range v.Args {
		fmt.Fprintf(&s, " %s", a)
	}
	if v.Imm != 0 {
		fmt.Fprintf(&s, " +0x%x", v.Imm)
	}
	if v.Sym != nil {
		fmt.Fprintf(&s, " %s", v.Sym.Name)
	}
	return s.String()
}

func (v *Value) modifiers(s *strings.Builder) {
	if v.Cmp != ptx.NoCmp {
		fmt.Fprintf(s, ".%s", v.Cmp)
	}
	if v.Atom != ptx.NoAtom {
		fmt.Fprintf(s, ".%s", v.Atom)
	}
	if v.Space != ptx.Generic {
		fmt.Fprintf(s, ".%s", v.Space)
	}
	if v.Round != ptx.NoRound {
		fmt.Fprintf(s, ".%s", v.Round)
	}
	for _, m := range v.marks() {
		if *m.on {
			fmt.Fprintf(s, ".%s", m.name)
		}
	}
	if v.Mask != 0 {
		fmt.Fprintf(s, ".mask%d", v.Mask)
	}
	if v.Count > 1 {
		fmt.Fprintf(s, ".v%d", v.Count)
	}
	if v.Sub != ptx.NoType {
		fmt.Fprintf(s, ".%s", v.Sub)
	}
	if v.From != ptx.NoType {
		fmt.Fprintf(s, ".%s", v.From)
	}
}

// mark is a modifier that a value has or not.
type mark struct {
	name string
	on   *bool
}

func (v *Value) marks() []mark {
	return []mark{{"sat", &v.Sat}, {"volatile", &v.Volatile}, {"lock", &v.Lock}}
}
