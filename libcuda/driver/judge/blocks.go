package judge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"jacquard/simt/check"
	"jacquard/simt/mem"
)

// Blocks are the blocks of device memory that the program allocated in a context, for findings. They
// are empty without the check knob.
type Blocks struct {
	live map[uint32]Block // by address
	gone []Block          // freed ones whose addresses are not in use again, by address
}

// Block is a block of device memory.
type Block struct {
	Base        uint32
	Size        uint64
	Made, Freed *Call // the calls that allocated it and freed it
}

// End is the address behind a block.
func (b *Block) End() uint64 { return uint64(b.Base) + b.Size }

// Allocated notes a block that a call has allocated.
func (b *Blocks) Allocated(base uint32, size uint64, made *Call) {
	if b.live == nil {
		b.live = map[uint32]Block{}
	}
	x := Block{Base: base, Size: size, Made: made}
	b.live[base] = x
	from := b.position(base)
	if from > 0 && b.gone[from-1].End() > uint64(base) {
		from--
	}
	to := from
	for to < len(b.gone) && uint64(b.gone[to].Base) < x.End() {
		to++
	}
	b.gone = slices.Delete(b.gone, from, to)
}

// position returns the index in gone of the block at an address, or where to insert one.
func (b *Blocks) position(base uint32) int {
	at, _ := slices.BinarySearchFunc(b.gone, base, func(old Block, base uint32) int { return cmp.Compare(old.Base, base) })
	return at
}

// Free notes that a call frees a block.
func (b *Blocks) Free(base uint32, freed *Call) {
	x, ok := b.live[base]
	if !ok {
		return
	}
	delete(b.live, base)
	x.Freed = freed
	b.gone = slices.Insert(b.gone, b.position(base), x)
}

// GoneAt returns the freed block on whose pages an address is.
func (b *Blocks) GoneAt(addr uint32) (Block, bool) {
	for _, x := range b.gone {
		if addr >= x.Base && uint64(addr) < uint64(x.Base)+mem.WithSlack(x.Size) {
			return x, true
		}
	}
	return Block{}, false
}

// Live yields the blocks in use, by address.
func (b *Blocks) Live(yield func(Block) bool) {
	for _, base := range slices.Sorted(maps.Keys(b.live)) {
		if !yield(b.live[base]) {
			return
		}
	}
}

// Made returns the call that allocated the block in use at an address.
func (b *Blocks) Made(base uint32) (made *Call, ok bool) {
	x, ok := b.live[base]
	return x.Made, ok
}

// FreedAgain reports that a call of a thread frees what has been freed.
func (j *Judge) FreedAgain(t *Thread, b *Blocks, addr uint32) {
	at := slices.IndexFunc(b.gone, func(x Block) bool { return x.Base == addr })
	if at < 0 || !j.judges(check.KindMemory) {
		return
	}
	x := &b.gone[at]
	t.explain(j)
	j.found(j.Call(t), "freed", check.Finding{
		Kind: check.KindMemory, What: "double-free", Space: "global",
		Text:   fmt.Sprintf("%d bytes at 0x%x are freed a second time", x.Size, x.Base),
		Advice: "Free the memory once, and set other pointers to it to null.",
		With:   []check.Site{j.BlockSite(x, x.Freed, "freed"), j.BlockSite(x, x.Made, "allocated")},
	})
}

// BlockSite is the call that allocated or freed a block.
func (j *Judge) BlockSite(b *Block, s *Call, role string) check.Site {
	site := j.Site(s, role)
	base := b.Base
	site.Addr, site.Size = &base, uint32(min(b.Size, math.MaxUint32))
	return site
}

// Explain completes a finding of an access to device memory that is not there, of which nearest
// returns the memory whose begin or end is nearest: with the freed memory there, or with that.
func (j *Judge) Explain(f check.Finding, b *Blocks, nearest func(addr, size uint32) (near Block, name string, ok bool)) check.Finding {
	if f.Kind != check.KindMemory || f.Space != "global" || f.At.Addr == nil || f.What != "out-of-bounds" {
		return f
	}
	addr, size := *f.At.Addr, f.At.Size
	if x, ok := b.GoneAt(addr); ok {
		f.What = "after-free"
		f.Text = fmt.Sprintf("an access to memory that was freed: 0x%x is byte %d of the %d bytes at 0x%x", addr, addr-x.Base, x.Size, x.Base)
		f.Advice = "Free the memory behind the last kernel that uses it, and forget its address then."
		f.With = append(f.With, j.BlockSite(&x, x.Freed, "freed"), j.BlockSite(&x, x.Made, "allocated"))
		return f
	}
	x, name, ok := nearest(addr, size)
	if !ok {
		return f
	}
	where := fmt.Sprintf("%d bytes before", uint64(x.Base)-uint64(addr))
	if addr >= x.Base {
		where = fmt.Sprintf("%d bytes beyond the end of", uint64(addr)+uint64(size)-x.End())
	}
	f.Text = fmt.Sprintf("an access of %d bytes to 0x%x, %s the %d bytes at 0x%x%s", size, addr, where, x.Size, x.Base, name)
	if x.Made != nil {
		f.With = append(f.With, j.BlockSite(&x, x.Made, "allocated"))
	}
	return f
}
