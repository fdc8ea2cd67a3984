package meeting

// Shrink takes statements and parts of them out of a program while it stays bad. The function must
// not keep the program.
func (p *Program) Shrink(bad func() bool) {
	for p.shrinkOnce(bad) {
	}
}

// shrinkOnce tries each smaller program once.
func (p *Program) shrinkOnce(bad func() bool) (changed bool) {
	try := func(b *Block, smaller Block) bool {
		old := *b
		*b = smaller
		if p.evaluates() && bad() {
			changed = true
			return true
		}
		*b = old
		return false
	}
	var walk func(b *Block)
	walk = func(b *Block) {
		for i := 0; i < len(*b); i++ {
			s := (*b)[i]
			if try(b, splice(*b, i, nil)) {
				i--
				continue
			}
			if len(s.Blocks) > 0 {
				try(b, splice(*b, i, inner(s)))
				if (*b)[i] != s {
					i--
					continue
				}
			}
			for j := range s.Blocks {
				walk(&s.Blocks[j])
			}
		}
	}
	walk(&p.Body)
	for _, f := range p.Funcs {
		walk(&f.Body)
	}
	return changed
}

// splice is a block with one statement replaced by others.
func splice(b Block, i int, by Block) Block {
	out := append(Block{}, b[:i]...)
	out = append(out, by...)
	return append(out, b[i+1:]...)
}

// inner are the statements in a statement, without itself.
func inner(s *Stmt) (all Block) {
	for _, b := range s.Blocks {
		all = append(all, b...)
	}
	return all
}

// evaluates reports whether a program has a result.
func (p *Program) evaluates() bool {
	if !p.sound() {
		return false
	}
	_, err := p.Evaluate()
	return err == nil
}
