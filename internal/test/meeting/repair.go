package meeting

import "errors"

// repair takes out operations between lanes that have no defined result: live threads do not come
// together, or a lane reads one that has ended.
func (p *Program) repair() {
	for {
		_, err := p.Evaluate()
		var apart *ApartError
		switch {
		case err == nil:
			return
		case errors.As(err, &apart):
			p.remove(func(s *Stmt) bool { return s == apart.At })
		default:
			// A thread runs too long, or comes to a trap.
			p.Body = Block{{Kind: Store, Value: &Expr{Op: Lane}}}
			return
		}
	}
}

// remove takes out all statements that a function names.
func (p *Program) remove(gone func(*Stmt) bool) {
	p.Body = without(p.Body, gone)
	for _, f := range p.Funcs {
		f.Body = without(f.Body, gone)
	}
}

func without(b Block, gone func(*Stmt) bool) (kept Block) {
	for _, s := range b {
		if gone(s) {
			continue
		}
		for i := range s.Blocks {
			s.Blocks[i] = without(s.Blocks[i], gone)
		}
		kept = append(kept, s)
	}
	return kept
}
