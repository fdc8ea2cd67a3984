package branch

import "jacquard/simt/cfg"

// order numbers the blocks of a kernel, callees before their callers and the blocks of a
// function as Lorie and Strong do: edges lead forward, but for those back to the header of a
// loop, and the blocks of a loop stand together. Addresses outside all blocks come last.
type order struct {
	rank []uint32 // by word: of the instruction there, in the order of blocks and in them by address
	ends []uint32 // by word: where the block ends; 0 outside of blocks
}

func newOrder(g *cfg.Graph) *order {
	o := &order{}
	if len(g.Functions) == 0 {
		return o
	}
	words := g.PC[len(g.Code)] / 4
	o.rank, o.ends = make([]uint32, words), make([]uint32, words)
	for i := range o.rank {
		o.rank[i] = NoStop
	}
	var n uint32
	for _, k := range calleesFirst(g) {
		f := g.Functions[k]
		for _, i := range f.Order {
			b := &f.Blocks[i]
			for word := b.Start / 4; word < b.End/4; word++ {
				if o.ends[word] == 0 { // not in a function before
					o.rank[word], o.ends[word] = n, b.End
					n++
				}
			}
		}
	}
	return o
}

// calleesFirst lists the functions so that none comes before one it calls, as far as they
// do not call each other in a circle.
func calleesFirst(g *cfg.Graph) []int {
	var list []int
	seen := make([]bool, len(g.Functions))
	var visit func(int)
	visit = func(k int) {
		seen[k] = true
		for _, c := range g.Calls {
			if c.Caller == k && !seen[c.Callee] {
				visit(c.Callee)
			}
		}
		list = append(list, k)
	}
	visit(0)
	return list
}

// of returns the number of the instruction at pc.
func (o *order) of(pc uint32) uint32 {
	if word := int(pc / 4); word < len(o.rank) {
		return o.rank[word]
	}
	return NoStop
}

// end returns where the block around pc ends, NoStop outside of blocks.
func (o *order) end(pc uint32) uint32 {
	if word := int(pc / 4); word < len(o.ends) && o.ends[word] != 0 {
		return o.ends[word]
	}
	return NoStop
}
