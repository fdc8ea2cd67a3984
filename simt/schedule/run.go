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
	for next, total := 0, g.l.Grid[0]*g.l.Grid[1]; s.more || len(s.waves) > 0; {
		if s.more && s.left() < s.want {
			o := newFirstSlice(g, next, s)
			g.each(total-next, o.work)
			next = o.next
			g.waves, s.more = roundUp(next, g.resident)/g.resident, next < total
			s.join(o.waves())
		}
		for len(s.waves) > 0 && s.waves[0].left == 0 {
			w := s.waves[0]
			s.waves = s.waves[1:]
			g.retire(w)
			if f := w.fault(); f != nil {
				g.giveUp(f, s.waves)
				return f
			}
		}
		if len(s.waves) == 0 {
			g.countWaves(g.waves)
			continue
		}
		g.countWaves(s.waves[0].number)
		s.advance()
	}
	return nil
}

// wantLeft returns how many blocks that go on after their first slice are enough. Two for each
// worker share the work well. The record of a later block would be kept until the others end.
func (g *grid) wantLeft() int {
	if n := len(g.workers); n > 1 && g.l.Recorder == nil {
		return 2 * n
	}
	return 1
}

// retire counts what the blocks of a wave did after their first slice. The waves before have ended.
func (g *grid) retire(w *wave) {
	sum := &g.workers[0].ledger
	for _, b := range w.blocks {
		b.end()
		if b.meter.Ledger != sum {
			sum.Take(b.meter.Ledger)
		}
		g.drop(b)
	}
}

// drop keeps a block that has ended, and its ledger, for reuse.
func (g *grid) drop(b *block) {
	w := g.workers[0]
	if b.meter.Ledger != &w.ledger {
		w.keep(b.meter.Ledger)
	}
	w.idle = append(w.idle, b)
}

// giveUp makes a fault's wave the last. Later waves do not count.
func (g *grid) giveUp(f *machine.Fault, later []*wave) {
	g.waves = (f.Block[0]+f.Block[1]*g.l.Grid[0])/g.resident + 1
	if r := g.l.Recorder; r != nil {
		r.Fault(f, f.Block[0]+f.Block[1]*g.l.Grid[0])
	}
	for _, w := range later {
		for _, b := range w.blocks {
			b.end()
			g.drop(b)
		}
	}
	g.countWaves(g.waves - 1)
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
