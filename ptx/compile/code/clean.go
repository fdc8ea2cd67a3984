package code

// clean simplifies the flow graph: jumps to jumps, jumps to a block that nothing else leads to, and
// blocks that nothing leads to disappear.
func clean(f *Func) {
	for again := true; again; {
		again = false
		for _, b := range f.Blocks {
			b.shorten()
		}
		f.prune()
		preds := f.predecessors()
		for _, b := range f.Blocks {
			for b.absorbs(preds) {
				b.absorb(preds)
				again = true
			}
		}
		f.prune()
	}
}

// shorten takes ways through empty blocks.
func (b *Block) shorten() {
	for i := range b.End.To {
		if b.End.To[i] != nil && !b.breaks[i] {
			b.shortenWay(i)
		}
	}
	e := &b.End
	if e.Kind == Branch && e.To[0] == e.To[1] && b.pops[0] == b.pops[1] && b.breaks[0] == b.breaks[1] {
		*e = End{Kind: Jump, To: [2]*Block{e.To[0]}, Line: e.Line}
	}
	if e.Kind == Jump && b.pops[0] == 0 && e.To[0].isExit() && len(b.joinAts) == 0 {
		*e = End{Kind: Exit, Line: e.To[0].End.Line}
	}
}

// shortenWay leads way i behind empty blocks, unless these go round in a circle.
func (b *Block) shortenWay(i int) {
	for range maxHops {
		t := b.End.To[i]
		if t == b || len(t.Code) > 0 || t.End.Kind != Jump || t.Meet || t.joins > 0 || len(t.joinAts) > 0 {
			return
		}
		b.End.To[i], b.pops[i], b.breaks[i] = t.End.To[0], t.pops[0], t.breaks[0]
		if b.breaks[i] {
			return
		}
	}
}

// maxHops bounds the empty blocks one after the other.
const maxHops = 64

// isExit reports whether the block does nothing but end the kernel.
func (b *Block) isExit() bool {
	return len(b.Code) == 0 && b.End.Kind == Exit && b.joins == 0
}

// absorbs reports whether the block that follows has no other way to it.
func (b *Block) absorbs(preds []int) bool {
	if b.End.Kind != Jump || len(b.joinAts) > 0 || b.breaks[0] {
		return false
	}
	t := b.End.To[0]
	return t != b && t.ID != 0 && preds[t.ID] == 1 && t.joins == 0 && !t.dispatches && !(b.dispatches && t.End.divides())
}

// absorb appends the block that follows.
func (b *Block) absorb(preds []int) {
	t := b.End.To[0]
	preds[t.ID] = 0
	b.Code = append(b.Code, t.Code...)
	b.End, b.joinAts, b.pops, b.breaks = t.End, t.joinAts, t.pops, t.breaks
	b.Meet, b.All, b.Bar = b.Meet || t.Meet, b.All || t.All, b.Bar || t.Bar
	t.Code, t.End, t.joinAts = nil, End{Kind: Exit}, nil
}

// predecessors returns the number of ways to each block, and numbers the blocks.
func (f *Func) predecessors() []int {
	f.number()
	n := make([]int, len(f.Blocks))
	for _, b := range f.Blocks {
		for _, s := range b.successors() {
			n[s.ID]++
		}
	}
	return n
}

// prune removes blocks that cannot be reached.
func (f *Func) prune() {
	f.number()
	seen := newSet(len(f.Blocks))
	seen.add(0)
	for list := []*Block{f.Blocks[0]}; len(list) > 0; {
		b := list[len(list)-1]
		list = list[:len(list)-1]
		for _, s := range b.successors() {
			if !seen.has(s.ID) {
				seen.add(s.ID)
				list = append(list, s)
			}
		}
	}
	kept := f.Blocks[:0]
	for i, b := range f.Blocks {
		if seen.has(i) {
			kept = append(kept, b)
		}
	}
	f.Blocks = kept
	f.number()
}
