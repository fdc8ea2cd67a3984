package view

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"jacquard/internal/plain"
	"jacquard/observe/trace"
	"jacquard/simt/lane"
)

// Difference is the first difference of two traces.
type Difference struct {
	Same uint64 // warp-instructions before it
	What string // the differing thing, in words
	A, B string // the two sides
}

// Ignore selects what Diff does not compare.
type Ignore struct {
	Time   bool
	Values bool
}

// Diff compares two traces in the order of launch, block, time and warp. It returns the first
// difference, nil if there is none, and the number of warp-instructions compared. It compares
// values and the policy's states if both traces have them.
func Diff(a, b *trace.File, filter *trace.Filter, ignore Ignore) (d *Difference, count uint64, err error) {
	x, y := newWalk(a, filter), newWalk(b, filter)
	defer x.stop()
	defer y.stop()
	for {
		more, also := x.advance(), y.advance()
		switch {
		case x.err != nil:
			return nil, count, fmt.Errorf("the first trace: %w", x.err)
		case y.err != nil:
			return nil, count, fmt.Errorf("the second trace: %w", y.err)
		case !more && !also:
			return nil, count, nil
		}
		if what := x.differs(y, ignore); what != "" {
			return &Difference{count, what, x.String(), y.String()}, count, nil
		}
		if x.k == x.step.N-1 || !x.step.Mixed {
			count++
		}
	}
}

// walk iterates over the warp-instructions of a trace.
type walk struct {
	file *trace.File
	next func() (*trace.Step, error, bool)
	stop func()
	step *trace.Step // nil at the end
	k    int         // position of the warp
	err  error
}

func newWalk(f *trace.File, filter *trace.Filter) *walk {
	w := &walk{file: f}
	w.next, w.stop = iter.Pull2(f.Steps(filter))
	return w
}

// advance moves to the next warp-instruction. It reports false at the end.
func (w *walk) advance() bool {
	if w.step != nil && w.k+1 < w.step.N {
		w.k++
		return true
	}
	w.k = 0
	w.step, w.err, _ = w.next()
	return w.step != nil && w.err == nil
}

func (w *walk) kernel() *trace.Kernel { return w.file.Launch(w.step.Launch).Kernel }

// String describes the position of the walk.
func (w *walk) String() string {
	if w.step == nil {
		return "the trace ends"
	}
	return plain.Sprintf("launch %d, %s, block %d: %s", w.step.Launch, w.kernel().Name, w.step.Block, strings.TrimSpace(Line(w.kernel(), w.step, w.k)))
}

// differs names what differs between the positions of two walks, "" if nothing.
func (w *walk) differs(o *walk, ignore Ignore) string {
	if w.step == nil || o.step == nil {
		return "one trace is longer"
	}
	a, b := w.step, o.step
	i, j := w.k, o.k
	switch {
	case a.Launch != b.Launch:
		return "launch"
	case w.kernel().Name != o.kernel().Name:
		return "kernel"
	case a.Block != b.Block:
		return "block"
	case !ignore.Time && a.Time != b.Time:
		return "time"
	case a.Warp[i] != b.Warp[j]:
		return "warp"
	case w.kernel().PCs[a.Index] != o.kernel().PCs[b.Index]:
		return "pc"
	case w.kernel().Code[a.Index].Raw != o.kernel().Code[b.Index].Raw:
		return "instruction"
	case a.Active[i] != b.Active[j]:
		return "active lanes"
	case a.Executed[i] != b.Executed[j] || a.Vetoed>>a.Warp[i]&1 != b.Vetoed>>b.Warp[j]&1:
		return "lanes that executed"
	case ignore.Values:
		return ""
	}
	if i < len(a.States) && j < len(b.States) && !a.States[i].Same(b.States[j]) {
		return fmt.Sprintf("what the policy keeps, %s and %s", a.States[i].Text(a.Mixed, hex), b.States[j].Text(b.Mixed, hex))
	}
	return values(a, b, int(a.Warp[i]))
}

// values names the value of a warp that differs between two steps, "" if none.
func values(a, b *trace.Step, warp int) string {
	for i := range a.Values {
		v := &a.Values[i]
		k := slices.IndexFunc(b.Values, func(o trace.Value) bool { return o.Warp == warp && o.Slot == v.Slot })
		if v.Warp != warp || k < 0 {
			continue
		}
		for l := range lane.Width {
			if v.Row[l] != b.Values[k].Row[l] {
				return fmt.Sprintf("%s of lane %d, %s and %s", v.Name(), l, word(v, l), word(&b.Values[k], l))
			}
		}
	}
	return ""
}
