package reference

import (
	"jacquard/simt/engine/reference/alu"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Guard returns the lanes of s in which the guard of u holds.
func Guard(st *machine.State, u *program.Op, s *lane.Sel) lane.Sel {
	executed := lane.Sel{Full: true}
	for k, w := range s.Warp[:s.N] {
		if m := passing(st, u.Ins.Guard, int(w), s.Mask[k]); m != 0 {
			executed.Add(int(w), m)
		}
	}
	return executed
}

// passing returns the lanes of m in which a guard holds.
func passing(st *machine.State, g tesla.Guard, warp int, m lane.Mask) (yes lane.Mask) {
	for i := range lane.Width {
		if m>>i&1 != 0 && Holds(g.Cond, thread{st, warp, i}.cond(g.Reg)) {
			yes |= 1 << i
		}
	}
	return yes
}

// Holds evaluates a condition on the four bits of a condition register (docs/isa/machine.md,
// Guards).
func Holds(c tesla.Cond, flags uint8) bool {
	z, s, carry, o := flags&alu.Z != 0, flags&alu.S != 0, flags&alu.C != 0, flags&alu.O != 0
	switch c {
	case tesla.CondNever:
		return false
	case tesla.CondL:
		return (s && !z) != o
	case tesla.CondE:
		return z && !s
	case tesla.CondLE:
		return s != (z || o)
	case tesla.CondG:
		return !z && s == o
	case tesla.CondLG:
		return !z
	case tesla.CondGE:
		return s == o
	case tesla.CondLGE:
		return !z || !s
	case tesla.CondU:
		return z && s
	case tesla.CondLU:
		return s != o
	case tesla.CondEU:
		return z
	case tesla.CondLEU:
		return z || s != o
	case tesla.CondGU:
		return !s != (z || o)
	case tesla.CondLGU:
		return !z || s
	case tesla.CondGEU:
		return (!s || z) != o
	case tesla.CondAlways:
		return true
	case tesla.CondO:
		return o
	case tesla.CondC:
		return carry
	case tesla.CondA:
		return !z && carry
	case tesla.CondS:
		return s
	case tesla.CondNS:
		return !s
	case tesla.CondNA:
		return z || !carry
	case tesla.CondNC:
		return !carry
	case tesla.CondNO:
		return !o
	}
	panic("reference: no such condition") // program.Lower refuses the instruction
}
