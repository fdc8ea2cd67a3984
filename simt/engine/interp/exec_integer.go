package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

func resultFlags(eng *Engine, u *op, d lane.Rows, s *lane.Sel) {
	eng.lanes.ResultFlags(eng.Flags[u.CDst], d, int(u.Width), s)
}

// add is the adder of docs/isa/operations.md, IAdd: all of add, sub, subr and addc, with
// saturation and flags.
func (eng *Engine) add(u *op, a, c lane.Rows, s *lane.Sel) {
	if u.Arith == tesla.SubR {
		a, c = c, a
	}
	k, width := eng.lanes, int(u.Width)
	var carry []lane.Flags
	if u.Arith == tesla.AddC {
		carry = eng.carry[:eng.Warps]
		copy(carry, eng.Flags[u.CIn]) // the flags written may be those read
	}
	if u.CDst != program.NoCond { // before the kernel: the result may replace a or c
		f := eng.Flags[u.CDst]
		switch u.Arith {
		case tesla.Add:
			k.AddFlags(f, a, c, width, u.Sat, s)
		case tesla.AddC:
			k.AddCarryFlags(f, a, c, carry, width, u.Sat, s)
		default:
			k.SubFlags(f, a, c, width, u.Sat, s)
		}
	}
	d := eng.result(u)
	switch {
	case u.Arith == tesla.AddC && u.Sat:
		k.AddCarrySat(d, a, c, carry, width, s)
	case u.Arith == tesla.AddC:
		k.AddCarry(d, a, c, carry, s)
	case u.Arith == tesla.Add && u.Sat:
		k.AddSat(d, a, c, width, s)
	case u.Sat:
		k.SubSat(d, a, c, width, s)
	default:
		u.k2(d, a, c, s)
	}
	eng.store(u, d, s)
}

func execIAdd(eng *Engine, u *op, s *lane.Sel) bool {
	a, c := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	eng.add(u, a, c, s)
	return true
}

// execIMad computes a product, or an absolute difference, and adds the third source.
func execIMad(eng *Engine, u *op, s *lane.Sel) bool {
	a, c, e := eng.source(u, 0, s), eng.source(u, 1, s), eng.source(u, 2, s)
	if eng.Raised != nil {
		return false
	}
	p := eng.scratch(tmpExtra)
	u.product(p, a, c, eng.loose(s))
	eng.add(u, p, e, s)
	return true
}

// execShift is a shift that writes flags: they need the operand and the count.
func execShift(eng *Engine, u *op, s *lane.Sel) bool {
	a, n := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	u.shiftFlags(eng.Flags[u.CDst], a, n, int(u.Width), s)
	d := eng.result(u)
	u.k2(d, a, n, s)
	eng.store(u, d, s)
	return true
}

// execSet answers a comparison: all ones or zero, and flags that say which.
func execSet(eng *Engine, u *op, s *lane.Sel) bool {
	a, c := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	u.compare(&eng.holds, a, c, uint8(u.Ins.Cmp), s)
	eng.answer(u, s)
	return true
}

// answer stores the outcome of a comparison, which is in eng.holds.
func (eng *Engine) answer(u *op, s *lane.Sel) {
	if u.Dst.Mode != program.DstNone {
		d := eng.result(u)
		eng.lanes.Expand(d, &eng.holds, s)
		eng.store(u, d, s)
	}
	if u.CDst != program.NoCond {
		lane.MaskFlags(eng.Flags[u.CDst], &eng.holds, s)
	}
}
