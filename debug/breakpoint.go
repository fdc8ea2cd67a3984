package debug

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/debug/expr"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// breakpoint is a Breakpoint with its state.
type breakpoint struct {
	Breakpoint
	condition *expr.Node // nil: none
	counts    func(n int) bool
	pieces    []piece // of Log
	hits      int

	// In the present kernel.
	at    []int        // instructions
	line  int          // of code
	seen  *Place       // in the first kernel that had it
	never map[int]bool // blocks in which the condition cannot hold, as far as it is known
	was   []byte       // of a watchpoint: the content when it was last looked at
}

// piece is a part of a message: text, or an expression.
type piece struct {
	text string
	node *expr.Node
}

// SetBreakpoints implements Target.
func (s *Session) SetBreakpoints(list []Breakpoint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var made []*breakpoint
	for _, b := range list {
		m, err := newBreakpoint(b)
		if err != nil {
			return fmt.Errorf("breakpoint %d: %w", b.ID, err)
		}
		for _, old := range s.breakpoints {
			if old.ID == b.ID {
				m.hits, m.was, m.seen = old.hits, old.was, old.seen
			}
		}
		made = append(made, m)
	}
	s.breakpoints = made
	s.resolve()
	s.attend()
	return nil
}

// Check returns the error with which SetBreakpoints would refuse a breakpoint.
func (b Breakpoint) Check() error {
	_, err := newBreakpoint(b)
	return err
}

func newBreakpoint(b Breakpoint) (*breakpoint, error) {
	m := &breakpoint{Breakpoint: b}
	var err error
	if b.Condition != "" {
		if m.condition, err = expr.Parse(b.Condition); err != nil {
			return nil, err
		}
	}
	if m.counts, err = parseHits(b.Hits); err != nil {
		return nil, err
	}
	if m.pieces, err = parseLog(b.Log); err != nil {
		return nil, err
	}
	if w := b.Watch; w != nil && w.Register == "" && w.Size <= 0 {
		return nil, errors.New("a watchpoint needs bytes to watch")
	}
	return m, nil
}

// parseHits parses which hits of a breakpoint count.
func parseHits(text string) (func(int) bool, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return func(int) bool { return true }, nil
	}
	op := strings.TrimRight(text, "0123456789 ")
	n, err := strconv.Atoi(strings.TrimSpace(text[len(op):]))
	if err == nil && (n > 0 || op != "%") {
		switch strings.TrimSpace(op) {
		case "", "==", "=":
			return func(hits int) bool { return hits == n }, nil
		case ">=":
			return func(hits int) bool { return hits >= n }, nil
		case ">":
			return func(hits int) bool { return hits > n }, nil
		case "%":
			return func(hits int) bool { return hits%n == 0 }, nil
		}
	}
	return nil, fmt.Errorf("hit condition %q: want a number, or one after >=, > or %%", text)
}

// parseLog takes a message apart.
func parseLog(text string) (list []piece, err error) {
	for text != "" {
		plain, rest, found := strings.Cut(text, "{")
		list = append(list, piece{text: plain})
		if !found {
			break
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, fmt.Errorf("message: { without }")
		}
		n, err := expr.Parse(inner)
		if err != nil {
			return nil, err
		}
		list, text = append(list, piece{node: n}), after
	}
	return list, nil
}

// resolve finds the breakpoints in the present kernel. The caller holds the lock.
func (s *Session) resolve() {
	for _, b := range s.breakpoints {
		b.at, b.line, b.never = nil, 0, map[int]bool{}
		r := s.run
		if r == nil || b.Disabled || !named(r.launch.Kernel, b.Kernel) {
			continue
		}
		switch {
		case b.Watch != nil:
			b.was = r.watched(b.Watch)
		case b.Entry:
			b.at = []int{0}
		case b.PC != nil:
			if i, ok := r.code.p.Index(*b.PC); ok {
				b.at = []int{i}
			}
		default:
			b.at, b.line = r.code.at(b.File, b.Line)
		}
		if b.seen == nil && len(b.at) > 0 {
			place := r.code.place(b.at[0])
			b.seen = &place
		}
		for block := range r.launch.Blocks {
			if b.condition == nil || len(b.at) == 0 || block >= mostJudged {
				break
			}
			yes, err := b.condition.Condition(&blockScope{r, block})
			b.never[block] = err == nil && !yes
		}
	}
}

// missing says why a kernel does not have the line of a breakpoint, "" if it has.
func (b *breakpoint) missing(r *run) string {
	known := slices.ContainsFunc(r.code.lines, func(l source.Line) bool { return l.Line > 0 && sameFile(l.File, b.File) })
	switch {
	case b.Line == 0 || len(b.at) > 0 || b.Disabled:
		return ""
	case !known:
		return fmt.Sprintf("No source file named %s in kernel %s.", b.File, plainName(r.launch.Kernel))
	}
	return fmt.Sprintf("No line %d in file %q in kernel %s.", b.Line, b.File, plainName(r.launch.Kernel))
}

// mostJudged is for how many blocks a condition is judged before they run.
const mostJudged = 1 << 16

// mayHit reports whether a breakpoint may hit in a block of the present launch.
func (b *breakpoint) mayHit(block int) bool {
	if w := b.Watch; w != nil && !b.Disabled {
		return w.Space == "global" || w.Focus.Block == block
	}
	return len(b.at) > 0 && !b.never[block]
}

// mayStop reports whether a breakpoint may hit in the launch.
func (r *run) mayStop() bool {
	for _, b := range r.s.breakpoints {
		if len(b.at) > 0 || b.Watch != nil && !b.Disabled {
			return true
		}
	}
	return false
}

// breaks returns the stop of the breakpoints that are hit at a place, nil if none is. Hits are
// counted on the way forward alone.
func (r *run) breaks(h *here, counted bool) (stop *Stop) {
	for _, b := range r.s.breakpoints {
		if !b.mayHit(h.number) || !slices.Contains(b.at, h.index) || b.Entry && r.entry || !b.arrives(h) {
			continue
		}
		focus, ok, err := b.lane(h)
		if !ok {
			continue
		}
		if b.Entry {
			r.entry = true
		}
		if counted {
			if b.Entry {
				r.entered = &h.pos
			}
			if h.passed(b.ID) {
				continue
			}
			b.hits++
			if !b.counts(b.hits) {
				continue
			}
		}
		switch {
		case b.Log != "" && !counted:
			continue
		case b.Log != "":
			if stop == nil {
				return &Stop{Reason: ReasonLog, Breakpoints: []int{b.ID}, Focus: focus, Text: b.message(h, focus)}
			}
			h.unpass(b.ID)
			b.hits--
			continue
		case stop == nil:
			stop = &Stop{Reason: ReasonBreakpoint, Focus: focus}
			if err != nil {
				stop.Text = fmt.Sprintf("the condition has no value: %v", err)
			}
		}
		stop.Breakpoints = append(stop.Breakpoints, b.ID)
	}
	return stop
}

// arrives reports whether lanes come to a line anew. They are at it if the last instruction of the
// warp was an earlier one of the line, or of a function that the line calls.
func (b *breakpoint) arrives(h *here) bool {
	if b.Line == 0 {
		return true
	}
	w := h.pos.Warp
	last := int(h.last[w])
	switch {
	case last < 0 || h.masks[w]&h.sel[w] == 0:
		return true
	case h.index > 0 && h.r.code.is(last, tesla.OpRet) && h.r.code.is(h.index-1, tesla.OpCall):
		return !slices.Contains(b.at, h.index-1)
	case last >= h.index:
		return true
	}
	return !slices.Contains(b.at, last) && !slices.ContainsFunc(h.r.inlined(last)[1:], func(f Frame) bool {
		return f.Line == b.line && sameFile(f.File, b.File)
	})
}

// lane returns the first lane that executes the instruction and for which the condition holds. If it
// holds in none, one in which it has no value counts, as one with a name that is not in scope: else
// such a breakpoint would be passed in silence.
func (b *breakpoint) lane(h *here) (focus Focus, ok bool, bad error) {
	if b.condition == nil {
		return h.first(), h.exec != [16]uint32{}, nil
	}
	for w, mask := range h.exec {
		for l := range 32 {
			if mask>>l&1 == 0 {
				continue
			}
			f := Focus{Block: h.number, Warp: w, Lane: l}
			yes, err := b.condition.Condition(&scope{r: h.r, b: h.blockWatch, at: f, pc: h.index})
			switch {
			case err == nil && yes:
				return f, true, nil
			case err != nil && bad == nil && !errors.Is(err, expr.ErrUnknown):
				focus, bad = f, err
			}
		}
	}
	return focus, bad != nil, bad
}

// message returns the text of a log.
func (b *breakpoint) message(h *here, f Focus) string {
	var text strings.Builder
	for _, p := range b.pieces {
		if p.node == nil {
			text.WriteString(p.text)
			continue
		}
		v, err := p.node.Eval(&scope{r: h.r, b: h.blockWatch, at: f, pc: h.index})
		if err != nil {
			fmt.Fprintf(&text, "<%v>", err)
			continue
		}
		text.WriteString(v.Format(0))
	}
	return text.String()
}

// Breakpoints implements Target.
func (s *Session) Breakpoints() ([]Resolved, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Resolved
	for _, b := range s.breakpoints {
		one := Resolved{ID: b.ID, Hits: b.hits, Line: b.line, Seen: b.seen}
		if s.run != nil {
			one.Missing = b.missing(s.run)
			for _, i := range starts(b.at) {
				one.Places = append(one.Places, s.run.code.place(i))
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// SetCatch implements Target.
func (s *Session) SetCatch(c Catch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catch = c
	return nil
}
