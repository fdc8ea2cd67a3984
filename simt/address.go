package simt

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// sharedSource reads source x, a word of s[] that is the same for all, modifiers and all,
// into one row: the first of scratch row tmpSrc+i.
func (b *Block) sharedSource(x *source, i int, s *lane.Sel) lane.Rows {
	r := b.scratchRow(tmpSrc+i, 0)
	v, ok := b.shared.LoadWord(x.offset, x.typ)
	if !ok {
		all := *uniform(x.offset)
		b.raiseAccess(int(s.Warp[0]), b.shared.Load(&mem.Data{r}, &all, s.Mask[0], x.typ))
	}
	if x.half {
		v = extend(v, x.signed)
	}
	v = x.fix.word(v)
	for k := range r {
		r[k] = v
	}
	return lane.RowsOf(r, 0)
}

// memorySource reads source x, which is in s[] or c[] at an address register, into scratch
// row tmpSrc+i.
func (b *Block) memorySource(u *uop, x *source, i int, s *lane.Sel) lane.Rows {
	d := b.scratch(tmpSrc + i)
	for k := range s.N {
		w := int(s.Warp[k])
		addr := b.address(x.base, x.offset, x.post, w, s.Mask[k])
		to := mem.Data{d.At(w)}
		var v *mem.Violation
		if x.mode == srcSharedAt {
			if b.steps != nil {
				b.steps.load(b, u, spaceShared, w, addr, s.Mask[k], mem.Size(x.typ))
			}
			v = b.shared.Load(&to, addr, s.Mask[k], x.typ)
		} else {
			v = b.constant(x.bank).Load(&to, addr, s.Mask[k], x.typ)
		}
		if v != nil {
			b.raiseAccess(w, v)
			return d
		}
	}
	if x.half {
		if x.signed {
			lane.ExtractLowS(d, d, s)
		} else {
			lane.ExtractLowU(d, d, s)
		}
	}
	return d
}

func extend(v uint32, signed bool) uint32 {
	if signed {
		return uint32(int32(int16(v)))
	}
	return v & 0xffff
}

func (b *Block) constant(bank uint8) mem.Const { return mem.Const(b.g.l.Const[bank]) }

// address returns the 16-bit addresses of one warp's access through address register base.
// A post-increment takes the register alone and adds the offset to it afterwards.
// Unverified: that the sum wraps at 16 bits.
func (b *Block) address(base uint8, offset uint32, post bool, w int, m lane.Mask) *lane.Row {
	from := b.addr(base).At(w)
	if !post && offset == 0 {
		return from
	}
	addr := b.scratchRow(tmpAddr, w)
	if !post {
		for i := 0; i < lane.Width; i += 8 {
			d, a := (*[8]uint32)(addr[i:]), (*[8]uint32)(from[i:])
			d[0] = (a[0] + offset) & 0xffff
			d[1] = (a[1] + offset) & 0xffff
			d[2] = (a[2] + offset) & 0xffff
			d[3] = (a[3] + offset) & 0xffff
			d[4] = (a[4] + offset) & 0xffff
			d[5] = (a[5] + offset) & 0xffff
			d[6] = (a[6] + offset) & 0xffff
			d[7] = (a[7] + offset) & 0xffff
		}
		return addr
	}
	*addr = *from
	reg := &b.addrs[base][w]
	for i := range reg {
		if m>>i&1 != 0 {
			reg[i] = (reg[i] + offset) & 0xffff
		}
	}
	return addr
}
