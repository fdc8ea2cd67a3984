package schedule

import (
	"time"

	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// Run runs a launch and returns its counts: simt.Run has the contract.
func Run(l *Launch) (*count.Stats, error) {
	start := time.Now()
	g, err := newGrid(l)
	if err != nil {
		return nil, err
	}
	var fault *machine.Fault
	lane.WithPlainFloats(func() { fault = g.run() })
	if g.checks != nil {
		g.checks.End(fault)
	}
	s := g.stats()
	g.release()
	s.Elapsed = time.Since(start)
	if fault != nil {
		s.Incomplete = true
		return s, fault
	}
	return s, nil
}

// run runs the blocks of the grid in waves, y slowest, then x. Several waves run together
// (firstSlice, stage), because only the order of their faults could show it.
func (g *grid) run() *machine.Fault {
	s := newStage(g)
	for {
		for w := s.ended(); w != nil; w = s.ended() {
			if f := w.fault(); f != nil {
				g.giveUp(f, w, s.waves)
				return f
			}
			g.retire(w)
		}
		for _, w := range s.waves {
			if w.left == 0 && w.fault() == nil {
				g.fold(w)
			}
		}
		g.countWaves(s.certain())
		switch {
		case s.mayBegin():
			s.begin()
		case len(s.waves) > 0:
			s.advance()
		default:
			return nil
		}
	}
}

// fold keeps the blocks of a finished wave for reuse, and adds up their counts in one ledger.
func (g *grid) fold(w *wave) {
	for _, b := range w.blocks {
		b.end()
		n := b.meter.Ledger
		b.clear()
		to := g.poorest()
		switch {
		case w.ledger == nil:
			w.ledger = n
		case w.ledger != n:
			w.ledger.Take(n)
			to.keep(n)
		}
		if len(to.idle) < mostIdle {
			to.idle = append(to.idle, b)
		}
	}
	w.blocks, w.watch.look = nil, nil
}

// poorest returns the worker with the fewest idle blocks.
func (g *grid) poorest() *worker {
	least := g.workers[0]
	for _, w := range g.workers {
		if w != nil && len(w.idle) < len(least.idle) {
			least = w
		}
	}
	return least
}

// retire adds the counts of a wave after its first slice. All earlier waves are over.
func (g *grid) retire(w *wave) {
	g.fold(w)
	if first := g.workers[0]; w.ledger != &first.ledger {
		first.ledger.Take(w.ledger)
		first.keep(w.ledger)
	}
}

// giveUp makes the wave of a fault the last. Later waves do not count.
func (g *grid) giveUp(f *machine.Fault, last *wave, later []*wave) {
	g.waves = last.number + 1
	if r := g.l.Recorder; r != nil { // before the blocks end
		r.Fault(f, f.Block[0]+f.Block[1]*g.l.Grid[0])
	}
	g.retire(last)
	for _, w := range later {
		g.fold(w)
		g.workers[0].keep(w.ledger)
	}
	g.countWaves(last.number)
	for _, w := range g.workers {
		if w != nil {
			w.forget(len(w.ahead))
		}
	}
}

// countWaves adds the waves in workers' ledgers, up to a wave.
func (g *grid) countWaves(wave int) {
	for _, w := range g.workers {
		if w != nil {
			w.countWaves(wave)
		}
	}
}

// stats sums up the counts of the workers.
func (g *grid) stats() *count.Stats {
	l, sum := g.l, &g.workers[0].ledger
	for _, w := range g.workers[1:] {
		if w != nil {
			sum.Take(&w.ledger)
		}
	}
	s := l.Reuse
	if s == nil {
		s = new(count.Stats)
	}
	sum.Nest(g.policy.depths)
	sum.Stats(s, l.Program.Program, l.wanted())
	s.Grid, s.Block, s.Waves = l.Grid, l.Block, g.waves
	return s
}
