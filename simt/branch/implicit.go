package branch

import (
	"errors"
	"slices"

	"jacquard/simt/lane"
)

// pending are lanes that wait for those that run: at the target of a forward branch they
// took, or behind a loop they have left.
type pending struct {
	key  uint32 // loops: which one
	pc   uint32 // where they go on
	mask lane.Mask
	age  int // entries of both stacks are numbered in order
}

// implicit needs no annotations: S. Collange, M. Daumas, D. Defour, D. Parello, "Étude
// comparée et simulation d'algorithmes de branchements pour le GPGPU" (2009), section 5.2.
// A stack of forward branches and one of loops hold the lanes that wait. At a divergent
// forward branch the lanes that take it wait; who comes to where they wait takes them along,
// and who would pass them changes places with them. A divergent backward branch begins a
// loop; the lanes that leave it wait until all have.
//
// The paper keeps masks as counters, one set for each stack. Here every entry holds the
// lanes that wait at it, which is the same while branches and loops nest and stays right
// when they do not. A break is a forward branch to the announced address.
type implicit struct {
	bySource bool // loops are known by the branch itself and entered only when it diverges
	pc       uint32
	active   lane.Mask
	live     lane.Mask
	ifs      []pending
	loops    []pending
	age      int
	waiting
	frames
	most int
}

// prepareImplicit refuses calls: the paper has no place for return addresses.
func prepareImplicit(k *Kernel, chosen []string) (func() Flow, error) {
	for _, in := range k.Code {
		if in.Kind == Call || in.Kind == PreReturn {
			return nil, &RefusedError{PC: in.PC, Reason: "it has no stack for the return address of the call"}
		}
	}
	bySource := chosen[0] == "source"
	return func() Flow { return &implicit{bySource: bySource} }, nil
}

func (f *implicit) Start(mask lane.Mask) {
	f.pc, f.active, f.live = 0, mask, mask
	f.ifs, f.loops, f.age, f.most = f.ifs[:0], f.loops[:0], 0, 0
	f.waiting.reset()
	f.frames.reset()
}

// Pick stops where lanes wait ahead: straight code leads there.
func (f *implicit) Pick() (uint32, lane.Mask, uint32, Kinds) {
	stop := NoStop
	if n := len(f.ifs); n > 0 && f.ifs[n-1].pc > f.pc {
		stop = f.ifs[n-1].pc
	}
	return f.pc, f.active, stop, ignored
}

func (f *implicit) Advance(pc uint32) {
	f.pc = pc
	f.meet()
}

// Join markers are ignored.
func (f *implicit) Join(pc uint32) (bool, error) {
	f.pc = pc
	return true, nil
}

func (f *implicit) Live() lane.Mask    { return f.live }
func (f *implicit) Depth() int         { return f.most }
func (f *implicit) Standing() Standing { return f.standing(f.live) }

func (f *implicit) JoinAt(_, next uint32) error { f.Advance(next); return nil }
func (f *implicit) QuadOn(next uint32) error    { f.Advance(next); return nil }
func (f *implicit) QuadPop(next uint32) error   { f.Advance(next); return nil }

func (f *implicit) add(to *[]pending, e pending) {
	f.age++
	e.age = f.age
	*to = append(*to, e)
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
			f.add(&f.ifs, pending{pc: target, mask: taken})
		}
	}
	f.meet()
	return nil
}

// back carries out a backward branch. Entries that hold nobody and belong to other loops
// are left over: their loop ended in another way.
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
		f.add(&f.loops, pending{key: next, pc: next, mask: out})
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

func (f *implicit) BreakAddr(target, next uint32) error {
	err := f.push(f.active, frame{target, false})
	f.Advance(next)
	return err
}

func (f *implicit) Break(taken lane.Mask, next uint32) error {
	to, err := f.breaks(taken)
	if err != nil {
		return err
	}
	slices.SortFunc(to, func(a, b path) int { return int(int64(b.pc) - int64(a.pc)) })
	f.active &^= taken
	f.pc = next
	for _, p := range to {
		f.add(&f.ifs, pending{pc: p.pc, mask: p.mask})
	}
	f.resume()
	return nil
}

// Call and PreReturn are refused before a kernel runs.
func (f *implicit) Call(_, _ uint32) error      { return errors.New("policy implicit cannot call") }
func (f *implicit) PreReturn(_, _ uint32) error { return errors.New("policy implicit cannot call") }

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
	slices.SortFunc(f.paths, func(a, b path) int { return int(int64(b.pc) - int64(a.pc)) })
	for _, p := range f.paths {
		f.add(&f.ifs, pending{pc: p.pc, mask: p.mask})
	}
	f.waiting.reset()
	f.resume()
}

// resume lets the youngest entry run if nobody does any more.
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
			to = appendWord(appendPath(to, path{e.pc, e.mask}), e.key)
		}
	}
	for _, l := range f.loops { // who is younger decides who resumes
		older := 0
		for _, i := range f.ifs {
			older += int(flag(i.age < l.age))
		}
		to = append(to, byte(older))
	}
	return f.frames.fingerprint(f.waiting.fingerprint(to), f.live)
}
