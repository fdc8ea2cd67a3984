package branch

import "jacquard/simt/lane"

// pomp keeps one counter per lane: the number of ifs and loops that must end before the lane is
// active again. R. Keryell, N. Paris, "Activity counter: new optimization for the dynamic
// scheduling of SIMD control flow" (1993). Nested ifs and loops need no more, because a lane that
// is inactive outside is inactive inside: a counter of log D bits replaces a stack of D masks.
//
// A loop counts twice, for its rounds and for itself: a lane that continues waits for the end of
// the round, a lane that breaks for the end of both. A lane that ended waits for one level more
// than are open.
type pomp struct {
	count [lane.Width]uint32
	run   lane.Mask // lanes whose counter is 0
	open  uint32    // open ifs, and open loops twice
	most  uint32
}

func (p *pomp) Start(m lane.Mask) {
	*p = pomp{run: m}
	for l := range p.count {
		p.count[l] = flag(m>>l&1 == 0)
	}
}

func (p *pomp) Active() lane.Mask { return p.run }
func (p *pomp) Depth() int        { return int(p.most) }

// enter opens levels: inactive lanes wait for them too.
func (p *pomp) enter(levels uint32) {
	p.open += levels
	p.most = max(p.most, p.open)
	for m := ^p.run; m != 0; m &= m - 1 {
		p.count[first(m)] += levels
	}
}

func (p *pomp) leave(levels uint32) {
	p.open -= levels
	for m := ^p.run; m != 0; m &= m - 1 {
		p.set(first(m), p.count[first(m)]-levels)
	}
}

// set sets the counter of a lane.
func (p *pomp) set(l int, c uint32) {
	p.count[l] = c
	p.run = p.run&^(1<<l) | lane.Mask(flag(c == 0))<<l
}

// wait makes the active lanes outside m wait for the end of levels.
func (p *pomp) wait(m lane.Mask, levels uint32) {
	for out := p.run &^ m; out != 0; out &= out - 1 {
		p.count[first(out)] = levels
	}
	p.run &= m
}

func (p *pomp) If(m lane.Mask) {
	p.enter(1)
	p.wait(m, 1)
}

func (p *pomp) Else() {
	for l, c := range p.count {
		if c <= 1 {
			p.set(l, 1-c)
		}
	}
}

func (p *pomp) EndIf() { p.leave(1) }
func (p *pomp) Loop()  { p.enter(2) }

func (p *pomp) While() {
	for m := ^p.run; m != 0; m &= m - 1 {
		if l := first(m); p.count[l] == 1 {
			p.set(l, 0)
		}
	}
}

func (p *pomp) EndLoop()         { p.leave(2) }
func (p *pomp) Break(ifs int)    { p.wait(0, uint32(ifs)+2) }
func (p *pomp) Continue(ifs int) { p.wait(0, uint32(ifs)+1) }
func (p *pomp) Exit()            { p.wait(0, p.open+1) }

func (p *pomp) Copy(from masks) { *p = *from.(*pomp) }

func (p *pomp) State(to State) State {
	return columns(to, CounterEntry, &p.count, func(c uint32) bool { return c > 0 && c <= p.open })
}
