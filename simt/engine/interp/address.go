package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// sharedSource reads source x, a word of s[] at a fixed address, with modifiers. It returns one row
// if all blocks of s have the same word, else scratch row tmpSrc+i of each warp.
func (eng *Engine) sharedSource(u *op, x *program.Source, i int, s *lane.Sel) lane.Rows {
	bank := eng.Banks[s.Warp[0]]
	v, ok := loadWord(x, bank)
	if !ok {
		all, r := *uniform(x.Offset), eng.scratchRow(tmpSrc+i, 0)
		eng.RaiseAccess(int(s.Warp[0]), bank.Load(&mem.Data{r}, &all, s.Mask[0], x.Type, nil))
		return lane.RowsOf(r, 0)
	}
	eng.countWord(u, s)
	for _, w := range s.Warp[:s.N] {
		if next := eng.Banks[w]; next != bank {
			bank = next
			if other, _ := loadWord(x, bank); other != v {
				return eng.sharedSources(x, i, s)
			}
		}
	}
	r := &eng.same[x.Index]
	if v = x.Apply(v); r[0] != v { // a parameter never changes
		fill(r, v)
	}
	return lane.RowsOf(r, 0)
}

// loadWord reads the word of x.
func loadWord(x *program.Source, bank *mem.Shared) (v uint32, ok bool) {
	if x.Whole {
		return bank.Word(x.Offset)
	}
	return bank.LoadWord(x.Offset, x.Type)
}

// sharedSources is sharedSource for blocks with different words.
func (eng *Engine) sharedSources(x *program.Source, i int, s *lane.Sel) lane.Rows {
	var bank *mem.Shared
	var v uint32
	for k, w := range s.Warp[:s.N] {
		if eng.Banks[w] != bank {
			bank = eng.Banks[w]
			v, _ = loadWord(x, bank) // every block has it, because the first has
			v = x.Apply(v)
		}
		eng.words[k] = v
	}
	eng.lanes.Spread(eng.scratch(tmpSrc+i), &eng.words, eng.loose(s))
	return eng.scratch(tmpSrc + i)
}

// fill writes v to all lanes.
func fill(r *lane.Row, v uint32) {
	for k := range r {
		r[k] = v
	}
}

// memorySource reads source x, in s[] or c[] at an address register, into scratch row tmpSrc+i.
func (eng *Engine) memorySource(u *op, x *program.Source, i int, s *lane.Sel) lane.Rows {
	d := eng.scratch(tmpSrc + i)
	from := program.SpaceShared
	if x.Mode == program.SrcConstAt {
		from = program.SpaceConst
	}
	at, offset := eng.nearby(x.At, s)
	if !eng.loadWords(u, from, x.Bank, x.Type, d, at, offset, s) {
		at = eng.exactly(x.At, at, offset, s)
		c := eng.cost(u, from, at, x.Type, s)
		for k := range s.N {
			w := int(s.Warp[k])
			if v := eng.operand(u, x, w, at.At(w), s.Mask[k], d.At(w), c); v != nil {
				eng.RaiseAccess(w, v)
				return d
			}
		}
		eng.pay(u)
	}
	if x.Half {
		if x.Signed {
			eng.lanes.ExtractLowS(d, d, s)
		} else {
			eng.lanes.ExtractLowU(d, d, s)
		}
	}
	return d
}

// operand reads source x of warp w into a row.
func (eng *Engine) operand(u *op, x *program.Source, w int, addr *lane.Row, m lane.Mask, to *lane.Row, c *mem.Cost) *mem.Violation {
	if x.Mode == program.SrcConstAt {
		return eng.constant(x.Bank).Load(&mem.Data{to}, addr, m, x.Type, c)
	}
	if eng.Hook != nil {
		eng.Hook.Load(&eng.State, &u.Op, program.SpaceShared, w, addr, m, mem.Size(x.Type))
	}
	return eng.Banks[w].Load(&mem.Data{to}, addr, m, x.Type, c)
}

func (eng *Engine) constant(bank uint8) mem.Const { return mem.Const(eng.Const[bank]) }

// nearby returns rows and an offset, a multiple of 4: their sums modulo 2^16 are an access's
// addresses. Mostly the offset need not be added per lane.
func (eng *Engine) nearby(a program.Addressing, s *lane.Sel) (at lane.Rows, offset uint32) {
	if machine.WritableAddress(a.Base) && !a.Post && a.Offset%4 == 0 {
		return eng.Address(a.Base), a.Offset
	}
	return eng.addresses(a, s), 0
}

// exactly returns the addresses of an access for which nearby returned at and offset.
func (eng *Engine) exactly(a program.Addressing, at lane.Rows, offset uint32, s *lane.Sel) lane.Rows {
	if offset == 0 {
		return at
	}
	return eng.addresses(a, s)
}

// addresses returns the addresses of an access.
// Unverified: that the sum of register and offset wraps at 16 bits.
func (eng *Engine) addresses(a program.Addressing, s *lane.Sel) lane.Rows {
	from := eng.Address(a.Base)
	if a.Row < 0 {
		return from
	}
	offset := lane.RowsOf(&eng.Rows[a.Row], 0)
	switch {
	case !machine.WritableAddress(a.Base) && !a.Post:
		return offset
	case !machine.WritableAddress(a.Base):
		return from
	}
	k, to, mask := eng.lanes, eng.scratch(tmpAddr), lane.RowsOf(addrMask, 0)
	if a.Post {
		k.Move(to, from, s)
		k.Add(from, from, offset, s)
		k.And(from, from, mask, s)
		return to
	}
	s = eng.loose(s)
	k.Add(to, from, offset, s)
	k.And(to, to, mask, s)
	return to
}
