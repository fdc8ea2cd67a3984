package branch

import (
	"cmp"
	"errors"
	"slices"

	"jacquard/simt/lane"
)

// pending is a path that waits for the lanes that run: at the target of a forward branch that it
// took, or after a loop that it left.
type pending struct {
	key uint32 // of the loop
	path
	age int // entries of both stacks are numbered in order
}

// implicit needs no annotations: S. Collange, M. Daumas, D. Defour, D. Parello, "Étude
// comparée et simulation d'algorithmes de branchements pour le GPGPU" (2009), section 5.2.
// A stack of forward branches and one of loops hold the lanes that wait. At a divergent
// forward branch the lanes that take it wait. The other lanes take them along when they come to
// that pc, and change places with them when they would pass it. A divergent backward branch
// begins a loop; the lanes that leave it wait until all have left.
//
// The paper keeps masks as counters, one set per stack. Here every entry holds the lanes that
// wait at it, which is the same while branches and loops nest and stays right when they do not. A
// break is a forward branch to the announced address.
type implicit struct {
	bySource bool // loops are known by the branch itself and entered only when it diverges
	pc       uint32
	active   lane.Mask
	ifs      []pending
	loops    []pending
	age      int
	laneState
	most int
}

// prepareImplicit refuses calls: the paper has no place for return addresses.
func prepareImplicit(k *Kernel, chosen []string) (func() Flow, error) {
	bySource := chosen[0] == "source"
	return func() Flow { return &implicit{bySource: bySource} }, refuseCalls(k, noReturnStack)
}

func (f *implicit) Start(mask lane.Mask) {
	f.pc, f.active = 0, mask
	f.ifs, f.loops, f.age, f.most = f.ifs[:0], f.loops[:0], 0, 0
	f.laneState.start(mask)
}

// Pick stops where lanes wait ahead: straight code leads there.
func (f *implicit) Pick() (uint32, lane.Mask, uint32, Kinds) {
	stop := NoStop
	if n := len(f.ifs); n > 0 && f.ifs[n-1].pc > f.pc {
		stop = f.ifs[n-1].pc
	}
	return f.pc, f.active, stop, annotations
}

func (f *implicit) Advance(pc uint32) {
	f.pc = pc
	f.meet()
}

// Join ignores the marker.
func (f *implicit) Join(pc uint32) (bool, error) {
	f.pc = pc
	return true, nil
}

func (f *implicit) Depth() int { return f.most }

func (f *implicit) add(to *[]pending, key uint32, p path) {
	f.age++
	*to = append(*to, pending{key, p, f.age})
	f.most = max(f.most, len(f.ifs)+len(f.loops))
}

func (f *implicit) Branch(taken lane.Mask, target, next uint32) error {
	switch {
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

// back carries out a backward branch. Entries of other loops without lanes are left over: their
// loop ended in another way.
func (f *implicit) back(taken lane.Mask, target, next uint32) {
	n := len(f.loops)
	for ; n > 0 && f.loops[n-1].mask == 0 && f.loops[n-1].key != next; n-- {
		f.loops = f.loops[:n-1]
	}
	same := n > 0 && f.loops[n-1].key == next
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
	case out != 0 || !f.bySource:
		f.add(&f.loops, next, path{next, out})
	}
	f.active, f.pc = taken, target
}

// meet compares the pc with where the lanes of the last forward branch wait.
func (f *implicit) meet() {
	for n := len(f.ifs); n > 0; n = len(f.ifs) {
		e := &f.ifs[n-1]
		switch {
		case f.pc == e.pc:
			f.active |= e.mask
			f.ifs = f.ifs[:n-1]
			continue
		case f.pc > e.pc:
			f.pc, e.pc = e.pc, f.pc
			f.active, e.mask = e.mask, f.active
		}
		return
	}
}

// Annotate is not called with PreReturn: such kernels are refused.
func (f *implicit) Annotate(kind EventKind, target, next uint32) error {
	err := f.annotate(kind, f.active, target)
	f.Advance(next)
	return err
}

func (f *implicit) Break(taken lane.Mask, next uint32) error {
	to, err := f.breaks(taken)
	if err != nil {
		return err
	}
	f.active &^= taken
	f.pc = next
	f.wait(to)
	return nil
}

// wait adds paths to the stack of forward branches, the least pc on top.
func (f *implicit) wait(paths []path) {
	slices.SortFunc(paths, func(a, b path) int { return cmp.Compare(b.pc, a.pc) })
	for _, p := range paths {
		f.add(&f.ifs, 0, p)
	}
	f.resume()
}

// Call is never called: kernels that call are refused.
func (f *implicit) Call(_, _ uint32) error { return errors.New("policy implicit cannot call") }

// Return ends its lanes: there are no calls.
func (f *implicit) Return(taken lane.Mask, next uint32) error {
	f.live &^= taken
	f.active &^= taken
	f.pc = next
	f.resume()
	return nil
}

func (f *implicit) Exit() error { return f.Return(f.active, f.pc) }

func (f *implicit) Arrive(barrier uint8, next uint32) error {
	f.arrive(barrier, next, f.active)
	f.active = 0
	f.resume()
	return nil
}

func (f *implicit) Release() {
	released := f.paths
	f.waiting.reset()
	f.wait(released)
}

// resume lets the youngest entry run if no lane is active.
func (f *implicit) resume() {
	for f.active == 0 && len(f.ifs)+len(f.loops) > 0 {
		from := &f.ifs
		if i, l := len(f.ifs), len(f.loops); i == 0 || l > 0 && f.loops[l-1].age > f.ifs[i-1].age {
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
	return f.waiting.places(to)
}

func (f *implicit) Fingerprint(to []byte) []byte {
	to = appendPath(to, path{f.pc, f.active})
	for _, list := range [...][]pending{f.ifs, f.loops} {
		to = appendWord(to, uint32(len(list)))
		for _, e := range list {
			to = appendWord(appendPath(to, e.path), e.key)
		}
	}
	for _, l := range f.loops { // the youngest entry resumes first
		older := 0
		for _, i := range f.ifs {
			older += int(flag(i.age < l.age))
		}
		to = append(to, byte(older))
	}
	return f.laneState.fingerprint(to)
}
