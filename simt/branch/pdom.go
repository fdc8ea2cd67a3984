package branch

import (
	"fmt"
	"slices"

	"jacquard/simt/lane"
)

// pdom lets the sides of a branch meet at its immediate post-dominator: W. Fung, I. Sham, G. Yuan,
// T. Aamodt, "Dynamic warp formation" (2009), in the form that GPGPU-Sim made common. The top level
// of a stack runs. A divergent branch moves that level to the pc where its lanes meet and pushes
// one level per side; a level is popped when its lanes come to that pc.
//
// In the literature a warp arrives at a barrier as a whole. Where a lane may end early, the
// post-dominator is too late for that: some lanes can be at a barrier while the others are on the
// way to it. The lanes at the barrier wait with a stack of their own, and stacks that differ only
// in lanes become one when the barrier opens.
type pdom struct {
	// meets has the pc where the sides of a branch meet, by the address after the branch. It lacks
	// branches whose sides meet only at the end.
	meets map[uint32]uint32
	stack []level
	aside []aside
	laneState
	most int
}

// level is an entry of the stack.
type level struct {
	pc   uint32    // where the lanes go on
	meet uint32    // where they meet the level below; NoStop: at the end of the function
	mask lane.Mask // lanes of the level, and lanes above that will meet here
	call bool      // the first level of a function that lanes are in, or of the kernel
}

// aside is the stack of lanes that a barrier set apart from the others.
type aside struct {
	stack []level
	waits bool
}

func preparePDOM(k *Kernel, _ []string) (func() Policy, error) {
	meets := postDominators(k.Graph())
	return func() Policy { return newWhole(func() Flow { return &pdom{meets: meets} }) }, nil
}

func (f *pdom) Start(mask lane.Mask) {
	f.stack = append(f.stack[:0], level{mask: mask, meet: NoStop, call: true})
	f.aside, f.most = f.aside[:0], 1
	f.laneState.start(mask)
}

func (f *pdom) top() *level { return &f.stack[len(f.stack)-1] }

func (f *pdom) Pick() (uint32, lane.Mask, uint32, Kinds) {
	switch t := f.top(); {
	case t.meet == NoStop:
		return t.pc, t.mask, NoStop, annotations | choices
	case t.meet > t.pc:
		return t.pc, t.mask, t.meet, annotations | choices
	default:
		return t.pc, t.mask, NoStop, annotations
	}
}

func (f *pdom) Advance(pc uint32) {
	t := f.top()
	if t.pc = pc; pc == t.meet {
		f.popMet()
	}
}

// Join ignores the marker: the code says where lanes meet.
func (f *pdom) Join(pc uint32) (bool, error) {
	f.top().pc = pc
	return true, nil
}

func (f *pdom) Depth() int { return f.most }

// popMet pops the levels whose lanes have met the level below, or have gone.
func (f *pdom) popMet() {
	for n := len(f.stack); n > 0; n = len(f.stack) {
		t := &f.stack[n-1]
		if t.mask != 0 && (t.call || t.pc != t.meet) {
			return
		}
		f.stack = f.stack[:n-1]
	}
	f.resume()
}

// resume goes on with the last stack aside whose lanes do not wait.
func (f *pdom) resume() {
	for i, a := range slices.Backward(f.aside) {
		if !a.waits {
			f.stack = a.stack
			f.aside = slices.Delete(f.aside, i, i+1)
			return
		}
	}
}

func (f *pdom) push(l level) error {
	if len(f.stack) == stackLimit {
		return fmt.Errorf("reconvergence stack overflow: more than %d entries", stackLimit)
	}
	f.stack = append(f.stack, l)
	f.most = max(f.most, len(f.stack))
	return nil
}

func (f *pdom) Branch(taken lane.Mask, target, next uint32) error {
	t := f.top()
	switch {
	case taken == t.mask:
		t.pc = target
	case taken == 0 || target == next:
		t.pc = next
	default:
		return f.split(next, []path{{next, t.mask &^ taken}, {target, taken}})
	}
	if t.pc == t.meet {
		f.popMet()
	}
	return nil
}

// split sends the lanes of the top level along paths; the last path runs first. next is the address
// after the instruction.
func (f *pdom) split(next uint32, to []path) error {
	switch len(to) {
	case 0:
		f.popMet()
		return nil
	case 1:
		f.Advance(to[0].pc)
		return nil
	}
	meet, ok := f.meets[next]
	if !ok {
		meet = NoStop
	}
	if t := f.top(); t.call || t.meet != meet {
		t.pc = meet
	} else {
		f.stack = f.stack[:len(f.stack)-1]
	}
	for _, p := range to {
		if p.pc == meet {
			continue
		}
		if err := f.push(level{pc: p.pc, meet: meet, mask: p.mask}); err != nil {
			return err
		}
	}
	f.popMet()
	return nil
}

func (f *pdom) Annotate(kind EventKind, target, next uint32) error {
	err := f.annotate(kind, f.top().mask, target)
	f.Advance(next)
	return err
}

func (f *pdom) Break(taken lane.Mask, next uint32) error {
	to, err := f.breaks(taken)
	if err != nil {
		return err
	}
	return f.split(next, staying(f.top().mask&^taken, next, to))
}

// staying puts a path for the lanes of m, which go on at next, before the others.
func staying(m lane.Mask, next uint32, others []path) []path {
	if m == 0 {
		return others
	}
	to := []path{{next, m}}
	for _, p := range others {
		if p.pc == next {
			to[0].mask |= p.mask
		} else {
			to = append(to, p)
		}
	}
	return to
}

// Call leaves the return address in the level of the caller: a lane's frame says only that its
// return leaves the function.
func (f *pdom) Call(target, next uint32) error {
	t := f.top()
	t.pc = next
	if err := f.frames.push(t.mask, frame{NoStop, true}); err != nil {
		return err
	}
	return f.push(level{pc: target, meet: NoStop, mask: t.mask, call: true})
}

// Return takes lanes off the levels of their function, and ends lanes outside any call.
func (f *pdom) Return(taken lane.Mask, next uint32) error {
	stay := f.top().mask &^ taken
	to, ended := f.returns(taken)
	f.end(ended)
	if i := slices.IndexFunc(to, func(p path) bool { return p.pc == NoStop }); i >= 0 {
		f.leave(to[i].mask)
		to = slices.Delete(to, i, i+1)
	}
	return f.split(next, staying(stay, next, to))
}

// leave takes lanes off the levels of the innermost call.
func (f *pdom) leave(m lane.Mask) {
	for i := len(f.stack) - 1; ; i-- {
		f.stack[i].mask &^= m
		if f.stack[i].call {
			return
		}
	}
}

// end takes lanes off all levels.
func (f *pdom) end(m lane.Mask) {
	f.live &^= m
	for i := range f.stack {
		f.stack[i].mask &^= m
	}
}

func (f *pdom) Exit() error {
	f.end(f.top().mask)
	f.popMet()
	return nil
}

// Arrive puts lanes aside, with their stack, unless all lanes of the warp are at a barrier.
func (f *pdom) Arrive(barrier uint8, next uint32) error {
	m := f.top().mask
	f.top().pc = next
	f.arrive(barrier, next, m)
	if f.lanes == f.live {
		return nil
	}
	f.aside = append(f.aside, aside{only(f.stack, m), true})
	for i := range f.stack {
		f.stack[i].mask &^= m
	}
	f.popMet()
	return nil
}

// only returns the levels with lanes of m, without other lanes.
func only(stack []level, m lane.Mask) []level {
	var out []level
	for _, l := range stack {
		if l.mask &= m; l.mask != 0 {
			out = append(out, l)
		}
	}
	return out
}

// Release lets all stacks go on; stacks that differ only in lanes become one.
func (f *pdom) Release() {
	f.waiting.reset()
	if len(f.aside) == 0 {
		f.popMet()
		return
	}
	all := f.aside
	if len(f.stack) > 0 {
		all = append(all, aside{stack: f.stack})
	}
	f.aside = nil
	for _, a := range all {
		f.stack = a.stack
		f.popMet()
		if !slices.ContainsFunc(f.aside, func(b aside) bool { return merge(b.stack, f.stack) }) {
			f.aside = append(f.aside, aside{stack: f.stack})
		}
	}
	f.resume()
}

// merge adds the lanes of b to a if the stacks differ in nothing else.
func merge(a, b []level) bool {
	equal := slices.EqualFunc(a, b, func(x, y level) bool {
		x.mask = y.mask
		return x == y
	})
	if !equal {
		return false
	}
	for i := range a {
		a[i].mask |= b[i].mask
	}
	return true
}

// Places finds each lane at the highest level that holds it.
func (f *pdom) Places(to []Place) []Place {
	to = f.waiting.places(to)
	left := f.ready()
	put := func(stack []level) {
		for _, l := range slices.Backward(stack) {
			if l.pc != NoStop {
				to = appendPlace(to, l.pc, l.mask&left)
				left &^= l.mask
			}
		}
	}
	put(f.stack)
	for _, a := range f.aside {
		put(a.stack)
	}
	return to
}

func (f *pdom) State(to State) State {
	put := func(stack []level, runs bool) {
		for i, l := range stack {
			kind := LevelEntry
			if l.call {
				kind = FunctionEntry
			}
			e := running(kind, l.pc, l.mask, runs && i == len(stack)-1)
			e.Number = l.meet
			to = append(to, e)
		}
	}
	for _, a := range f.aside {
		to = append(to, Entry{Kind: AsideEntry, PC: NoStop, Number: flag(a.waits)})
		put(a.stack, false)
	}
	to = f.laneState.state(to)
	put(f.stack, f.Status() == Runs)
	return to
}
