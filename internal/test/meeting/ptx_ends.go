package meeting

import "fmt"

// end writes the end of a thread: here, or in a block that all equal ends share.
func (w *assembly) end(s *Stmt) {
	if s.Style%3 > 0 {
		w.jump(w.endLabel(s))
		return
	}
	w.finish(s)
	w.now = nil
}

// endLabel is the label of the block that ends as a statement says.
func (w *assembly) endLabel(s *Stmt) string {
	key := fmt.Sprint(s.Slot, s.Amount, s.How)
	if w.ends == nil {
		w.ends, w.endsByName = map[string]string{}, map[string]*Stmt{}
	}
	if w.ends[key] == "" {
		w.ends[key] = w.label()
		w.endOrder = append(w.endOrder, key)
		w.endsByName[key] = s
	}
	return w.ends[key]
}

// sharedEnds writes the blocks that ends share.
func (w *assembly) sharedEnds() {
	w.now = nil
	for _, key := range w.endOrder {
		w.start(w.ends[key])
		w.finish(w.endsByName[key])
		w.now = nil
	}
}

func (w *assembly) finish(s *Stmt) {
	if s.Slot >= 0 {
		w.store(s.Slot, fmt.Sprint(s.Amount))
	}
	switch {
	case s.How == Trap:
		w.op("trap")
		w.op("exit")
	case s.How == Ret && !w.function:
		w.op("ret")
	default:
		w.op("exit")
	}
}
