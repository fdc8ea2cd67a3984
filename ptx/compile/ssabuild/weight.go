package ssabuild

import (
	"slices"

	"jacquard/ptx"
)

// weights counts what calls add to a kernel, before anything is built: a few functions that call
// others twice are a million instructions.
type weights struct {
	calls *calls
	known map[*ptx.Func]int
}

// weigh refuses a kernel whose calls add too many instructions.
func (b *builder) weigh() {
	w := &weights{b.calls, map[*ptx.Func]int{}}
	if w.callees(b.kernel, func(*ptx.Func) bool { return false }) > mostCalled {
		b.tooLarge()
	}
}

// of returns the number of instructions that a call of a function adds: its own, and the
// instructions of its calls. Functions that may call each other again are built once for a call
// from outside.
func (w *weights) of(fn *ptx.Func) int {
	if n, ok := w.known[fn]; ok {
		return n
	}
	all, knot, n := []*ptx.Func{fn}, w.calls.knot(fn), 0
	for i := 0; i < len(all) && n <= mostCalled; i++ { // the list grows
		n += instructions(all[i]) + w.callees(all[i], func(to *ptx.Func) bool {
			if knot == 0 || w.calls.knot(to) != knot {
				return false
			}
			if !slices.Contains(all, to) {
				all = append(all, to)
			}
			return true
		})
	}
	w.known[fn] = n
	return n
}

// callees returns the number of instructions that the calls of a function add, up to just above
// the limit. It leaves out the calls that near takes.
func (w *weights) callees(fn *ptx.Func, near func(to *ptx.Func) bool) int {
	n := 0
	sections := split(fn, true)
	for _, i := range reach(sections) {
		for _, s := range fn.Body[sections[i].from:sections[i].to] {
			in, ok := s.(*ptx.Instr)
			if !ok || in.Op != ptx.OpCall {
				continue
			}
			for _, to := range w.calls.callees(in) {
				if to.Body != nil && !to.Entry && n <= mostCalled && !near(to) {
					n += w.of(to)
				}
			}
		}
	}
	return n
}

// instructions counts the instructions of a function.
func instructions(fn *ptx.Func) int {
	n := 0
	for _, s := range fn.Body {
		if _, ok := s.(*ptx.Instr); ok {
			n++
		}
	}
	return n
}
