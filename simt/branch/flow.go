package branch

import (
	"fmt"

	"jacquard/simt/lane"
)

// Flow is the control state of one warp under a policy that acts within a warp. Its methods mirror
// the events of Policy. An error is a plain reason, to which perWarp adds the warp's number.
//
// While all live lanes are together, a flow is not told of barriers, nor at once of the end of the
// warp (see Whole). A flow that a barrier changes is a barred, too.
type Flow interface {
	// Start begins with the lanes of mask at pc 0.
	Start(mask lane.Mask)

	// Pick returns the next issue; an empty mask is an empty issue, see Policy. stop is the first
	// pc at which Pick must be asked again. The events in skippable are no more than Advance if all
	// of mask go one way. Pick is not called on a warp that waits or has ended.
	Pick() (pc uint32, mask lane.Mask, stop uint32, skippable Kinds)

	// Advance says that the picked lanes ran straight on to pc.
	Advance(pc uint32)

	// Join evaluates the join marker of the instruction at pc, to which the picked lanes came. It
	// reports whether the instruction executes now, with the lanes that Pick would return.
	Join(pc uint32) (execute bool, err error)

	// Annotate carries out an event after which the picked lanes go on at next: JoinAt, BreakAddr,
	// PreReturn, QuadOn or QuadPop.
	Annotate(kind EventKind, target, next uint32) error

	Branch(taken lane.Mask, target, next uint32) error
	Break(taken lane.Mask, next uint32) error
	Call(target, next uint32) error
	Return(taken lane.Mask, next uint32) error
	Exit() error

	// Arrive makes the active lanes wait at a barrier; they go on at next. If warps arrive as a
	// whole under the policy, all live lanes wait.
	Arrive(barrier uint8, next uint32) error
	// Release lets the lanes at the barrier go on. The warp's Status was Waits.
	Release()

	// Status returns whether the warp can run.
	Status() Status
	// Live returns the lanes that have not ended.
	Live() lane.Mask
	// Places appends where the live lanes are: each is in exactly one place.
	Places(to []Place) []Place
	// Depth returns the most entries that the control state has had.
	Depth() int

	// State appends the complete state of the flow: see Policy.State. If the warp can run, Pick was
	// called since the last event.
	State(to State) State
}

// Status says whether a warp can run.
type Status uint8

// The values.
const (
	Runs  Status = iota // some lane can run
	Waits               // every live lane waits at one barrier
	Stuck               // every live lane waits, but not all of them at one barrier
	Ended               // no lane is live
)

// perWarp turns flows, one per warp, into a policy for the block.
type perWarp struct {
	newFlow func() Flow
	flows   []Flow // one per warp of the largest block so far
	n       int
	alive   WarpSet
	next    Warps
}

// whole is perWarp for flows that stay the same while all live lanes are together: see Whole.
type whole struct{ *perWarp }

// newWhole is newPerWarp for such flows.
func newWhole(newFlow func() Flow) whole { return whole{newPerWarp(newFlow)} }

// barred is a flow that barriers change.
type barred interface {
	// idle reports whether Arrive and Release change no more than Depth, if all live lanes arrive.
	idle() bool
	// passed changes Depth as they do, and reports whether it did.
	passed() bool
}

// Idle implements Whole.
func (p whole) Idle(w int) bool {
	f, ok := p.flows[w].(barred)
	return !ok || f.idle()
}

// Passed implements Whole.
func (p whole) Passed(warps WarpSet) (changed bool) {
	for w := range p.n {
		f, ok := p.flows[w].(barred)
		if !ok {
			return false
		}
		changed = warps>>w&1 != 0 && f.passed() || changed
	}
	return changed
}

// countingFlow is a flow that may count branches.
type countingFlow interface {
	counts() bool
	branched(n int)
}

// counts reports whether a flow counts branches.
func counts(f Flow) bool {
	c, ok := f.(countingFlow)
	return ok && c.counts()
}

// Counts implements Counting.
func (p *perWarp) Counts() bool { return counts(p.newFlow()) }

// Branched implements Counting.
func (p *perWarp) Branched(w, n int) { p.flows[w].(countingFlow).branched(n) }

// Tells implements Selective.
func (p *perWarp) Tells(k Kinds, at int) Tell { return tells(p.flows[0], k, at) }

// tells returns what a flow must be told of: see Selective.
func tells(f Flow, k Kinds, at int) Tell {
	if s, ok := f.(Selective); ok {
		return s.Tells(k, at)
	}
	return TellNever
}

// newPerWarp returns a policy that gives every warp a flow made by newFlow.
func newPerWarp(newFlow func() Flow) *perWarp {
	return &perWarp{newFlow: newFlow}
}

func (p *perWarp) Warps() *Warps { return &p.next }

func (p *perWarp) Start(masks []lane.Mask) {
	p.n, p.next.Ready, p.alive = len(masks), 0, 0
	for len(p.flows) < len(masks) {
		p.flows = append(p.flows, p.newFlow())
	}
	for w, m := range masks {
		if m == 0 {
			continue
		}
		p.flows[w].Start(m)
		p.next.Ready |= 1 << w
		p.alive |= 1 << w
		p.pick(w)
	}
}

// pick updates the next issue of warp w.
func (p *perWarp) pick(w int) {
	p.next.PC[w], p.next.Mask[w], p.next.Stop[w], p.next.Skippable[w] = p.flows[w].Pick()
}

func (p *perWarp) Advance(c *Cohort, pc uint32) {
	w := int(c.Warp[0])
	c.PC = pc
	p.flows[w].Advance(pc)
	p.pick(w)
}

func (p *perWarp) Join(c *Cohort) error {
	w := int(c.Warp[0])
	c.N, c.Full = 0, true
	execute, err := p.flows[w].Join(c.PC)
	if err != nil {
		return p.fail(w, err)
	}
	if p.update(w) == Runs && execute {
		c.Add(w, p.next.Mask[w])
	}
	return nil
}

// fail returns an error of warp w, which goes nowhere from here.
func (p *perWarp) fail(w int, err error) error {
	p.next.Ready &^= 1 << w
	return &StackError{w, err.Error()}
}

// update updates warp w after lanes may have ended or begun to wait.
func (p *perWarp) update(w int) Status {
	status := p.flows[w].Status()
	switch status {
	case Runs:
		p.next.Ready |= 1 << w
		p.pick(w)
		return status
	case Ended:
		p.alive &^= 1 << w
	}
	p.next.Ready &^= 1 << w
	return status
}

func (p *perWarp) Control(c *Cohort, e *Event) (WarpSet, error) {
	w := int(c.Warp[0])
	var err error
	if e.Indirect {
		err = p.flows[w].Branch(e.Lanes[0], e.Targets[0], e.Nexts[0])
	} else {
		err = p.control(p.flows[w], e, e.Lanes[0])
	}
	switch {
	case err != nil:
		return 0, p.fail(w, err)
	case e.Kind != Return && e.Kind != Exit && e.Kind != Arrive: // no lane ends or waits
		p.pick(w)
	case p.update(w) == Waits:
		return 1 << w, nil
	}
	return 0, nil
}

func (p *perWarp) control(f Flow, e *Event, lanes lane.Mask) error {
	switch e.Kind {
	case Branch:
		return f.Branch(lanes, e.Target, e.Next)
	case JoinAt, BreakAddr, PreReturn, QuadOn, QuadPop:
		return f.Annotate(e.Kind, e.Target, e.Next)
	case Break:
		return f.Break(lanes, e.Next)
	case Call:
		return f.Call(e.Target, e.Next)
	case Return:
		return f.Return(lanes, e.Next)
	case Exit:
		return f.Exit()
	case Arrive:
		return f.Arrive(e.Barrier, e.Next)
	}
	panic(fmt.Sprintf("branch: unknown event %d", e.Kind))
}

func (p *perWarp) Release(warps WarpSet) {
	for w := range p.n {
		if warps>>w&1 != 0 && p.alive>>w&1 != 0 {
			p.flows[w].Release()
			p.update(w)
		}
	}
}

func (p *perWarp) Alive() WarpSet { return p.alive }

func (p *perWarp) Depth() int {
	deepest := 0
	for _, f := range p.flows[:p.n] {
		deepest = max(deepest, f.Depth())
	}
	return deepest
}

func (p *perWarp) State(w int, to State) State {
	if p.alive>>w&1 == 0 {
		return to
	}
	return p.flows[w].State(to)
}

func (p *perWarp) Live(w int) lane.Mask { return p.flows[w].Live() }

func (p *perWarp) Places(w int, to []Place) []Place { return p.flows[w].Places(to) }
