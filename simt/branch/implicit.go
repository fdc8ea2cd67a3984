package branch

import (
	"cmp"
	"slices"

	"jacquard/simt/lane"
)

// pending is a path that waits for the running lanes: at the target of a forward branch that it
// took, or after a loop that it left.
type pending struct {
	key uint32 // of the loop
	path
	age int // entries of both stacks have consecutive numbers
}

// callFrame is a call of the warp. It owns the entries of both stacks that were pushed in it.
type callFrame struct {
	path           // where the call returns to, and the lanes that have returned
	ifs, loops int // entries of both stacks that the call does not own
}

// implicit needs no annotations: S. Collange, M. Daumas, D. Defour, D. Parello, "Étude comparée et
// simulation d'algorithmes de branchements pour le GPGPU" (2009), section 5.2. A stack of forward
// branches and a stack of loops hold the waiting lanes. At a divergent forward branch the taken
// lanes wait. The other lanes take them along when they come to that pc, and change places with
// them when they would pass it. A divergent backward branch begins a loop; lanes that leave the
// loop wait until all have left.
//
// Several entries can meet at an instruction. The machine compares the pc with one entry at each
// issue, so it issues the instruction once for each entry.
//
// Unverified: the paper says that the instruction may be executed again, but not for which lanes.
// Here the issue at the last entry has all the lanes that meet, and the issues before it have none.
//
// The paper keeps masks as counters, one set per stack. Here every entry holds the lanes that
// wait at it, which is the same while branches and loops nest and stays right when they do not. A
// break is a forward branch to the announced address.
//
// The paper has no place for return addresses: "Stack-less SIMT reconvergence at low cost" (2011),
// section 5.2, reports that a kernel with calls fails. Here a call has entries of its own, and lanes
// that return wait until all lanes of the call have.
type implicit struct {
	options *implicitOptions
	pc      uint32
	active  lane.Mask
	again   bool // more entries meet at the pc: the next issue is empty
	ifs     []pending
	loops   []pending
	inside  []callFrame // the calls around the active lanes, the kernel itself first
	age     int
	laneState
	most int
}

type implicitOptions struct {
	bySource bool     // loops are known by the branch itself and entered only when it diverges
	next     []uint32 // by word: the address after an instruction; empty if entries meet at once
	back     []bool   // by instruction: it is a backward branch
	loopEnds []Kinds  // by word of the address after a backward branch: that branch, as Kinds
}

// prepareImplicit refuses calls if the option says so.
func prepareImplicit(k *Kernel, chosen []string) (func() Flow, error) {
	o := &implicitOptions{bySource: chosen[2] == "source"}
	for i, in := range k.Code {
		back := in.Kind == Branch && (in.Indirect || in.Target < in.Next)
		o.back = append(o.back, back)
		o.loopEnds = append(o.loopEnds, make([]Kinds, int(in.Next/4)+1-len(o.loopEnds))...)
		if back {
			o.loopEnds[in.Next/4] = Kinds(i+1) << caseBit
		}
	}
	if chosen[0] == "again" {
		for _, in := range k.Code {
			o.next = append(o.next, make([]uint32, int(in.Next/4)-len(o.next))...)
			o.next[in.PC/4] = in.Next
		}
	}
	if chosen[1] == "refused" {
		if err := refuseCalls(k, noReturnStack); err != nil {
			return nil, err
		}
	}
	return func() Flow { return &implicit{options: o} }, nil
}

func (f *implicit) Start(mask lane.Mask) {
	f.pc, f.active, f.again = 0, mask, false
	f.ifs, f.loops, f.age, f.most = f.ifs[:0], f.loops[:0], 0, 0
	f.inside = append(f.inside[:0], callFrame{})
	f.laneState.start(mask)
}

// Pick stops where lanes wait ahead: straight-line code leads there.
func (f *implicit) Pick() (uint32, lane.Mask, uint32, Kinds) {
	if f.again {
		return f.pc, 0, f.after(), 0
	}
	stop := NoStop
	if e := f.waits(); e != nil && e.pc > f.pc {
		stop = e.pc
	}
	skippable := annotations | choices
	if n := len(f.loops); n > f.call().loops {
		skippable |= f.options.loopEnds[f.loops[n-1].key/4]
	}
	return f.pc, f.active, stop, skippable
}

// call returns the call that the active lanes are in.
func (f *implicit) call() *callFrame { return &f.inside[len(f.inside)-1] }

// waits returns the last forward branch of the call, or nil.
func (f *implicit) waits() *pending {
	if n := len(f.ifs); n > f.call().ifs {
		return &f.ifs[n-1]
	}
	return nil
}

// after returns the address after the instruction at the pc, 0 if it must not be issued again.
func (f *implicit) after() uint32 {
	if word := int(f.pc / 4); word < len(f.options.next) {
		return f.options.next[word]
	}
	return 0
}

// empty reports whether the issue had no lanes; then it compares the pc with the next entry.
func (f *implicit) empty() bool {
	if !f.again {
		return false
	}
	f.meet()
	return true
}

func (f *implicit) Advance(pc uint32) {
	if !f.empty() {
		f.pc = pc
		f.meet()
	}
}

// Join ignores the marker.
func (f *implicit) Join(pc uint32) (bool, error) {
	f.pc = pc
	return true, nil
}

func (f *implicit) Depth() int { return f.most }

// deepen records the depth after an entry or a call was added.
func (f *implicit) deepen() { f.most = max(f.most, len(f.ifs)+len(f.loops)+len(f.inside)-1) }

func (f *implicit) add(to *[]pending, key uint32, p path) {
	f.age++
	*to = append(*to, pending{key, p, f.age})
	f.deepen()
}

func (f *implicit) Branch(taken lane.Mask, target, next uint32) error {
	switch {
	case f.empty():
		return nil
	case target < next:
		f.back(taken, target, next)
	case taken == f.active:
		f.pc = target
	default:
		f.pc = next
		if taken != 0 {
			f.active &^= taken
			f.add(&f.ifs, 0, path{target, taken})
		}
	}
	f.meet()
	return nil
}

// back carries out a backward branch. Entries of other loops without lanes are stale: their loop
// ended in another way.
func (f *implicit) back(taken lane.Mask, target, next uint32) {
	n, outer := len(f.loops), f.call().loops
	for ; n > outer && f.loops[n-1].mask == 0 && f.loops[n-1].key != next; n-- {
		f.loops = f.loops[:n-1]
	}
	same := n > outer && f.loops[n-1].key == next
	if taken == 0 {
		f.pc = next
		if same {
			f.active |= f.loops[n-1].mask
			f.loops = f.loops[:n-1]
		}
		return
	}
	out := f.active &^ taken
	switch {
	case same:
		f.loops[n-1].mask |= out
	case out != 0 || !f.options.bySource:
		f.add(&f.loops, next, path{next, out})
	}
	f.active, f.pc = taken, target
}

// meet compares the pc with the place of the last forward branch's lanes.
func (f *implicit) meet() {
	f.again = false
	for e := f.waits(); e != nil && f.pc >= e.pc; e = f.waits() {
		if f.pc > e.pc {
			f.pc, e.pc = e.pc, f.pc
			f.active, e.mask = e.mask, f.active
			return
		}
		f.active |= e.mask
		f.ifs = f.ifs[:len(f.ifs)-1]
		if e = f.waits(); e != nil && f.pc == e.pc && f.after() != 0 {
			f.again = true
			return
		}
	}
}

func (f *implicit) Annotate(kind EventKind, target, next uint32) error {
	if f.empty() {
		return nil
	}
	err := f.annotate(kind, f.active, target)
	if kind == PreReturn {
		f.enter(target)
	}
	f.Advance(next)
	return err
}

// enter begins a call that returns to a pc.
func (f *implicit) enter(to uint32) {
	f.inside = append(f.inside, callFrame{path{to, 0}, len(f.ifs), len(f.loops)})
	f.deepen()
}

func (f *implicit) Break(taken lane.Mask, next uint32) error {
	if f.empty() {
		return nil
	}
	to, err := f.breaks(taken)
	if err != nil {
		return err
	}
	f.active &^= taken
	f.pc = next
	f.wait(to, taken)
	f.resume()
	return nil
}

// wait adds the lanes of m to the stack of forward branches, by their paths, the least pc on top.
func (f *implicit) wait(paths []path, m lane.Mask) {
	slices.SortFunc(paths, func(a, b path) int { return cmp.Compare(b.pc, a.pc) })
	for _, p := range paths {
		if p.mask &= m; p.mask != 0 {
			f.add(&f.ifs, 0, p)
		}
	}
}

func (f *implicit) Call(target, next uint32) error {
	if f.empty() {
		return nil
	}
	err := f.push(f.active, frame{next, true})
	f.enter(next)
	f.pc = target
	return err
}

// Return ends lanes outside any call. The others wait in their call: the last one, unless a barrier
// brought lanes of several calls together.
func (f *implicit) Return(taken lane.Mask, next uint32) error {
	if f.empty() {
		return nil
	}
	to, ended := f.returns(taken)
	for _, p := range to {
		left := len(f.inside) - 1
		for f.inside[left].pc != p.pc {
			left--
		}
		f.inside[left].mask |= p.mask
	}
	f.live &^= ended
	f.active &^= taken
	f.pc = next
	f.resume()
	return nil
}

func (f *implicit) Exit() error {
	if f.empty() {
		return nil
	}
	f.live &^= f.active
	f.active = 0
	f.resume()
	return nil
}

func (f *implicit) Arrive(barrier uint8, next uint32) error {
	if f.empty() {
		return nil
	}
	f.arrive(barrier, next, f.active)
	f.active = 0
	f.resume()
	return nil
}

// Release begins anew with the lanes at the barrier, which are all live lanes: it enters their
// calls, each with its lanes.
func (f *implicit) Release() {
	released, calls := f.paths, f.calls
	f.waiting.reset()
	var here lane.Mask // lanes in no other call
	for m := f.live; m != 0; m &= m - 1 {
		if l := first(m); calls[l] == 0 {
			here |= 1 << l
		}
	}
	f.wait(released, here)
	for _, e := range f.held {
		if !e.call {
			continue
		}
		f.enter(e.pc)
		here = 0
		for m := e.lanes; m != 0; m &= m - 1 {
			l := first(m)
			if calls[l]--; calls[l] == 0 {
				here |= 1 << l
			}
		}
		f.wait(released, here)
	}
	f.resume()
}

// idle implements barred: a barrier takes stale entries away.
func (f *implicit) idle() bool { return len(f.ifs)+len(f.loops)+len(f.inside) == 1 }

// passed implements barred: lanes that wait at a barrier are an entry.
func (f *implicit) passed() bool {
	changed := f.most == 0
	f.most = max(f.most, 1)
	return changed
}

// Tells implements Selective: a backward branch is news, unless it leads to one more round of the
// innermost loop.
func (f *implicit) Tells(k Kinds, at int) Tell {
	switch {
	case !f.options.back[at]:
		return TellNever
	case k>>caseBit == Kinds(at)+1:
		return TellUnlessTaken
	}
	return TellAlways
}

// resume lets the youngest entry of the call run if no lane is active; without entries the call
// ends.
func (f *implicit) resume() {
	for f.active == 0 && len(f.ifs)+len(f.loops)+len(f.inside) > 1 {
		c := f.call()
		from := &f.ifs
		switch i, l := len(f.ifs), len(f.loops); {
		case i == c.ifs && l == c.loops:
			f.pc, f.active = c.pc, c.mask
			f.inside = f.inside[:len(f.inside)-1]
			continue
		case i == c.ifs || l > c.loops && f.loops[l-1].age > f.ifs[i-1].age:
			from = &f.loops
		}
		n := len(*from) - 1
		f.pc, f.active = (*from)[n].pc, (*from)[n].mask
		*from = (*from)[:n]
	}
	if f.active != 0 {
		f.meet()
	}
}

func (f *implicit) Places(to []Place) []Place {
	to = appendPlace(to, f.pc, f.active)
	for _, list := range [...][]pending{f.ifs, f.loops} {
		for _, e := range list {
			to = appendPlace(to, e.pc, e.mask)
		}
	}
	for _, c := range f.inside {
		to = appendPlace(to, c.pc, c.mask)
	}
	return f.waiting.places(to)
}

// State gives the entries of both stacks in their order: the youngest resumes first. Entries before
// a call belong to its callers.
func (f *implicit) State(to State) State {
	to = f.laneState.state(to)
	ifs, loops := 0, 0
	for n, c := range f.inside {
		if n > 0 {
			to = append(to, entryOf(CallEntry, c.pc, c.mask))
		}
		allIfs, allLoops := len(f.ifs), len(f.loops)
		if n+1 < len(f.inside) {
			allIfs, allLoops = f.inside[n+1].ifs, f.inside[n+1].loops
		}
		for ifs < allIfs || loops < allLoops {
			if loops == allLoops || ifs < allIfs && f.ifs[ifs].age < f.loops[loops].age {
				to = append(to, entryOf(BranchEntry, f.ifs[ifs].pc, f.ifs[ifs].mask))
				ifs++
			} else { // the key follows from the pc
				to = append(to, entryOf(LoopEntry, f.loops[loops].pc, f.loops[loops].mask))
				loops++
			}
		}
	}
	switch {
	case f.again: // the next issue has no lanes
		to = append(to, entryOf(PathEntry, f.pc, f.active), running(PathEntry, f.pc, 0, true))
	case f.active != 0:
		to = append(to, running(PathEntry, f.pc, f.active, true))
	}
	return to
}
