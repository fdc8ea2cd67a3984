package meeting

import "fmt"

func (w *cuda) value(e *Expr) string {
	switch e.Op {
	case Var:
		return fmt.Sprintf("v%d", e.N)
	case Const:
		return fmt.Sprintf("%du", e.N)
	case Lane:
		return "TID"
	case Same:
		return "n"
	case Count:
		return fmt.Sprintf("k%d", e.Of.ID)
	case Input:
		return fmt.Sprintf("in[%s & %d]", w.wrapped(e.A), Words-1)
	case Shift:
		return fmt.Sprintf("%s >> %d", w.wrapped(e.A), e.N)
	}
	return fmt.Sprintf("%s %c %s", w.wrapped(e.A), e.Op, w.wrapped(e.B))
}

// wrapped is a value that may stand beside an operator.
func (w *cuda) wrapped(e *Expr) string {
	if e.A == nil || e.Op == Input {
		return w.value(e)
	}
	return "(" + w.value(e) + ")"
}

func (w *cuda) cond(c *Cond) string {
	return fmt.Sprintf("%s %s %s", w.wrapped(c.A), c.Op, w.wrapped(c.B))
}

func (w *cuda) meet(s *Stmt) {
	if s.Kind == Barrier {
		w.line("__syncthreads();")
		return
	}
	if s.Kind == Masked {
		w.masked(s)
	} else if s.Kind == Exchange {
		w.line("sh[TID] = %s;", w.value(s.Value))
		w.line("__syncthreads();")
		w.line("v%d = sh[(TID + %d) %% %d];", s.Var, s.Amount, w.p.Threads)
		w.line("__syncthreads();")
	} else {
		w.line("v%d = %s;", s.Var, w.across(s))
	}
	if s.Log {
		w.line("out[%d] = v%d;", logSlot+s.ID%(finalSlot-logSlot), s.Var)
	}
}

// masked writes an operation of the lanes that find a condition true.
func (w *cuda) masked(s *Stmt) {
	name := map[Form]string{All: "__all", Any: "__any", Ballot: "__ballot", Idx: "__shfl"}[s.Form]
	ballot, mask, full := "__ballot", "", ""
	if s.Sync {
		name, ballot, mask, full = "SYNC("+name+")", "SYNC(__ballot)", "MASK(m) ", "FULL "
	}
	value := "(" + w.value(s.Value) + ") & 1"
	if s.Form == Idx {
		value = w.value(s.Value) + ", __ffs(m) - 1"
	}
	w.line("{")
	w.line("\tbool c = %s;", w.cond(s.Cond))
	w.line("\tunsigned m = %s(%sc);", ballot, full)
	w.line("\tif (c) v%d = %s(%s%s);", s.Var, name, mask, value)
	w.line("}")
}

// across is the call of an operation between lanes.
func (w *cuda) across(s *Stmt) string {
	name := ""
	switch s.Kind {
	case Active:
		return "ACTIVE()"
	case Reduce:
		return fmt.Sprintf("%s(%s) %s", map[Form]string{All: "__syncthreads_and", Any: "__syncthreads_or",
			Ballot: "__syncthreads_count"}[s.Form], w.cond(s.Cond), map[Form]string{All: "!= 0", Any: "!= 0"}[s.Form])
	case Vote:
		if s.Form == Uni {
			return fmt.Sprintf("UNI(%s)", w.cond(s.Cond))
		}
		name = map[Form]string{All: "__all", Any: "__any", Ballot: "__ballot"}[s.Form]
		if s.Sync {
			return fmt.Sprintf("SYNC(%s)(FULL %s)", name, w.cond(s.Cond))
		}
		return fmt.Sprintf("%s(%s)", name, w.cond(s.Cond))
	}
	name = map[Form]string{Idx: "__shfl", Up: "__shfl_up", Down: "__shfl_down", Bfly: "__shfl_xor"}[s.Form]
	if s.Sync {
		return fmt.Sprintf("SYNC(%s)(FULL %s, %d)", name, w.value(s.Value), s.Amount)
	}
	return fmt.Sprintf("%s(%s, %d)", name, w.value(s.Value), s.Amount)
}
