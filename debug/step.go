package debug

import (
	"jacquard/simt/branch"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// stepping is a step that has begun.
type stepping struct {
	kind  Kind // "": none
	focus Focus
	from  Position
	line  source.Line
	lanes uint32 // that take the step
	depth int    // calls of the focused lane; for next and finish, with those that were inlined
	any   bool   // the warp has ended: the next issue of any warp ends the step
}

// wants reports whether a step needs to see a block.
func (t *stepping) wants(block int) bool {
	return t.kind != "" && (t.any || t.focus.Block == block)
}

// begins begins a step at the place where the launch is stopped.
func (r *run) begins(o Order) error {
	h := r.here
	if h == nil {
		return ErrNone
	}
	b, err := r.block(o.Focus.Block)
	if err != nil {
		return err
	}
	w := o.Focus.Warp
	t := stepping{kind: o.Kind, focus: o.Focus, from: h.pos, lanes: uint32(b.view.Live(w))}
	t.line = r.code.lines[r.indexOf(o.Focus)]
	for _, p := range b.paths(w) {
		if p.Lanes>>o.Focus.Lane&1 != 0 {
			t.lanes = p.Lanes
		}
	}
	t.depth = t.calls(r, b, r.indexOf(o.Focus))
	if o.Kind == Finish && t.depth == 0 {
		return errOutermost
	}
	r.steps = t
	return nil
}

// ends reports whether the step ends before the issue at h.
func (t *stepping) ends(r *run, h *here) bool {
	if t.kind == "" || h.pos == t.from {
		return false
	}
	if t.any {
		return true
	}
	if h.number != t.focus.Block {
		return false
	}
	w := t.focus.Warp
	if live := uint32(h.view.Live(w)); live&t.lanes == 0 { // they have ended
		t.any = true
		return true
	}
	if h.sel[w] == 0 {
		return false
	}
	switch t.kind {
	case StepInstruction:
		return true
	case NextInstruction:
		return h.depth(t.focus) <= t.depth
	case Finish:
		return h.sel[w]>>t.focus.Lane&1 != 0 && t.calls(r, h.blockWatch, h.index) < t.depth
	}
	return t.leftLine(r, h)
}

// leftLine reports whether the lanes of a step have left their line.
func (t *stepping) leftLine(r *run, h *here) bool {
	w := t.focus.Warp
	line := r.code.lines[h.index]
	if h.exec[w]&t.lanes == 0 || line.Line == 0 && t.line.Line != 0 {
		return false
	}
	if line == t.line {
		return false
	}
	if t.kind == Next && t.calls(r, h.blockWatch, h.index) > t.depth {
		return false
	}
	for _, p := range h.paths(w) {
		behind := p.Lanes & t.lanes &^ h.sel[w]
		if behind != 0 && !p.Blocked && r.code.lines[r.code.index(p.PC)] == t.line {
			return false
		}
	}
	return true
}

// blockEnds makes a step of a block that ends end at the next issue.
func (t *stepping) blockEnds(block int) {
	if t.kind != "" && t.focus.Block == block {
		t.any = true
	}
}

// calls reports whether an operation calls a function.
func calls(op tesla.Op) bool { return op == tesla.OpCall }

// calls returns how many calls the focused lane is in at an instruction. To next and finish, a
// function that the compiler inlined is called.
func (t *stepping) calls(r *run, b *blockWatch, index int) int {
	n := b.depth(t.focus)
	if t.kind == Next || t.kind == Finish {
		n += len(r.inlined(index)) - 1
	}
	return n
}

// depth returns how many calls a lane is in.
func (b *blockWatch) depth(f Focus) (n int) {
	if !b.r.code.calls {
		return 0
	}
	for _, e := range b.view.State(f.Warp, nil) {
		if e.Kind == branch.CallEntry && e.Mask>>f.Lane&1 != 0 {
			n++
		}
	}
	return n
}
