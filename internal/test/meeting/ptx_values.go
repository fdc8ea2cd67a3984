package meeting

import "fmt"

// value writes an expression and returns where its value is.
func (w *assembly) value(e *Expr) string {
	switch e.Op {
	case Var:
		return fmt.Sprintf("%%v%d", e.N)
	case Const:
		return fmt.Sprint(e.N)
	case Lane:
		return "%t"
	case Same:
		return "%n"
	case Count:
		return fmt.Sprintf("%%k%d", e.Of.ID)
	case Input:
		return w.input(e)
	}
	a := w.value(e.A)
	if e.Op == Shift {
		r := w.reg()
		w.op("shr.u32 %s, %s, %d", r, a, e.N)
		return r
	}
	b, r := w.value(e.B), w.reg()
	name := map[Op]string{Add: "add.u32", Sub: "sub.u32", Mul: "mul.lo.u32", Xor: "xor.b32", And: "and.b32", Or: "or.b32"}[e.Op]
	w.op("%s %s, %s, %s", name, r, a, b)
	return r
}

// input writes a load of the input.
func (w *assembly) input(e *Expr) string {
	at, r := w.reg(), w.reg()
	w.op("and.b32 %s, %s, %d", at, w.value(e.A), Words-1)
	w.op("mul.wide.u32 %%d0, %s, 4", at)
	w.op("add.u64 %%d0, %%in, %%d0")
	w.op("ld.global.u32 %s, [%%d0]", r)
	return r
}

func (w *assembly) cond(c *Cond) string {
	a, b, p := w.value(c.A), w.value(c.B), w.pred()
	w.op("setp.%s.u32 %s, %s, %s", map[string]string{"==": "eq", "!=": "ne", "<": "lt", ">=": "ge"}[c.Op], p, a, b)
	return p
}

// meet writes an operation between lanes.
func (w *assembly) meet(s *Stmt) {
	d := fmt.Sprintf("%%v%d", s.Var)
	switch s.Kind {
	case Barrier:
		w.op("%s", w.barrier(s))
		return
	case Active:
		w.op("activemask.b32 %s", d)
	case Vote:
		w.vote(s, d)
	case Reduce:
		w.reduce(s, d)
	case Shuffle:
		w.shuffle(s, d)
	case Exchange:
		w.exchange(s, d)
	case Masked:
		w.masked(s, d)
	}
	if s.Log {
		w.store(logSlot+s.ID%(finalSlot-logSlot), d)
	}
}

func (w *assembly) barrier(s *Stmt) string {
	if s.Sync {
		return "barrier.sync 0"
	}
	return "bar.sync 0"
}

func (w *assembly) vote(s *Stmt, d string) {
	p := w.cond(s.Cond)
	sync, mask := "", ""
	if s.Sync {
		sync, mask = ".sync", ", 0xffffffff"
	}
	if s.Form == Ballot {
		w.op("vote%s.ballot.b32 %s, %s%s", sync, d, p, mask)
		return
	}
	q := w.pred()
	w.op("vote%s.%s.pred %s, %s%s", sync, map[Form]string{All: "all", Any: "any", Uni: "uni"}[s.Form], q, p, mask)
	w.op("selp.u32 %s, 1, 0, %s", d, q)
}

func (w *assembly) reduce(s *Stmt, d string) {
	p := w.cond(s.Cond)
	if s.Form == Ballot {
		w.op("bar.red.popc.u32 %s, 0, %s", d, p)
		return
	}
	q := w.pred()
	w.op("bar.red.%s.pred %s, 0, %s", map[Form]string{All: "and", Any: "or"}[s.Form], q, p)
	w.op("selp.u32 %s, 1, 0, %s", d, q)
}

func (w *assembly) shuffle(s *Stmt, d string) {
	c := 31
	if s.Form == Up {
		c = 0
	}
	sync, mask := "", ""
	if s.Sync {
		sync, mask = ".sync", ", 0xffffffff"
	}
	form := map[Form]string{Idx: "idx", Up: "up", Down: "down", Bfly: "bfly"}[s.Form]
	a := w.register(w.value(s.Value))
	w.op("shfl%s.%s.b32 %s, %s, %d, %d%s", sync, form, d, a, s.Amount, c, mask)
}

// masked writes an operation of the lanes that find a condition true.
func (w *assembly) masked(s *Stmt, d string) {
	sync, full := "", ""
	if s.Sync {
		sync, full = ".sync", ", 0xffffffff"
	}
	p, v, m, q, after := w.cond(s.Cond), w.value(s.Value), w.reg(), w.pred(), w.label()
	w.op("vote%s.ballot.b32 %s, %s%s", sync, m, p, full)
	w.op("@!%s bra %s", p, after)
	w.start(w.label())
	mask := ""
	if s.Sync {
		mask = ", " + m
	}
	switch s.Form {
	case Idx:
		first := w.reg()
		w.op("brev.b32 %s, %s", first, m)
		w.op("clz.b32 %s, %s", first, first)
		w.op("shfl%s.idx.b32 %s, %s, %s, 31%s", sync, d, w.register(v), first, mask)
	case Ballot:
		w.op("vote%s.ballot.b32 %s, %s%s", sync, d, w.bit(v), mask)
	default:
		w.op("vote%s.%s.pred %s, %s%s", sync, map[Form]string{All: "all", Any: "any"}[s.Form], q, w.bit(v), mask)
		w.op("selp.u32 %s, 1, 0, %s", d, q)
	}
	w.start(after)
}

// bit is the lowest bit of a value, as a predicate.
func (w *assembly) bit(v string) string {
	r, p := w.reg(), w.pred()
	w.op("and.b32 %s, %s, 1", r, v)
	w.op("setp.ne.u32 %s, %s, 0", p, r)
	return p
}

// register is a register with a value.
func (w *assembly) register(v string) string {
	r := w.reg()
	w.op("mov.u32 %s, %s", r, v)
	return r
}

// exchange writes an exchange through shared memory between two barriers.
func (w *assembly) exchange(s *Stmt, d string) {
	base, at := w.reg(), w.reg()
	v := w.value(s.Value)
	w.op("mov.u32 %s, sh", base)
	w.op("mad.lo.u32 %s, %%t, 4, %s", at, base)
	w.op("st.shared.u32 [%s], %s", at, v)
	w.op("%s", w.barrier(s))
	w.op("add.u32 %s, %%t, %d", at, s.Amount)
	w.op("rem.u32 %s, %s, %d", at, at, w.p.Threads)
	w.op("mad.lo.u32 %s, %s, 4, %s", at, at, base)
	w.op("ld.shared.u32 %s, [%s]", d, at)
	w.op("bar.sync 0")
}
