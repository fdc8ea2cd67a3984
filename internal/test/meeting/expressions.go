package meeting

// expr makes an expression of some depth.
func (g *maker) expr(depth int) *Expr {
	if depth == 0 || g.one(4) {
		return g.leaf()
	}
	switch g.r.IntN(8) {
	case 0:
		return &Expr{Op: Input, A: g.expr(depth - 1)}
	case 1:
		return &Expr{Op: Shift, A: g.expr(depth - 1), N: 1 + g.r.Uint32N(4)}
	default:
		return &Expr{Op: Op("+++-*^&|"[g.r.IntN(8)]), A: g.expr(depth - 1), B: g.leaf()}
	}
}

func (g *maker) leaf() *Expr {
	switch n := g.r.IntN(9); {
	case n < 3:
		return &Expr{Op: Var, N: g.r.Uint32N(vars)}
	case n < 5:
		return &Expr{Op: Lane}
	case n < 6 && len(g.loops) > 0:
		return &Expr{Op: Count, Of: g.loops[g.r.IntN(len(g.loops))]}
	case n < 7:
		return &Expr{Op: Same}
	}
	return &Expr{Op: Const, N: 1 + g.r.Uint32N(31)}
}

// uniform makes an expression that is equal for all threads that come to it.
func (g *maker) uniform() *Expr {
	switch g.r.IntN(4) {
	case 0:
		return &Expr{Op: Same}
	case 1:
		return &Expr{Op: Input, A: &Expr{Op: Const, N: g.r.Uint32N(Words)}}
	case 2:
		return &Expr{Op: Const, N: 1 + g.r.Uint32N(4)}
	}
	return &Expr{Op: Xor, A: &Expr{Op: Same}, B: &Expr{Op: Const, N: 1 + g.r.Uint32N(3)}}
}

// cond makes a condition: of the lane, of the data, uniform or never true.
func (g *maker) cond() *Cond {
	c := &Cond{Op: []string{"==", "!=", "<", ">="}[g.r.IntN(4)]}
	n := g.r.IntN(10)
	switch {
	case n < 3:
		c.A = &Expr{Op: And, A: &Expr{Op: Lane}, B: &Expr{Op: Const, N: 1 + g.r.Uint32N(31)}}
		c.B = &Expr{Op: Const, N: g.r.Uint32N(8)}
	case n < 6:
		c.A = &Expr{Op: And, A: g.expr(2), B: &Expr{Op: Const, N: 7}}
		c.B = &Expr{Op: Const, N: g.r.Uint32N(6)}
	case n < 8:
		c.A, c.B, c.Op, c.Never = &Expr{Op: Input, A: g.leaf()}, &Expr{Op: Const, N: Magic}, "==", true
	case n < 9:
		c.A, c.B = g.uniform(), &Expr{Op: Const, N: g.r.Uint32N(4)}
	default:
		c.A, c.B = g.expr(1), g.expr(1)
	}
	if g.voted >= 0 && g.one(6) {
		c.A, c.B = &Expr{Op: Var, N: uint32(g.voted)}, &Expr{Op: Const, N: g.r.Uint32N(4)}
		c.Op, c.Never, c.Voted = "<", false, true
	}
	return c
}

// uniformExpr reports whether an expression is equal for all threads, as its form shows. Counters
// are equal in the loops that all threads run together; nil stands for all loops.
func uniformExpr(e *Expr, together map[*Stmt]bool) bool {
	switch e.Op {
	case Const, Same:
		return true
	case Var, Lane:
		return false
	case Count:
		return together == nil || together[e.Of]
	}
	return uniformExpr(e.A, together) && (e.B == nil || uniformExpr(e.B, together))
}

func uniformCond(c *Cond, together map[*Stmt]bool) bool {
	return c.Never || c.Voted || uniformExpr(c.A, together) && uniformExpr(c.B, together)
}
