package meeting

import "fmt"

func (w *assembly) block(b Block) {
	for _, s := range b {
		if w.now == nil {
			return // nothing comes here
		}
		w.statement(s)
	}
}

func (w *assembly) statement(s *Stmt) {
	switch s.Kind {
	case Set:
		w.op("mov.u32 %%v%d, %s", s.Var, w.value(s.Value))
	case Store:
		w.store(s.Slot, w.value(s.Value))
	case If:
		w.branch(s)
	case Switch:
		w.choice(s)
	case Loop:
		w.loop(s)
	case Region:
		w.region(s)
	case Jump, Break, Continue:
		w.jump(w.target(s))
	case End:
		w.end(s)
	case Return:
		w.op("st.param.u32 [r], %s", w.value(s.Value))
		w.op("ret")
		w.now = nil
	case Call:
		w.call(s)
	default:
		w.meet(s)
	}
}

// target is the label to which a statement goes.
func (w *assembly) target(s *Stmt) string {
	for _, x := range w.exits {
		if x.of != s.To {
			continue
		}
		switch {
		case s.Kind == Continue:
			return x.again
		case s.Kind == Jump && s.Tail > 0:
			return x.tails[s.Tail-1]
		}
		return x.after
	}
	panic("meeting: a statement leaves what is not around it")
}

// branch writes an if: with the block or its alternative first, or as one branch that leaves.
func (w *assembly) branch(s *Stmt) {
	p := w.cond(s.Cond)
	if len(s.Blocks[0]) == 1 && len(s.Blocks[1]) == 0 && s.Style%4 > 0 && w.leave(p, s.Blocks[0][0]) {
		return
	}
	then, other, after := w.label(), w.label(), w.label()
	if s.Style&16 > 0 {
		w.op("@%s bra %s", p, then)
		w.start(other)
		w.block(s.Blocks[1])
		w.jump(after)
		w.start(then)
		w.block(s.Blocks[0])
		w.start(after)
		return
	}
	if len(s.Blocks[1]) == 0 {
		other = after
	}
	w.op("@!%s bra %s", p, other)
	w.start(then)
	w.block(s.Blocks[0])
	if other != after {
		w.jump(after)
		w.start(other)
		w.block(s.Blocks[1])
	}
	w.start(after)
}

// leave writes a conditional statement that leaves in one instruction, if there is one.
func (w *assembly) leave(p string, s *Stmt) bool {
	switch {
	case s.Kind == Jump || s.Kind == Break || s.Kind == Continue:
		w.op("@%s bra %s", p, w.target(s))
	case s.Kind == End && s.Style%3 > 0:
		w.op("@%s bra %s", p, w.endLabel(s))
	case s.Kind == End && s.Slot < 0 && s.How == Ret && !w.function:
		w.op("@%s ret", p)
	case s.Kind == End && s.Slot < 0 && s.How <= Exit:
		w.op("@%s exit", p)
	case s.Kind == End && s.Slot < 0 && s.How == Trap:
		w.op("@%s trap", p)
	default:
		return false
	}
	return true
}

// choice writes a switch: by a table, or by comparisons.
func (w *assembly) choice(s *Stmt) {
	n := len(s.Blocks)
	labels := make([]string, n+1)
	for i := range labels {
		labels[i] = w.label()
	}
	x := w.reg()
	w.op("rem.u32 %s, %s, %d", x, w.value(s.Value), n)
	if s.Style%2 > 0 {
		w.tables++
		list := ""
		for i, l := range labels[:n] {
			if i > 0 {
				list += ", "
			}
			list += l
		}
		w.op("T%d: .branchtargets %s", w.tables, list)
		w.op("brx.idx %s, T%d", x, w.tables)
	} else {
		for i, l := range labels[:n-1] {
			p := w.pred()
			w.op("setp.eq.u32 %s, %s, %d", p, x, i)
			w.op("@%s bra %s", p, l)
		}
		w.op("bra %s", labels[n-1])
	}
	w.now = nil
	w.falls(s, labels, 0)
	w.start(labels[n])
}

// falls writes the blocks from one on, each with its label; the last label marks the end.
func (w *assembly) falls(s *Stmt, labels []string, from int) {
	for i := from; i < len(s.Blocks); i++ {
		w.start(labels[i])
		w.block(s.Blocks[i])
		if !s.Next[i] {
			w.jump(labels[len(labels)-1])
		}
	}
}

// loop writes a loop: with its test before the blocks, behind them, or nowhere.
func (w *assembly) loop(s *Stmt) {
	w.counters = append(w.counters, s.ID)
	k, n, p := fmt.Sprintf("%%k%d", s.ID), "", w.pred()
	x := exit{of: s, after: w.label(), again: w.label()}
	head, middle := w.label(), w.label()
	rotated := s.Style%2 > 0
	if s.Value != nil {
		n = w.register(w.value(&Expr{Op: And, A: s.Value, B: &Expr{Op: Const, N: 7}}))
		if rotated || s.Cond != nil {
			q := w.pred()
			w.op("setp.eq.u32 %s, %s, 0", q, n)
			w.op("@%s bra %s", q, x.after)
		}
	}
	w.op("mov.u32 %s, 0", k)
	late, each := "", ""
	if s.Second != nil {
		each = w.register(w.value(&Expr{Op: And, A: s.Second, B: &Expr{Op: Const, N: 3}}))
		late = w.register(each)
	}
	if s.Cond != nil {
		w.op("@%s bra %s", w.cond(s.Cond), middle)
	}
	w.start(head)
	if s.Value != nil && !rotated {
		w.op("setp.ge.u32 %s, %s, %s", p, k, n)
		w.op("@%s bra %s", p, x.after)
	}
	round := w.label()
	if s.Second != nil {
		q := w.pred()
		w.op("setp.gt.s32 %s, %s, 0", q, late)
		w.op("sub.u32 %s, %s, 1", late, late)
		w.op("@%s bra %s", q, round)
	}
	w.exits = append(w.exits, x)
	w.block(s.Blocks[0])
	w.start(middle)
	for _, b := range s.Blocks[1:] {
		w.block(b)
	}
	w.exits = w.exits[:len(w.exits)-1]
	w.start(x.again)
	w.op("add.u32 %s, %s, 1", k, k)
	if s.Second != nil {
		w.op("mov.u32 %s, %s", late, each)
		w.start(round)
	}
	if s.Value != nil && rotated {
		w.op("setp.lt.u32 %s, %s, %s", p, k, n)
		w.op("@%s bra %s", p, head)
	} else {
		w.jump(head)
	}
	w.start(x.after)
}

func (w *assembly) region(s *Stmt) {
	x := exit{of: s, after: w.label()}
	labels := []string{""}
	for range s.Blocks[1:] {
		labels = append(labels, w.label())
	}
	x.tails = labels[1:]
	w.exits = append(w.exits, x)
	w.block(s.Blocks[0])
	if len(s.Blocks) > 1 {
		w.jump(x.after)
	}
	w.falls(s, append(labels, x.after), 1)
	w.exits = w.exits[:len(w.exits)-1]
	w.start(x.after)
}

func (w *assembly) call(s *Stmt) {
	w.calls++
	a, b := w.value(s.Value), w.value(s.Second)
	w.op("{ .param .u32 r; .param .u64 i; .param .u64 o; .param .u32 n; .param .u32 a; .param .u32 b")
	w.op("st.param.u64 [i], %%in")
	w.op("st.param.u64 [o], %%out")
	w.op("st.param.u32 [n], %%n")
	w.op("st.param.u32 [a], %s", a)
	w.op("st.param.u32 [b], %s", b)
	w.op("call.uni (r), f%d, (i, o, n, a, b)", s.Func)
	w.op("ld.param.u32 %%v%d, [r]; }", s.Var)
}
