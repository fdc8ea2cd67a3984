package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// sharedSource reads source x, a word of s[] at a fixed address, and applies modifiers. It returns
// one row for all warps.
func (eng *Engine) sharedSource(u *op, x *program.Source, i int, s *lane.Sel) lane.Rows {
	bank := &eng.Shared
	v, ok := loadWord(x, bank)
	if !ok {
		all, r := *uniform(x.Offset), eng.scratchRow(tmpSrc+i, 0)
		eng.RaiseAccess(int(s.Warp[0]), bank.Load(&mem.Data{r}, &all, s.Mask[0], x.Type, nil))
		return lane.RowsOf(r, 0)
	}
	eng.countWord(u, s)
	r := &eng.same[x.Index]
	if v = x.Apply(v); r[0] != v { // a parameter never changes
		fill(r, v)
	}
	return lane.RowsOf(r, 0)
}

func loadWord(x *program.Source, bank *mem.Shared) (v uint32, ok bool) {
	if x.Whole {
		return bank.Word(x.Offset)
	}
	return bank.LoadWord(x.Offset, x.Type)
}

func fill(r *lane.Row, v uint32) {
	for k := range r {
		r[k] = v
	}
}

// memorySource reads source x, in s[] or c[] at an address register, into scratch row tmpSrc+i.
func (eng *Engine) memorySource(u *op, x *program.Source, i int, s *lane.Sel) lane.Rows {
	d := eng.scratch(tmpSrc + i)
	from := x.Mode.Space()
	at := eng.addresses(x.At, s)
	c := eng.cost(u, from, at, x.Type, s)
	for k := range s.N {
		w := int(s.Warp[k])
		if v := eng.operand(u, x, w, at.At(w), s.Mask[k], d.At(w), c); v != nil {
			eng.RaiseAccess(w, v)
			return d
		}
	}
	eng.pay(u)
	if x.Half {
		if x.Signed {
			lane.ExtractLowS(d, d, s)
		} else {
			lane.ExtractLowU(d, d, s)
		}
	}
	return d
}

// operand reads source x of warp w into a row.
func (eng *Engine) operand(u *op, x *program.Source, w int, addr *lane.Row, m lane.Mask, to *lane.Row, c *mem.Cost) *mem.Violation {
	from := x.Mode.Space()
	if eng.Hook != nil {
		eng.Hook.Load(&eng.State, &u.Op, from, w, addr, m, mem.Size(x.Type))
	}
	if from == program.SpaceConst {
		return eng.constant(x.Bank).Load(&mem.Data{to}, addr, m, x.Type, c)
	}
	return eng.Shared.Load(&mem.Data{to}, addr, m, x.Type, c)
}

func (eng *Engine) constant(bank uint8) mem.Const { return mem.Const(eng.Const[bank]) }

// addresses returns the addresses of an access.
// Unverified: that the sum of register and offset wraps at 16 bits.
func (eng *Engine) addresses(a program.Addressing, s *lane.Sel) lane.Rows {
	from, to := eng.Address(a.Base), eng.scratch(tmpAddr)
	switch {
	case a.Offset == 0:
		return from
	case !a.Post:
		lane.Offset(to, from, a.Offset, eng.loose(s))
		return to
	case !machine.WritableAddress(a.Base):
		return from
	}
	lane.Move(to, from, s)
	lane.Offset(from, from, a.Offset, s)
	return to
}
