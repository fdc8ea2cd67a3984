package sass

import (
	"fmt"
	"strings"

	"jacquard/tesla"
)

// Text returns the instruction without the closing semicolon. Instructions that cannot execute
// begin with "???"; an encoding without a form shows its words.
func Text(in tesla.Instruction) string {
	if in.Form == 0 || in.Op == tesla.OpInvalid || int(in.Op) >= len(rules) {
		if in.Size == 8 {
			return fmt.Sprintf("??? 0x%08x%08x", in.Raw[1], in.Raw[0])
		}
		return fmt.Sprintf("??? 0x%08x", in.Raw[0])
	}
	r := &rules[in.Op]
	text := mnemonic(r, &in)
	if list := strings.Join(operands(r, &in), ", "); list != "" {
		text += " " + list
	}
	if in.Bad != tesla.OK && in.Bad != tesla.BadGraphics {
		return "??? " + text
	}
	return text
}

// mnemonic returns the name with its size, the join flag, modifiers and the condition register
// written.
func mnemonic(r *rule, in *tesla.Instruction) string {
	name, rest, _ := strings.Cut(r.name, ".")
	switch {
	case r.by != nil:
		name = r.by(in)
	case !r.sized:
	case in.Size == 4:
		name += "32"
	case immediate(in):
		name += "32I"
	}
	if in.Marker == tesla.MarkerJoin {
		name += ".S"
	}
	if rest != "" {
		name += "." + rest
	}
	if r.modifiers != nil {
		name += r.modifiers(in)
	}
	if r.flags && in.CDst != tesla.NoCond {
		name += fmt.Sprintf(".C%d", in.CDst.Index())
	}
	return name
}

// operands returns the destination followed by the guard, and the sources.
func operands(r *rule, in *tesla.Instruction) []string {
	if r.operands != nil {
		return r.operands(in)
	}
	list := append([]string{destination(in)}, sources(in)...)
	list[0] += guarded(in)
	return list
}

// destination returns the destination.
func destination(in *tesla.Instruction) string {
	if in.Dst.Kind == tesla.None {
		return "o [0x7f]"
	}
	return operand(in, &in.Dst)
}

// sources returns all sources.
func sources(in *tesla.Instruction) (list []string) {
	for i := range in.Src {
		if in.Src[i].Kind != tesla.None {
			list = append(list, operand(in, &in.Src[i]))
		}
	}
	return list
}

// guarded returns the guard as printed after a destination.
func guarded(in *tesla.Instruction) string {
	if g := guard(in.Guard); g != "" {
		return " (" + g + ")"
	}
	return ""
}

// guard returns the condition, or "" if it always holds.
func guard(g tesla.Guard) string {
	if g.Cond == tesla.CondAlways {
		return ""
	}
	name := "???"
	if int(g.Cond) < len(conditions) && conditions[g.Cond] != "" {
		name = conditions[g.Cond]
	}
	return fmt.Sprintf("C%d.%s", g.Reg, name)
}

// immediate reports whether the instruction's form holds a 32-bit number.
func immediate(in *tesla.Instruction) bool {
	return in.Size == 8 && in.Raw[0]&2 == 0 && in.Raw[1]&3 == 3
}
