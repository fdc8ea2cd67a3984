package branch

import (
	"fmt"
	"slices"

	"jacquard/simt/lane"
)

// pdom lets the sides of a branch meet at its immediate post-dominator: W. Fung, I. Sham,
// G. Yuan, T. Aamodt, "Dynamic warp formation" (2009), in the form that GPGPU-Sim made
// common. The last level of a stack runs. A branch that parts its lanes turns that level
// into the place where they meet and adds a level for each side; a side that gets there
// goes.
//
// The stack of the literature lets a warp arrive at a barrier as a whole. Where a lane may
// end early, post-dominators come too late for that: some of a warp can be at a barrier that
// the others are on the way to. Those wait with a stack of their own, and the stacks
// become one when the barrier opens, if they are alike.
type pdom struct {
	meets map[uint32]uint32 // address behind a branch: where its sides meet, if not at the end
	stack []level
	aside []aside
	live  lane.Mask
	waiting
	frames
	most int
}

// level is an entry of the stack.
type level struct {
	pc   uint32    // where its lanes go on: behind those above it
	meet uint32    // where they meet those below; NoStop where that is the end of the function
	mask lane.Mask // with the lanes of the levels above that come here
	call bool      // a function that lanes are in, the kernel itself among them
}

// aside is the stack of lanes that went on by themselves because of a barrier.
type aside struct {
	stack []level
	waits bool
}

func preparePDOM(k *Kernel, _ []string) (func() Policy, error) {
	g := k.Graph()
	byTail := postDominators(g)
	meets := map[uint32]uint32{}
	for _, f := range g.Functions {
		for i := range f.Blocks {
			if pc, ok := byTail[f.Blocks[i].Tail]; ok {
				meets[f.Blocks[i].End] = pc
			}
		}
	}
	newFlow := func() Flow { return &pdom{meets: meets} }
	return func() Policy { return forking{newPerWarp(newFlow), meets, TakenFirst} }, nil
}

func (f *pdom) Start(mask lane.Mask) {
	f.stack = append(f.stack[:0], level{mask: mask, meet: NoStop, call: true})
	f.aside = f.aside[:0]
	f.live, f.most = mask, 1
	f.waiting.reset()
	f.frames.reset()
}

func (f *pdom) top() *level { return &f.stack[len(f.stack)-1] }

func (f *pdom) Pick() (uint32, lane.Mask, uint32, Kinds) {
	switch t := f.top(); {
	case t.meet == NoStop:
		return t.pc, t.mask, NoStop, ignored | choices
	case t.meet > t.pc:
		return t.pc, t.mask, t.meet, ignored | choices
	default:
		return t.pc, t.mask, NoStop, ignored
	}
}

func (f *pdom) Advance(pc uint32) {
	t := f.top()
	if t.pc = pc; pc == t.meet {
		f.settle()
	}
}

// Join markers say nothing that the code does not.
func (f *pdom) Join(pc uint32) (bool, error) {
	f.top().pc = pc
	return true, nil
}

func (f *pdom) JoinAt(_, next uint32) error { return f.goOn(next) }
func (f *pdom) QuadOn(next uint32) error    { return f.goOn(next) }
func (f *pdom) QuadPop(next uint32) error   { return f.goOn(next) }
func (f *pdom) goOn(pc uint32) error        { f.Advance(pc); return nil }
func (f *pdom) Live() lane.Mask             { return f.live }
func (f *pdom) Depth() int                  { return f.most }
func (f *pdom) Standing() Standing          { return f.standing(f.live) }

// settle takes off the levels whose lanes have met those below, or have gone.
func (f *pdom) settle() {
	for n := len(f.stack); n > 0; n = len(f.stack) {
		t := &f.stack[n-1]
		if t.mask != 0 && (t.call || t.pc != t.meet) {
			return
		}
		f.stack = f.stack[:n-1]
	}
	f.change()
}

// change goes on with lanes whose stack is aside, if some of them do not wait.
func (f *pdom) change() {
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
		return f.part(next, []path{{next, t.mask &^ taken}, {target, taken}})
	}
	if t.pc == t.meet {
		f.settle()
	}
	return nil
}

// part sends the lanes of the last level along the given paths; the last of them runs
// first. next is the address behind the instruction.
func (f *pdom) part(next uint32, to []path) error {
	switch len(to) {
	case 0:
		f.settle()
		return nil
	case 1:
		return f.goOn(to[0].pc)
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
	f.settle()
	return nil
}

func (f *pdom) met(ways int) { f.most = max(f.most, len(f.stack)+ways) }

func (f *pdom) BreakAddr(target, next uint32) error {
	err := f.frames.push(f.top().mask, frame{target, false})
	f.Advance(next)
	return err
}

func (f *pdom) Break(taken lane.Mask, next uint32) error {
	to, err := f.breaks(taken)
	if err != nil {
		return err
	}
	return f.part(next, staying(f.top().mask&^taken, next, to))
}

// staying puts the lanes of m, which go on at next, before the paths of the others.
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

// Call leaves the return address in the level of the caller: what a lane keeps of it says
// only that it leaves the function.
func (f *pdom) Call(target, next uint32) error {
	t := f.top()
	t.pc = next
	if err := f.frames.push(t.mask, frame{NoStop, true}); err != nil {
		return err
	}
	return f.push(level{pc: target, meet: NoStop, mask: t.mask, call: true})
}

func (f *pdom) PreReturn(target, next uint32) error {
	err := f.frames.push(f.top().mask, frame{target, true})
	f.Advance(next)
	return err
}

// Return takes lanes off the levels of the function they leave; those that are in no call
// end.
func (f *pdom) Return(taken lane.Mask, next uint32) error {
	stay := f.top().mask &^ taken
	to, ended := f.returns(taken)
	f.end(ended)
	if i := slices.IndexFunc(to, func(p path) bool { return p.pc == NoStop }); i >= 0 {
		f.leave(to[i].mask)
		to = slices.Delete(to, i, i+1)
	}
	return f.part(next, staying(stay, next, to))
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
	f.settle()
	return nil
}

// Arrive: lanes that others of the warp have yet to follow to the barrier step aside.
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
	f.settle()
	return nil
}

// only returns the levels that have lanes of m, with these.
func only(stack []level, m lane.Mask) []level {
	var out []level
	for _, l := range stack {
		if l.mask &= m; l.mask != 0 {
			out = append(out, l)
		}
	}
	return out
}

// Release lets all stacks go on, those that are alike as one.
func (f *pdom) Release() {
	f.waiting.reset()
	if len(f.aside) == 0 {
		f.settle()
		return
	}
	all := f.aside
	if len(f.stack) > 0 {
		all = append(all, aside{stack: f.stack})
	}
	f.aside = nil
	for _, a := range all {
		f.stack = a.stack
		f.settle()
		if !slices.ContainsFunc(f.aside, func(b aside) bool { return merge(b.stack, f.stack) }) {
			f.aside = append(f.aside, aside{stack: f.stack})
		}
	}
	f.change()
}

// merge adds the lanes of b to a if the stacks differ in nothing else.
func merge(a, b []level) bool {
	alike := slices.EqualFunc(a, b, func(x, y level) bool {
		x.mask = y.mask
		return x == y
	})
	for i := range a {
		if alike {
			a[i].mask |= b[i].mask
		}
	}
	return alike
}

// Places finds each lane where the last level that holds it is: below, it waits to come.
func (f *pdom) Places(to []Place) []Place {
	to = f.waiting.places(to)
	left := f.live &^ f.lanes
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

func (f *pdom) Fingerprint(to []byte) []byte {
	put := func(stack []level) {
		to = appendWord(to, uint32(len(stack)))
		for _, l := range stack {
			to = append(appendWord(appendPath(to, path{l.pc, l.mask}), l.meet), byte(flag(l.call)))
		}
	}
	put(f.stack)
	for _, a := range f.aside {
		put(a.stack)
		to = append(to, byte(flag(a.waits)))
	}
	return f.frames.fingerprint(f.waiting.fingerprint(to), f.live)
}
