package branch

import (
	"fmt"

	"jacquard/simt/lane"
)

// Flow is the control state of one warp under a policy that acts within a warp. Its
// methods mirror the events of Policy; errors are plain reasons, to which perWarp adds the
// warp's number.
type Flow interface {
	// Start begins with the lanes of mask at pc 0.
	Start(mask lane.Mask)

	// Pick returns what to issue next; an empty mask is an empty issue, see Policy.Cohorts.
	// stop is the first pc at which Pick must be asked again. skippable are the events that are
	// no more than Advance if all of mask go one way. Pick is not called on a warp that waits or
	// has ended.
	Pick() (pc uint32, mask lane.Mask, stop uint32, skippable Kinds)

	// Advance says that the picked lanes ran straight on to pc.
	Advance(pc uint32)

	// Join evaluates the join marker of the instruction at pc, which the picked lanes came to,
	// and reports whether the instruction executes now, with the lanes that Pick would return.
	Join(pc uint32) (execute bool, err error)

	// Annotate carries out an event after which the picked lanes go on at next: JoinAt, BreakAddr,
	// PreReturn, QuadOn or QuadPop.
	Annotate(kind EventKind, target, next uint32) error

	Branch(taken lane.Mask, target, next uint32) error
	Break(taken lane.Mask, next uint32) error
	Call(target, next uint32) error
	Return(taken lane.Mask, next uint32) error
	Exit() error

	// Arrive puts the active lanes at a barrier; they go on at next. A policy under which a
	// warp arrives as a whole puts all live lanes there.
	Arrive(barrier uint8, next uint32) error
	// Release lets the lanes at the barrier go on. The warp's Status was Waits.
	Release()

	// Status returns whether the warp can run.
	Status() Status
	// Live returns the lanes that have not ended.
	Live() lane.Mask
	// Places appends where the live lanes are: each is in exactly one place.
	Places(to []Place) []Place
	// Depth returns the deepest the control state has been, in entries.
	Depth() int

	// State appends what the flow keeps, complete: see Policy.State. If the warp can run, Pick was
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

// perWarp turns flows, one per warp, into a policy for the block. Cohorts are neighbouring warps at
// one pc; the schedule runs cohorts of one warp.
type perWarp struct {
	newFlow func() Flow
	flows   []Flow // one per warp of the largest block so far
	n       int
	alive   WarpSet
	next    Warps
	wrong   StackErrors // of the event being carried out
}

// newPerWarp returns a policy that gives every warp a flow made by newFlow.
func newPerWarp(newFlow func() Flow) *perWarp {
	return &perWarp{newFlow: newFlow}
}

func (p *perWarp) Mixes() bool   { return false }
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

// pick refreshes the next issue of warp w.
func (p *perWarp) pick(w int) {
	p.next.PC[w], p.next.Mask[w], p.next.Stop[w], p.next.Skippable[w] = p.flows[w].Pick()
}

func (p *perWarp) Cohorts(of WarpSet, out []Cohort) int {
	n := 0
	var last *Cohort
	for w := range p.n {
		if p.next.Ready>>w&1 == 0 {
			continue
		}
		if of>>w&1 == 0 {
			last = nil
			continue
		}
		if last == nil || last.PC != p.next.PC[w] || last.Empty() != (p.next.Mask[w] == 0) {
			last = &out[n]
			last.reset(p.next.PC[w], p.next.Stop[w])
			last.Skippable = p.next.Skippable[w]
			n++
		}
		last.Add(w, p.next.Mask[w])
		last.Stop = min(last.Stop, p.next.Stop[w])
		last.Skippable &= p.next.Skippable[w]
	}
	return n
}

func (p *perWarp) Advance(c *Cohort, pc uint32) {
	c.PC = pc
	for _, w := range c.Warp[:c.N] {
		p.flows[w].Advance(pc)
		p.pick(int(w))
	}
}

func (p *perWarp) Follow(c *Cohort) bool {
	pc, empty := p.next.PC[c.Warp[0]], p.next.Mask[c.Warp[0]] == 0
	c.PC, c.Stop, c.Skippable, c.Full = pc, NoStop, p.next.Skippable[c.Warp[0]], true
	for i, w := range c.Warp[:c.N] {
		m := p.next.Mask[w]
		if p.next.Ready>>w&1 == 0 || p.next.PC[w] != pc || (m == 0) != empty {
			return false
		}
		c.Mask[i] = m
		c.Full = c.Full && m == lane.All
		c.Stop = min(c.Stop, p.next.Stop[w])
		c.Skippable &= p.next.Skippable[w]
	}
	return true
}

func (p *perWarp) Join(c *Cohort) error {
	warps, n := c.Warp, c.N
	c.N, c.Full = 0, true
	for _, w := range warps[:n] {
		execute, err := p.flows[w].Join(c.PC)
		if err != nil {
			p.fail(int(w), err)
			continue
		}
		if p.update(int(w)) == Runs && execute {
			c.Add(int(w), p.next.Mask[w])
		}
	}
	return p.failures()
}

// fail notes an error of warp w, which goes nowhere from here.
func (p *perWarp) fail(w int, err error) {
	p.next.Ready &^= 1 << w
	p.wrong = append(p.wrong, &StackError{w, err.Error()})
}

// failures returns the errors noted since the last call, as one.
func (p *perWarp) failures() error {
	if len(p.wrong) == 0 {
		return nil
	}
	wrong := p.wrong
	p.wrong = nil
	return wrong
}

// update refreshes warp w after lanes of it may have ended or come to wait.
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
	var arrived WarpSet
	stays := e.Kind != Return && e.Kind != Exit && e.Kind != Arrive // no lane ends or waits
	for i, w := range c.Warp[:c.N] {
		var err error
		if e.Indirect {
			err = p.flows[w].Branch(e.Lanes[i], e.Targets[i], e.Nexts[i])
		} else {
			err = p.control(p.flows[w], e, e.Lanes[i])
		}
		if err != nil {
			p.fail(int(w), err)
			continue
		}
		if stays {
			p.pick(int(w))
		} else if p.update(int(w)) == Waits {
			arrived |= 1 << w
		}
	}
	return arrived, p.failures()
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
