package driver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"jacquard/simt/check"
	"jacquard/simt/mem"
)

// blocks are the blocks of device memory that the program allocated in a context, for findings. They
// are empty without the check knob.
type blocks struct {
	live map[uint32]block // by address
	gone []block          // freed ones whose addresses are not in use again, by address
}

// block is a block of device memory.
type block struct {
	base        uint32
	size        uint64
	made, freed *callSite // the calls that allocated it and freed it
}

// end is the address behind a block.
func (b *block) end() uint64 { return uint64(b.base) + b.size }

// allocated notes a block that a call has allocated.
func (b *blocks) allocated(base uint32, size uint64, made *callSite) {
	if b.live == nil {
		b.live = map[uint32]block{}
	}
	x := block{base: base, size: size, made: made}
	b.live[base] = x
	from := b.position(base)
	if from > 0 && b.gone[from-1].end() > uint64(base) {
		from--
	}
	to := from
	for to < len(b.gone) && uint64(b.gone[to].base) < x.end() {
		to++
	}
	b.gone = slices.Delete(b.gone, from, to)
}

// position returns the index in gone of the block at an address, or where to insert one.
func (b *blocks) position(base uint32) int {
	at, _ := slices.BinarySearchFunc(b.gone, base, func(old block, base uint32) int { return cmp.Compare(old.base, base) })
	return at
}

// freed notes that a call frees a block.
func (b *blocks) freed(base uint32, freed *callSite) {
	x, ok := b.live[base]
	if !ok {
		return
	}
	delete(b.live, base)
	x.freed = freed
	b.gone = slices.Insert(b.gone, b.position(base), x)
}

// goneAt returns the freed block on whose pages an address is.
func (b *blocks) goneAt(addr uint32) (block, bool) {
	for _, x := range b.gone {
		if addr >= x.base && uint64(addr) < uint64(x.base)+mem.WithSlack(x.size) {
			return x, true
		}
	}
	return block{}, false
}

// freedAgain reports that a call frees what has been freed.
func (t *Thread) freedAgain(c *context, addr uint32) {
	at := slices.IndexFunc(c.blocks.gone, func(x block) bool { return x.base == addr })
	if at < 0 || !t.d.checks(check.KindMemory) {
		return
	}
	x := &c.blocks.gone[at]
	t.explain()
	t.d.foundAt(c.caller, "freed", check.Finding{
		Kind: check.KindMemory, What: "double-free", Space: "global",
		Text:   fmt.Sprintf("%d bytes at 0x%x are freed a second time", x.size, x.base),
		Advice: "Free the memory once, and set other pointers to it to null.",
		With:   []check.Site{t.d.blockSite(x, x.freed, "freed"), t.d.blockSite(x, x.made, "allocated")},
	})
}

// blockSite is the call that allocated or freed a block.
func (d *Driver) blockSite(b *block, s *callSite, role string) check.Site {
	site := d.site(s, role)
	base := b.base
	site.Addr, site.Size = &base, uint32(min(b.size, math.MaxUint32))
	return site
}

// explained completes a finding of an access to device memory that is not there: with the freed
// memory there, or with the nearest memory. The caller holds c's lock.
func (c *context) explained(f check.Finding) check.Finding {
	if f.Kind != check.KindMemory || f.Space != "global" || f.At.Addr == nil || f.What != "out-of-bounds" {
		return f
	}
	addr, size := *f.At.Addr, f.At.Size
	if x, ok := c.blocks.goneAt(addr); ok {
		f.What = "after-free"
		f.Text = fmt.Sprintf("an access to memory that was freed: 0x%x is byte %d of the %d bytes at 0x%x", addr, addr-x.base, x.size, x.base)
		f.Advice = "Free the memory behind the last kernel that uses it, and forget its address then."
		f.With = append(f.With, c.d.blockSite(&x, x.freed, "freed"), c.d.blockSite(&x, x.made, "allocated"))
		return f
	}
	x, name, ok := c.nearest(addr, size)
	if !ok {
		return f
	}
	where := fmt.Sprintf("%d bytes before", uint64(x.base)-uint64(addr))
	if addr >= x.base {
		where = fmt.Sprintf("%d bytes beyond the end of", uint64(addr)+uint64(size)-x.end())
	}
	f.Text = fmt.Sprintf("an access of %d bytes to 0x%x, %s the %d bytes at 0x%x%s", size, addr, where, x.size, x.base, name)
	if x.made != nil {
		f.With = append(f.With, c.d.blockSite(&x, x.made, "allocated"))
	}
	return f
}

// nearest returns the memory whose begin or end is nearest to an access, and the words for whose it
// is unless the program allocated it.
func (c *context) nearest(addr, size uint32) (near block, name string, ok bool) {
	best := uint64(math.MaxUint64)
	for base, data := range c.space.All() {
		b := block{base: base, size: uint64(len(data))}
		far := uint64(0)
		switch end := uint64(addr) + uint64(size); {
		case addr < base:
			far = uint64(base) - uint64(addr)
		case end > b.end():
			far = end - b.end()
		}
		if far < best {
			best, near, ok = far, b, true
		}
	}
	if x, mine := c.blocks.live[near.base]; mine {
		near.made = x.made
	} else if ok {
		near.made, name = c.others(near.base)
	}
	return near, name, ok
}

// others returns the call that made memory at an address which MemAlloc did not allocate, and words
// for the memory.
func (c *context) others(base uint32) (made *callSite, name string) {
	if b := c.d.host.mappedAt(c, base); b != nil {
		return b.made, ", which is mapped memory of the host"
	}
	for m := range c.d.handles.modules(c) {
		for name, v := range m.data.Variables {
			if v.Address == base {
				return nil, ", the variable " + name
			}
		}
	}
	return nil, ""
}
