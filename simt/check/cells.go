package check

import "slices"

// A cell is an access to a piece of memory: its epoch, thread and instruction. The zero cell is none.
type cell uint64

// The fields of a cell, from its highest bits on.
const (
	epochBits  = 30
	threadBits = 9
	indexBits  = 24

	changesBit = 1
	indexAt    = 1
	threadAt   = indexAt + indexBits
	epochAt    = threadAt + threadBits
)

// newCell returns the cell of an access of a thread of a block.
func newCell(epoch uint32, thread int, index int32, atomic bool) cell {
	c := cell(epoch)<<epochAt | cell(thread)<<threadAt | cell(index)&(1<<indexBits-1)<<indexAt
	if atomic {
		c |= changesBit
	}
	return c
}

func (c cell) epoch() uint32 { return uint32(c >> epochAt) }

// thread is the number in the block.
func (c cell) thread() int { return int(c >> threadAt & (1<<threadBits - 1)) }

func (c cell) warp() int { return c.thread() >> 5 }

// index is that of the instruction.
func (c cell) index() int32 { return int32(c >> indexAt & (1<<indexBits - 1)) }

func (c cell) atomic() bool { return c&changesBit != 0 }

// cells have the last accesses to pieces of memory.
type cells struct {
	wrote []cell
	read  []cell // the last one
	other []cell // an earlier one, of another block or warp if there was one
	prior []cell // an atomic of another warp before the last write, an atomic, too; nil: none yet
	plain []cell // a plain write before the last writes, which are atomics; nil: none yet
}

// make makes room for n pieces.
func (c *cells) make(n int) {
	all := make([]cell, 3*n)
	c.wrote, c.read, c.other = all[:n:n], all[n:2*n:2*n], all[2*n:]
}

// noteRead notes a read. Cells before limit conflict with nothing. keep: the other read stays, not
// the last one.
func (c *cells) noteRead(i uint32, now, limit cell, keep bool) {
	switch was := c.read[i]; {
	case was>>(threadAt+5) == now>>(threadAt+5):
		c.noteLane(i, now, limit)
		return
	case !keep:
		c.other[i] = was
	}
	c.read[i] = now
}

// noteLane notes a read of the warp that has the last one, in the same epoch. Another lane of the warp
// may be on another side of a branch, so there is room for two of them unless another warp has it.
func (c *cells) noteLane(i uint32, now, limit cell) {
	was := c.read[i]
	if was>>threadAt == now>>threadAt {
		return
	}
	if c.other[i] < limit {
		c.other[i] = was
	}
	c.read[i] = now
}

// noteWrite notes a write or an atomic. Atomics do not race, so what an atomic is noted upon is kept.
// keep: the prior atomic stays, not the last one.
func (c *cells) noteWrite(i uint32, now cell, keep bool) {
	switch was := c.wrote[i]; {
	case !now.atomic():
	case !was.atomic():
		c.keep(&c.plain, i, was)
	case !keep:
		c.keep(&c.prior, i, was)
	}
	c.wrote[i] = now
}

// older returns the cell of a piece in a list that may be nil.
func older(list []cell, i uint32) cell {
	if list == nil {
		return 0
	}
	return list[i]
}

// keep notes an earlier access in a list.
func (c *cells) keep(list *[]cell, i uint32, was cell) {
	if *list == nil && was != 0 {
		*list = make([]cell, len(c.wrote))
	}
	if *list != nil {
		(*list)[i] = was
	}
}

// pages have the cells of device memory.
type pages struct {
	table [1 << 12]*[1 << 10]*cells
	used  []**cells
	spare []*cells
}

// pieceBits is the number of pieces of a page, as a power of two.
const pieceBits = 10

// of returns the page of a piece.
func (p *pages) of(piece uint32) *cells {
	n := piece >> pieceBits
	leaf := &p.table[n>>10&(1<<12-1)]
	if *leaf == nil {
		*leaf = new([1 << 10]*cells)
	}
	at := &(*leaf)[n&(1<<10-1)]
	if *at == nil {
		if k := len(p.spare) - 1; k >= 0 {
			*at, p.spare = p.spare[k], p.spare[:k]
		} else {
			*at = new(cells)
			(*at).make(1 << pieceBits)
		}
		p.used = append(p.used, at)
	}
	return *at
}

// keptPage is a page as it was.
type keptPage struct {
	at   **cells
	page *cells
}

// copies returns all pages as they are now.
func (p *pages) copies() []keptPage {
	list := make([]keptPage, len(p.used))
	for i, at := range p.used {
		c := **at
		for _, cells := range [...]*[]cell{&c.wrote, &c.read, &c.other, &c.prior, &c.plain} {
			*cells = slices.Clone(*cells)
		}
		list[i] = keptPage{at, &c}
	}
	return list
}

// back makes the pages as they were when they were copied.
func (p *pages) back(list []keptPage) {
	p.recycle()
	for _, k := range list {
		*k.at = k.page
		p.used = append(p.used, k.at)
	}
}

// recycle forgets all pages. Their cells stay: epochs of earlier launches tell nothing.
func (p *pages) recycle() {
	for _, at := range p.used {
		p.spare = append(p.spare, *at)
		*at = nil
	}
	p.used = p.used[:0]
}
