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
	if err := l.Check(); err != nil {
		return nil, err
	}
	g, err := newGrid(l)
	if err != nil {
		return nil, err
	}
	var fault *machine.Fault
	lane.WithPlainFloats(func() { fault = g.run() })
	s := g.stats()
	g.release()
	s.Elapsed = time.Since(start)
	if fault != nil {
		s.Incomplete = true
		return s, fault
	}
	return s, nil
}

// run runs the blocks of the grid in waves, y slowest, then x. Several waves run together, because
// only the order of their faults could show it: see firstSlice and stage.
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

// retire counts what the blocks of a wave did after their first slice. All earlier waves are over.
func (g *grid) retire(w *wave) {
	sum := &g.workers[0].ledger
	for _, b := range w.blocks {
		b.end()
		if b.meter.Ledger != sum {
			sum.Take(b.meter.Ledger)
		}
	}
	g.drop(w)
}

// drop keeps blocks that have ended, and their ledgers, for reuse.
func (g *grid) drop(w *wave) {
	first := g.workers[0]
	for _, b := range w.blocks {
		if b.meter.Ledger != &first.ledger {
			first.keep(b.meter.Ledger)
		}
		if len(first.idle) < mostIdle {
			first.idle = append(first.idle, b)
		}
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
		for _, b := range w.blocks {
			b.end()
		}
		g.drop(w)
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

// stats sums up what the workers counted.
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
	sum.Stats(s, l.Program.Program, l.NoStats)
	s.Grid, s.Block, s.Waves = l.Grid, l.Block, g.waves
	return s
}
