package shadow

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// exchange is the two registers of a warp that three xors are about to exchange: compilers have no
// other way without a third register. The sum of both depends on both, and bit by bit nothing tells
// that each has the other's bits in the end.
type exchange struct {
	at    int32     // the xor that was last executed
	lanes lane.Mask // that executed it
	regs  [2]register
}

// exchangesOf returns for each instruction the xor of an exchange that it is, from 1 to 3, or 0.
func exchangesOf(p *program.Program) []uint8 {
	steps := make([]uint8, len(p.Code))
	for k := range max(len(steps)-2, 0) {
		a, b := p.Code[k].Ins.Dst.Index, p.Code[k+1].Ins.Dst.Index
		if a != b && steps[k] == 0 && xors(&p.Code[k], a, b) && xors(&p.Code[k+1], b, a) && xors(&p.Code[k+2], a, b) {
			steps[k], steps[k+1], steps[k+2] = 1, 2, 3
		}
	}
	return steps
}

// xors reports whether an instruction only adds register b to register a, bit by bit.
func xors(u *program.Op, a, b uint8) bool {
	in := u.Ins
	x, y := &in.Src[0], &in.Src[1]
	if in.Op != tesla.OpLogic || in.Logic != tesla.Xor || widthOf(in, 0) != 32 || u.Guarded || in.CDst != tesla.NoCond ||
		in.Dst.Kind != tesla.Reg || in.Dst.Index != a || x.Kind != tesla.Reg || y.Kind != tesla.Reg || x.Not || y.Not {
		return false
	}
	return x.Index == a && y.Index == b || x.Index == b && y.Index == a
}

// follow follows step 1 to 3 of an exchange.
func (e *exchange) follow(b *block, i *issued, step uint8) {
	first := i.u.At - int32(step-1)
	regs := [2]*register{i.x.reg(int(b.p.Code[first].Ins.Dst.Index)), i.x.reg(int(b.p.Code[first+1].Ins.Dst.Index))}
	switch {
	case step == 1:
		*e = exchange{at: i.u.At, lanes: i.lanes, regs: [2]register{*regs[0], *regs[1]}}
	case e.at == i.u.At-1 && e.lanes == i.lanes:
		e.at = i.u.At
	default: // lanes came here in another way
		e.lanes = 0
	}
	b.compute(i)
	if step < 3 || e.lanes == 0 {
		return
	}
	for k, r := range regs {
		old := &e.regs[1-k]
		each(e.lanes, func(l int) { r.set(l, uint32(old.get(l).free), old.origin[l]) })
	}
	e.lanes = 0
}
