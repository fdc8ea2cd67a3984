package branch

import "jacquard/simt/lane"

// Widths returns the option of every policy that chooses the lanes of a warp. Rows of registers and
// masks have 32 lanes: a home warp. Narrow warps are groups of its lanes, so a thread keeps its
// place, and listeners see home warps and their lanes. Wider warps would need wider rows and masks
// everywhere; fewer lanes than 4 would cut quads.
func Widths() Option { return Option{"warp", []string{"32", "16", "8", "4"}} }

// narrower is a policy that can issue for warps of fewer lanes than 32.
type narrower interface {
	// narrow returns the policy for warps of width lanes. It is called before Start.
	narrow(width int) Policy
}

// narrow implements narrower: every warp of the block becomes a group of flows. A policy around
// perWarp that knows forks or regions becomes a plain one, which is told of all events.
func (p *perWarp) narrow(width int) Policy {
	newFlow := p.newFlow
	return newPerWarp(func() Flow { return &narrowed{newFlow: newFlow, width: width} })
}

// narrowed is the flow of a home warp that is several narrow warps, each with a flow of its own.
// They take turns at control instructions, so that none waits for ever for another. A narrow warp
// that ended, or waits at a barrier, has no turn. The home warp waits once all narrow warps do.
type narrowed struct {
	newFlow func() Flow
	width   int
	parts   []part
	at      int // the narrow warp whose turn it is
}

// part is a narrow warp, with its status and barrier after its last event.
type part struct {
	Flow
	status  Status
	barrier uint8 // of its last arrival
}

// Start implements Flow.
func (f *narrowed) Start(mask lane.Mask) {
	f.at = 0
	n := 0
	for mask != 0 {
		group := lane.Group(mask, f.width)
		if n == len(f.parts) {
			f.parts = append(f.parts, part{Flow: f.newFlow()})
		}
		f.parts[n].Start(mask & group)
		f.parts[n].status = Runs
		mask &^= group
		n++
	}
	f.parts = f.parts[:n]
}

func (f *narrowed) own() *part { return &f.parts[f.at] }

// Pick implements Flow. While others want their turn, the narrow warp stops at every branch.
func (f *narrowed) Pick() (pc uint32, mask lane.Mask, stop uint32, skippable Kinds) {
	pc, mask, stop, skippable = f.own().Pick()
	if f.after() != f.at {
		skippable &^= KindsOf(Branch)
	}
	return pc, mask, stop, skippable
}

// Tells implements Selective.
func (f *narrowed) Tells(k Kinds, at int) Tell { return tells(f.parts[0].Flow, k, at) }

// counts implements countingFlow.
func (f *narrowed) counts() bool { return counts(f.newFlow()) }

// branched implements countingFlow.
func (f *narrowed) branched(n int) { f.own().Flow.(countingFlow).branched(n) }

// after returns the narrow warp with the next turn, or f.at if no other runs.
func (f *narrowed) after() int {
	for i := range f.parts {
		if next := (f.at + 1 + i) % len(f.parts); f.parts[next].status == Runs {
			return next
		}
	}
	return f.at
}

// turn ends the turn of a narrow warp, unless an event failed.
func (f *narrowed) turn(err error) error {
	if err == nil {
		f.own().status = f.own().Status()
		f.at = f.after()
	}
	return err
}

// Advance implements Flow.
func (f *narrowed) Advance(pc uint32) { f.own().Advance(pc) }

// Join implements Flow. The turn goes on if the instruction executes.
func (f *narrowed) Join(pc uint32) (execute bool, err error) {
	execute, err = f.own().Join(pc)
	if execute = execute && f.own().Status() == Runs; !execute {
		err = f.turn(err)
	}
	return execute, err
}

// Annotate implements Flow. The turn goes on.
func (f *narrowed) Annotate(kind EventKind, target, next uint32) error {
	return f.own().Annotate(kind, target, next)
}

// Branch implements Flow.
func (f *narrowed) Branch(taken lane.Mask, target, next uint32) error {
	return f.turn(f.own().Branch(taken, target, next))
}

// Break implements Flow. The turn goes on if no lane breaks: then an engine need not tell the
// policy.
func (f *narrowed) Break(taken lane.Mask, next uint32) error {
	return f.choice(taken, f.own().Break(taken, next))
}

// Call implements Flow.
func (f *narrowed) Call(target, next uint32) error { return f.turn(f.own().Call(target, next)) }

// Return implements Flow. The turn goes on if no lane returns, as for a break.
func (f *narrowed) Return(taken lane.Mask, next uint32) error {
	return f.choice(taken, f.own().Return(taken, next))
}

// choice ends the turn of a narrow warp if lanes branched away.
func (f *narrowed) choice(taken lane.Mask, err error) error {
	if taken == 0 {
		return err
	}
	return f.turn(err)
}

// Exit implements Flow.
func (f *narrowed) Exit() error { return f.turn(f.own().Exit()) }

// Arrive implements Flow.
func (f *narrowed) Arrive(barrier uint8, next uint32) error {
	f.own().barrier = barrier
	return f.turn(f.own().Arrive(barrier, next))
}

// Release implements Flow.
func (f *narrowed) Release() {
	for i := range f.parts {
		if p := &f.parts[i]; p.status == Waits {
			p.Release()
			p.status = p.Status()
		}
	}
	f.at = 0
	if f.parts[0].status != Runs {
		f.at = f.after()
	}
}

// Status implements Flow.
func (f *narrowed) Status() Status {
	all, barrier := Ended, uint8(0)
	for i := range f.parts {
		switch p := &f.parts[i]; {
		case p.status == Runs:
			return Runs
		case p.status == Ended:
		case p.status == Stuck || all != Ended && p.barrier != barrier:
			all = Stuck
		case all == Ended:
			all, barrier = Waits, p.barrier
		}
	}
	return all
}

// Live implements Flow.
func (f *narrowed) Live() (m lane.Mask) {
	for i := range f.parts {
		m |= f.parts[i].Live()
	}
	return m
}

// Places implements Flow.
func (f *narrowed) Places(to []Place) []Place {
	for i := range f.parts {
		to = f.parts[i].Places(to)
	}
	return to
}

// Depth implements Flow.
func (f *narrowed) Depth() (deepest int) {
	for i := range f.parts {
		deepest = max(deepest, f.parts[i].Depth())
	}
	return deepest
}

// predicted implements predictingFlow.
func (f *narrowed) predicted() (made, wrong uint64) {
	for i := range f.parts {
		if p, ok := f.parts[i].Flow.(predictingFlow); ok {
			m, w := p.predicted()
			made, wrong = made+m, wrong+w
		}
	}
	return made, wrong
}

// State implements Flow. The narrow warps follow each other; one of them runs. A narrow warp that
// waits for its turn has a NextEntry, because the order of its entries need not tell which runs.
func (f *narrowed) State(to State) State {
	for i := range f.parts {
		from := len(to)
		to = f.parts[i].State(to)
		end := len(to)
		for k := from; k < end && i != f.at; k++ {
			if to[k].Runs && end-from > 1 {
				to = append(to, Entry{Kind: NextEntry, PC: NoStop, Number: uint32(k - from)})
			}
			to[k].Runs = false
		}
	}
	return to
}
