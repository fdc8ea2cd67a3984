package code

import (
	"cmp"
	"slices"
)

// layout orders the blocks so that the ways that lanes take most often need no jump. The entry
// stays first. A loop whose header tests comes out with the test at its end.
func layout(f *Func) {
	f.number()
	c := newChains(f)
	c.link()
	c.place()
	f.number()
}

// chains is lists of blocks that follow each other.
type chains struct {
	f          *Func
	next, prev []*Block
	head       []*Block // by block, with shortcuts: the first block of its chain
}

// way is a way from a block to another that needs no jump if they follow each other.
type way struct {
	from, to *Block
	gain     int
}

func newChains(f *Func) *chains {
	n := len(f.Blocks)
	c := &chains{f: f, next: make([]*Block, n), prev: make([]*Block, n), head: make([]*Block, n)}
	copy(c.head, f.Blocks)
	return c
}

// link makes blocks follow each other, beginning where that saves most.
func (c *chains) link() {
	var ways []way
	for _, b := range c.f.Blocks {
		for i, t := range b.successors() {
			if t.ID == 0 || b.pops[i] < t.joins {
				continue
			}
			ways = append(ways, way{b, t, b.gain(i)})
		}
	}
	slices.SortStableFunc(ways, func(a, b way) int { return cmp.Compare(b.gain, a.gain) })
	for _, w := range ways {
		if c.next[w.from.ID] != nil || c.prev[w.to.ID] != nil || c.first(w.from) == c.first(w.to) {
			continue
		}
		c.next[w.from.ID], c.prev[w.to.ID] = w.to, w.from
		c.head[w.to.ID] = c.first(w.from)
	}
}

// gain estimates what it saves if the block at way i comes next: a jump whenever lanes go there, or,
// after a branch, whenever lanes go there that would need one more jump.
func (b *Block) gain(i int) int {
	w := 8 * frequency(b)
	if b.End.Kind == Jump {
		return w
	}
	t, other := b.End.To[i], b.End.To[1-i]
	if t.Depth < other.Depth {
		w /= 8
	}
	w /= 2
	if i == 1 {
		w++
	}
	return w
}

// first returns the first block of the chain of b.
func (c *chains) first(b *Block) *Block {
	for c.head[b.ID] != b {
		c.head[b.ID] = c.head[c.head[b.ID].ID]
		b = c.head[b.ID]
	}
	return b
}

// place puts chains one after the other: first that of the entry, then those that come next in
// the order in which lanes can get there.
func (c *chains) place() {
	g := newGraph(c.f)
	blocks := c.f.Blocks
	placed := make([]bool, len(blocks))
	out := make([]*Block, 0, len(blocks))
	for _, i := range g.rpo {
		if placed[i] {
			continue
		}
		for b := c.first(blocks[i]); b != nil; b = c.next[b.ID] {
			placed[b.ID] = true
			out = append(out, b)
		}
	}
	c.f.Blocks = out
}
