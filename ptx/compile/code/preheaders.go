package code

// addPreheaders puts an empty block in front of every loop that lanes enter in more than one way. If
// it matters that lanes meet, a loop with several ways to its next round gets one block before that.
func addPreheaders(f *Func) {
	g := newSegments(f)
	meets := f.Meets()
	for _, head := range g.Order {
		if g.loop[head] != head {
			continue
		}
		h := f.Blocks[head]
		var outside, back []*Block
		for _, p := range g.pred[head] {
			if g.Dominates(head, p) {
				back = append(back, f.Blocks[p])
			} else {
				outside = append(outside, f.Blocks[p])
			}
		}
		if meets && len(back) > 1 {
			f.divert(back, h, h.Depth)
		}
		switch {
		case head == 0:
			f.Blocks = append([]*Block{empty(h)}, f.Blocks...)
		case len(outside) != 1 || outside[0].End.Kind != Jump:
			f.divert(outside, h, max(h.Depth-1, 0))
		}
	}
}

// divert leads the ways from some blocks to another through a new empty one.
func (f *Func) divert(from []*Block, to *Block, depth int) *Block {
	pre := empty(to)
	pre.Depth = depth
	for _, p := range from {
		p.redirect(to, pre)
	}
	f.Blocks = append(f.Blocks, pre)
	return pre
}

// empty returns a block that leads to another.
func empty(to *Block) *Block {
	return &Block{Depth: max(to.Depth-1, 0), End: End{Kind: Jump, To: [2]*Block{to}, Line: to.line()}}
}

// redirect leads ways to one block to another.
func (b *Block) redirect(from, to *Block) {
	for i := range b.End.To {
		if b.End.To[i] == from {
			b.End.To[i] = to
		}
	}
}
