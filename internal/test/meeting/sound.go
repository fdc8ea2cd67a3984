package meeting

// sound reports whether every jump, break and continue is inside the statement that it names, and
// every counter belongs to a loop around its use.
func (p *Program) sound() bool {
	for _, b := range p.blocks() {
		if !soundBlock(b, map[*Stmt]bool{}) {
			return false
		}
	}
	for _, f := range p.Funcs {
		if !soundExpr(f.Result, nil) {
			return false
		}
	}
	return true
}

func soundBlock(b Block, around map[*Stmt]bool) bool {
	for _, s := range b {
		if s.To != nil && !around[s.To] || !soundExpr(s.Value, around) || !soundExpr(s.Second, around) {
			return false
		}
		if s.Cond != nil && (!soundExpr(s.Cond.A, around) || !soundExpr(s.Cond.B, around)) {
			return false
		}
		around[s] = true
		for _, c := range s.Blocks {
			if !soundBlock(c, around) {
				return false
			}
		}
		delete(around, s)
	}
	return true
}

func soundExpr(e *Expr, around map[*Stmt]bool) bool {
	return e == nil || (e.Op != Count || around[e.Of]) && soundExpr(e.A, around) && soundExpr(e.B, around)
}
