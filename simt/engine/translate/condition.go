package translate

import (
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/machine"
)

// cond computes the lanes for which a condition holds on a condition register in EAX; idle lanes
// hold anything. It changes ECX too. See lane.Condition.
func (e *emitter) cond(reg, cond uint8) {
	switch {
	case e.plainCond(reg, cond):
	case e.plainCond(reg, cond^0x0f): // the complement
		e.a.Not(32, x86.R(x86.RAX))
	default: // invalid: it holds for no lane
		e.a.Xor(32, x86.R(x86.RAX), x86.R(x86.RAX))
	}
}

// plainCond is cond for one condition of each complementary pair. For other conditions it reports
// false, and emits nothing.
func (e *emitter) plainCond(reg, cond uint8) bool {
	flags := func(i int32) x86.Operand {
		return x86.At(regFlags, int32(reg)*int32(machine.FlagStep)+4*i)
	}
	z, s, c, o := flags(0), flags(1), flags(2), flags(3)
	ax, cx := x86.R(x86.RAX), x86.R(x86.RCX)
	switch cond {
	case 0x00: // always
		e.a.Mov(32, ax, x86.Imm(-1))
	case 0x01: // l
		e.a.Mov(32, cx, z)
		e.a.Andn(32, x86.RAX, x86.RCX, s)
		e.a.Xor(32, ax, o)
	case 0x02: // e
		e.a.Mov(32, cx, s)
		e.a.Andn(32, x86.RAX, x86.RCX, z)
	case 0x03: // le
		e.a.Mov(32, ax, z)
		e.a.Or(32, ax, o)
		e.a.Xor(32, ax, s)
	case 0x08: // u
		e.a.Mov(32, ax, z)
		e.a.And(32, ax, s)
	case 0x09: // lu
		e.a.Mov(32, ax, s)
		e.a.Xor(32, ax, o)
	case 0x0a: // eu
		e.a.Mov(32, ax, z)
	case 0x0b: // leu
		e.a.Mov(32, ax, s)
		e.a.Xor(32, ax, o)
		e.a.Or(32, ax, z)
	case 0x10: // o
		e.a.Mov(32, ax, o)
	case 0x11: // c
		e.a.Mov(32, ax, c)
	case 0x12: // a
		e.a.Mov(32, cx, z)
		e.a.Andn(32, x86.RAX, x86.RCX, c)
	case 0x13: // s
		e.a.Mov(32, ax, s)
	default:
		return false
	}
	return true
}
