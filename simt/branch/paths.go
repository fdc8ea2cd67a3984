package branch

import (
	"slices"

	"jacquard/simt/lane"
)

// paths is the control state of a warp as a list of paths, at most one a lane: which lanes
// stand together, and where. It says the same as one pc for every lane (papers call the two
// equivalent) and is cheaper as long as few lanes part. Return and break addresses belong
// to lanes, so calls may diverge and recurse.
//
// What it leaves open is the rule: which path runs, and which meet. Schemes that need no
// help from the code differ in nothing else.
type paths struct {
	rule rule
	list []path // those that can run; never two with the same lane
	at   int    // in list: the path that runs
	step bool   // the path that runs came through a branch since the rule last chose
	stop uint32 // what the rule last said
	join bool   // the path that runs stands at a join marker and must not be left there
	live lane.Mask
	waiting
	frames
	most int // paths there have been at once
}

// rule is what makes a scheme of paths.
type rule interface {
	// begin puts the lanes that start at pc 0 into p.list.
	begin(p *paths, mask lane.Mask)

	// choose sets p.at, after it joined paths that meet by its lights, and returns the first
	// pc at which it wants to choose again although nothing branched. The list has two paths
	// or more.
	choose(p *paths) (stop uint32)

	// plain returns what is plain to it while there are two paths or more: see Cohort.
	plain() Kinds
}

func newPaths(r rule) Flow { return &paths{rule: r} }

func (p *paths) Start(mask lane.Mask) {
	p.list, p.at, p.step, p.join, p.live, p.most = p.list[:0], 0, false, false, mask, 0
	p.waiting.reset()
	p.frames.reset()
	p.rule.begin(p, mask)
	p.most = len(p.list)
}

// together is how most rules begin: with one path.
func together(p *paths, mask lane.Mask) { p.list = append(p.list, path{0, mask}) }

func (p *paths) Pick() (uint32, lane.Mask, uint32, Kinds) {
	if len(p.list) == 1 {
		p.at, p.join, p.step = 0, false, false
		return p.list[0].pc, p.list[0].mask, NoStop, ignored | choices
	}
	if !p.join {
		p.stop = p.rule.choose(p)
	}
	p.join, p.step = false, false
	a := &p.list[p.at]
	return a.pc, a.mask, p.stop, p.rule.plain()
}

func (p *paths) Advance(pc uint32) { p.list[p.at].pc = pc }

// Join markers say nothing that the pcs do not. The path that runs must stay the same until
// the instruction has executed.
func (p *paths) Join(pc uint32) (bool, error) {
	p.Advance(pc)
	p.join = true
	return true, nil
}

func (p *paths) Branch(taken lane.Mask, target, next uint32) error {
	p.step = true
	switch a := &p.list[p.at]; taken {
	case 0:
		a.pc = next
	case a.mask:
		a.pc = target
	default:
		p.part(taken, target, next)
	}
	return nil
}

// part sends the lanes taken, a part of the path that runs, to target and leaves the rest at next.
// A new path comes right behind the one it leaves.
func (p *paths) part(taken lane.Mask, target, next uint32) {
	a := &p.list[p.at]
	a.mask, a.pc = a.mask&^taken, next
	p.list = slices.Insert(p.list, p.at+1, path{target, taken})
	p.most = max(p.most, len(p.list)+len(p.waiting.paths))
}

func (p *paths) met(int) { p.most = max(p.most, len(p.list)+1+len(p.waiting.paths)) }

func (p *paths) JoinAt(_, next uint32) error { return p.goOn(next) }
func (p *paths) QuadOn(next uint32) error    { return p.goOn(next) }
func (p *paths) QuadPop(next uint32) error   { return p.goOn(next) }
func (p *paths) goOn(next uint32) error      { p.Advance(next); return nil }
func (p *paths) active() lane.Mask           { return p.list[p.at].mask }
func (p *paths) Live() lane.Mask             { return p.live }
func (p *paths) Depth() int                  { return p.most }
func (p *paths) Standing() Standing          { return p.standing(p.live) }

func (p *paths) BreakAddr(target, next uint32) error {
	p.Advance(next)
	return p.push(p.active(), frame{target, false})
}

func (p *paths) Break(taken lane.Mask, next uint32) error {
	to, err := p.breaks(taken)
	if err == nil {
		p.scatter(to, taken, next)
	}
	return err
}

func (p *paths) Call(target, next uint32) error {
	p.step = true
	p.Advance(target)
	return p.push(p.active(), frame{next, true})
}

func (p *paths) PreReturn(target, next uint32) error {
	p.Advance(next)
	return p.push(p.active(), frame{target, true})
}

// Return ends lanes that are in no call.
func (p *paths) Return(taken lane.Mask, next uint32) error {
	to, ended := p.returns(taken)
	p.live &^= ended
	p.scatter(to, taken, next)
	return nil
}

func (p *paths) Exit() error {
	p.live &^= p.active()
	p.scatter(nil, p.active(), 0)
	return nil
}

func (p *paths) Arrive(barrier uint8, next uint32) error {
	m := p.active()
	p.arrive(barrier, next, m)
	p.scatter(nil, m, 0)
	return nil
}

// scatter takes the lanes gone from the path that runs, whose rest goes on at next, and
// puts the paths to in its place.
func (p *paths) scatter(to []path, gone lane.Mask, next uint32) {
	p.step = true
	a := &p.list[p.at]
	if len(to) == 1 && to[0].mask == a.mask {
		a.pc = to[0].pc
		return
	}
	if a.mask &^= gone; a.mask != 0 {
		a.pc = next
		p.list = slices.Insert(p.list, p.at+1, to...)
	} else {
		p.list = slices.Replace(p.list, p.at, p.at+1, to...)
	}
	p.most = max(p.most, len(p.list)+len(p.waiting.paths))
}

// depth returns how many calls the lanes of a path are in: all the same.
func (p *paths) depth(x path) uint32 { return p.calls[first(x.mask)] }

// remove takes path i off the list and keeps p.at on the path that runs.
func (p *paths) remove(i int) {
	p.list = slices.Delete(p.list, i, i+1)
	if i < p.at {
		p.at--
	}
}

func (p *paths) Release() {
	p.list = append(p.list, p.waiting.paths...)
	p.waiting.reset()
}

func (p *paths) Places(to []Place) []Place {
	for _, x := range p.list {
		to = appendPlace(to, x.pc, x.mask)
	}
	return p.waiting.places(to)
}

func (p *paths) Fingerprint(to []byte) []byte {
	to = append(to, byte(len(p.list)), byte(p.at), byte(flag(p.step)))
	for _, x := range p.list {
		to = appendPath(to, x)
	}
	return p.frames.fingerprint(p.waiting.fingerprint(to), p.live)
}
