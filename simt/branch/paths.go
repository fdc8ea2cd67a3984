package branch

import (
	"slices"

	"jacquard/simt/lane"
)

// paths is the control state of a warp as a list of paths, at most one per lane. It is equivalent
// to one pc per lane and is cheaper as long as few lanes diverge. Return and break addresses belong
// to lanes, so calls may diverge and recurse. The rule decides which path runs and which paths
// meet.
type paths struct {
	rule rule
	list []path // paths that can run; each lane is in at most one
	at   int    // index in list of the current path
	step bool   // the current path came through a branch since the rule last chose
	// stop and skips are as the rule last returned them.
	stop  uint32
	skips Kinds
	// join says that the current path is at a join marker, whose instruction it has yet to run.
	join bool
	laneState
	most int // most paths so far
}

// rule is what differs between policies over paths.
type rule interface {
	// begin puts the lanes that start at pc 0 into p.list.
	begin(p *paths, mask lane.Mask)

	// choose joins the paths that meet, and sets p.at to the path that runs next. It returns the first
	// pc at which to choose again although no branch was there, and the events after which the rule
	// need not choose: see Cohort. The list has two paths or more.
	choose(p *paths) (stop uint32, skippable Kinds)

	// keeps returns the kind of entry that path i of the list is.
	keeps(i int) EntryKind
}

// newPaths returns a function that makes flows; they share the rule.
func newPaths(r rule) func() Flow { return func() Flow { return &paths{rule: r} } }

// ofRule makes a policy of a rule that has no options and does not read the kernel.
func ofRule(r rule) prepare {
	return ofFlows(func(*Kernel, []string) (func() Flow, error) { return newPaths(r), nil })
}

// together is the usual start of a rule: one path of all lanes. It keeps more paths as a list.
type together struct{}

func (together) begin(p *paths, mask lane.Mask) { p.list = append(p.list, path{0, mask}) }
func (together) keeps(int) EntryKind            { return PathEntry }

func (p *paths) Start(mask lane.Mask) {
	p.list, p.at, p.step, p.join = p.list[:0], 0, false, false
	p.laneState.start(mask)
	p.rule.begin(p, mask)
	p.most = len(p.list)
}

func (p *paths) Pick() (uint32, lane.Mask, uint32, Kinds) {
	if len(p.list) == 1 {
		p.at, p.join, p.step = 0, false, false
		return p.list[0].pc, p.list[0].mask, NoStop, annotations | choices
	}
	if !p.join {
		p.stop, p.skips = p.rule.choose(p)
	}
	p.join, p.step = false, false
	a := &p.list[p.at]
	return a.pc, a.mask, p.stop, p.skips
}

func (p *paths) Advance(pc uint32) { p.list[p.at].pc = pc }

// Join ignores the marker: paths meet by their pcs. The running path stays the same until the
// instruction has executed.
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
	default: // a new path comes right after the path that it leaves
		p.most = max(p.most, len(p.list)+1+len(p.waiting.paths))
		a.mask, a.pc = a.mask&^taken, next
		p.list = slices.Insert(p.list, p.at+1, path{target, taken})
	}
	return nil
}

func (p *paths) active() lane.Mask { return p.list[p.at].mask }
func (p *paths) Depth() int        { return p.most }

func (p *paths) Annotate(kind EventKind, target, next uint32) error {
	p.Advance(next)
	return p.annotate(kind, p.active(), target)
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

// Return ends lanes outside any call.
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

// scatter replaces the lanes gone of the running path by the paths to; its other lanes go on at
// next.
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

// depth returns the number of calls around the lanes of a path, equal for all of them.
func (p *paths) depth(x path) uint32 { return p.calls[first(x.mask)] }

// merge joins all paths at one pc, in the place of the first.
func (p *paths) merge() { p.mergeAt(func(uint32) bool { return true }) }

// mergeAt is merge for paths at pcs where they may meet.
func (p *paths) mergeAt(may func(pc uint32) bool) {
	for i := 0; i < len(p.list); i++ {
		for j := len(p.list) - 1; j > i; j-- {
			if p.list[i].pc == p.list[j].pc && may(p.list[i].pc) {
				p.list[i].mask |= p.list[j].mask
				if j == p.at {
					p.at = i
				}
				p.remove(j)
			}
		}
	}
}

// nextAhead returns the least pc of another path that the running path would meet on straight-line
// code, or NoStop.
func (p *paths) nextAhead() (stop uint32) {
	stop = NoStop
	for _, x := range p.list {
		if x.pc > p.list[p.at].pc {
			stop = min(stop, x.pc)
		}
	}
	return stop
}

// remove takes path i off the list and keeps p.at on the running path.
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

func (p *paths) State(to State) State {
	to = p.laneState.state(to)
	for i, x := range p.list {
		to = append(to, running(p.rule.keeps(i), x.pc, x.mask, i == p.at))
	}
	return to
}
