package planted

// expr writes an expression and returns its register.
func (w *writer) expr(x *expr) string {
	switch x.op {
	case thread:
		return "%t"
	case block:
		return "%b"
	case launch:
		return "%n"
	case drawn:
		return "%drawn"
	case round:
		return [depths]string{"%k0", "%k1"}[x.c]
	}
	r := w.reg()
	if x.op == constant {
		w.put("mov.u32 %s, %d;", r, x.c)
		return r
	}
	a := w.expr(x.a)
	switch x.op {
	case add:
		w.put("add.u32 %s, %s, %s;", r, a, w.expr(x.b))
	case from:
		w.put("sub.u32 %s, %d, %s;", r, x.c, a)
	case times:
		w.put("mul.lo.u32 %s, %s, %d;", r, a, x.c)
	case xor:
		w.put("xor.b32 %s, %s, %d;", r, a, x.c)
	case and:
		w.put("and.b32 %s, %s, %d;", r, a, x.c)
	case shift:
		w.put("shr.u32 %s, %s, %d;", r, a, x.c)
	case wrap:
		p, less := w.pred(), w.reg()
		w.put("sub.u32 %s, %s, %d;", less, a, x.c)
		w.put("setp.ge.u32 %s, %s, %d;", p, a, x.c)
		w.put("selp.u32 %s, %s, %s, %s;", r, less, a, p)
	case equal:
		p := w.pred()
		w.put("setp.eq.u32 %s, %s, %d;", p, a, x.c)
		w.put("selp.u32 %s, 1, 0, %s;", r, p)
	case table:
		at := w.reg()
		w.put("mad24.lo.u32 %s, %s, 4, %%table;", at, a)
		w.put("ld.global.u32 %s, [%s];", r, at)
	}
	return r
}
