package simt

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// sharedSource reads source x, a word of s[] that is the same for all warps of a block, modifiers and
// all: into one row, if the blocks of s have the same, else into scratch row tmpSrc+i of each warp.
func (b *Block) sharedSource(u *uop, x *source, i int, s *lane.Sel) lane.Rows {
	bank := b.banks[s.Warp[0]]
	v, ok := x.load(bank)
	if !ok {
		all, r := *uniform(x.offset), b.scratchRow(tmpSrc+i, 0)
		b.raiseAccess(int(s.Warp[0]), bank.Load(&mem.Data{r}, &all, s.Mask[0], x.typ, nil))
		return lane.RowsOf(r, 0)
	}
	b.countWord(u, s)
	for _, w := range s.Warp[:s.N] {
		if next := b.banks[w]; next != bank {
			bank = next
			if other, _ := x.load(bank); other != v {
				return b.sharedSources(x, i, s)
			}
		}
	}
	r := &b.same[x.index]
	if v = x.word(v); r[0] != v { // a parameter is what it was
		fill(r, v)
	}
	return lane.RowsOf(r, 0)
}

// load reads the word of x.
func (x *source) load(bank *mem.Shared) (v uint32, ok bool) {
	if x.whole {
		return bank.Word(x.offset)
	}
	return bank.LoadWord(x.offset, x.typ)
}

// sharedSources is sharedSource for blocks that have not all the same word.
func (b *Block) sharedSources(x *source, i int, s *lane.Sel) lane.Rows {
	var bank *mem.Shared
	var v uint32
	for k, w := range s.Warp[:s.N] {
		if b.banks[w] != bank {
			bank = b.banks[w]
			v, _ = x.load(bank) // there, if it was for the first
			v = x.word(v)
		}
		b.words[k] = v
	}
	b.p.lanes.Spread(b.scratch(tmpSrc+i), &b.words, b.loose(s))
	return b.scratch(tmpSrc + i)
}

// fill writes v to all lanes.
func fill(r *lane.Row, v uint32) {
	for k := range r {
		r[k] = v
	}
}

// word applies to a word of memory what the operand says.
func (x *source) word(v uint32) uint32 {
	if x.half {
		v = extend(v, x.signed)
	}
	return x.fix.word(v)
}

// memorySource reads source x, which is in s[] or c[] at an address register, into scratch
// row tmpSrc+i.
func (b *Block) memorySource(u *uop, x *source, i int, s *lane.Sel) lane.Rows {
	d := b.scratch(tmpSrc + i)
	from := spaceShared
	if x.mode == srcConstAt {
		from = spaceConst
	}
	at, offset := b.nearby(x.at, s)
	if !b.loadWords(u, from, x.bank, x.typ, d, at, offset, s) {
		at = b.exactly(x.at, at, offset, s)
		c := b.cost(u, from, at, x.typ, s)
		for k := range s.N {
			w := int(s.Warp[k])
			if v := b.operand(u, x, w, at.At(w), s.Mask[k], d.At(w), c); v != nil {
				b.raiseAccess(w, v)
				return d
			}
		}
	}
	if x.half {
		if x.signed {
			b.p.lanes.ExtractLowS(d, d, s)
		} else {
			b.p.lanes.ExtractLowU(d, d, s)
		}
	}
	return d
}

// operand reads source x of warp w into a row.
func (b *Block) operand(u *uop, x *source, w int, addr *lane.Row, m lane.Mask, to *lane.Row, c *mem.Cost) *mem.Violation {
	if x.mode == srcConstAt {
		return b.constant(x.bank).Load(&mem.Data{to}, addr, m, x.typ, c)
	}
	if b.steps != nil {
		b.steps.load(b, u, spaceShared, w, addr, m, mem.Size(x.typ))
	}
	return b.banks[w].Load(&mem.Data{to}, addr, m, x.typ, c)
}

func extend(v uint32, signed bool) uint32 {
	if signed {
		return uint32(int32(int16(v)))
	}
	return v & 0xffff
}

func (b *Block) constant(bank uint8) mem.Const { return mem.Const(b.g.l.Const[bank]) }

// addressing is how an access to s[], l[] or c[] finds its 16-bit addresses.
type addressing struct {
	base   uint8  // address register, 0 for none
	post   bool   // it is taken alone, and the offset is added to it afterwards
	offset uint32 // bytes
	row    int32  // launch-wide row of the offset, -1 if that is 0
}

func (l *lowerer) addressing(o *tesla.Operand) addressing {
	a := addressing{base: o.Base, post: o.Post, offset: o.Value & 0xffff, row: -1}
	if a.offset != 0 {
		a.row = l.row(rowDef{bank: -1, value: a.offset})
	}
	return a
}

// nearby returns rows from which the addresses of an access are a fixed number of bytes away, modulo 2^16. That number is a
// multiple of 4, and mostly saves adding it in every lane.
func (b *Block) nearby(a addressing, s *lane.Sel) (at lane.Rows, offset uint32) {
	if writableAddr(a.base) && !a.post && a.offset%4 == 0 {
		return b.addr(a.base), a.offset
	}
	return b.addresses(a, s), 0
}

// exactly returns the addresses of an access of which nearby returned at and offset.
func (b *Block) exactly(a addressing, at lane.Rows, offset uint32, s *lane.Sel) lane.Rows {
	if offset == 0 {
		return at
	}
	return b.addresses(a, s)
}

// addresses returns the addresses of an access.
// Unverified: that the sum of register and offset wraps at 16 bits.
func (b *Block) addresses(a addressing, s *lane.Sel) lane.Rows {
	from := b.addr(a.base)
	if a.row < 0 {
		return from
	}
	offset := lane.RowsOf(&b.g.rows[a.row], 0)
	switch {
	case !writableAddr(a.base) && !a.post:
		return offset
	case !writableAddr(a.base):
		return from
	}
	k, to, mask := b.p.lanes, b.scratch(tmpAddr), lane.RowsOf(addrMask, 0)
	if a.post {
		k.Move(to, from, s)
		k.Add(from, from, offset, s)
		k.And(from, from, mask, s)
		return to
	}
	s = b.loose(s)
	k.Add(to, from, offset, s)
	k.And(to, to, mask, s)
	return to
}
