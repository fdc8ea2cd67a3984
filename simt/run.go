package simt

import "time"

// Run carries out a launch and returns what it counted. The error is a *LaunchError if
// the device refuses the launch (then the Stats are nil), a *Fault if the kernel
// misbehaved (the Stats then say Incomplete), a *branch.RefusedError if the policy cannot
// run the kernel, or a *branch.UnknownPolicyError or *branch.OptionError.
func Run(l *Launch) (*Stats, error) {
	start := time.Now()
	if err := l.Check(); err != nil {
		return nil, err
	}
	g, err := newGrid(l)
	if err != nil {
		return nil, err
	}
	fault := g.run()
	s := g.stats()
	s.Elapsed = time.Since(start)
	if fault != nil {
		s.Incomplete = true
		return s, fault
	}
	return s, nil
}

// run takes the blocks of the grid through in waves, y slowest, then x. A wave must
// finish before the next one starts.
func (g *grid) run() *Fault {
	total := g.l.Grid[0] * g.l.Grid[1]
	for first := 0; first < total; first += len(g.blocks) {
		wave := g.blocks[:min(len(g.blocks), total-first)]
		for i, b := range wave {
			b.start([2]int{(first + i) % g.l.Grid[0], (first + i) / g.l.Grid[0]})
		}
		g.waves++
		f := g.wave(wave)
		for _, b := range wave {
			if b.watched != nil {
				b.watched.End()
			}
			if b.steps != nil && g.inStep == nil {
				g.inStep = b.steps.found
			}
		}
		if f != nil {
			return f
		}
	}
	return nil
}

// wave runs resident blocks to their end, a slice of rounds each in turn. The fault it
// returns is the least by (time, block, warp): once one is known, the blocks after it run
// only up to its time, and those before it have already passed it.
func (g *grid) wave(blocks []*Block) *Fault {
	var least *Fault
	watch := newWatch(g, blocks)
	for time := uint64(0); ; {
		time = watch.until(time)
		running := false
		for _, b := range blocks {
			limit := time
			if least != nil {
				limit = min(limit, least.Time)
			}
			b.run(limit)
			if b.fault != nil {
				least = b.fault
			}
			running = running || !b.done
		}
		if least != nil || !running {
			return least
		}
		if f := watch.reached(time); f != nil {
			return f
		}
	}
}
