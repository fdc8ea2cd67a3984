package schedule

import (
	"slices"
	"sync/atomic"
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

// run runs the blocks of the grid in waves, y slowest, then x. Several waves may begin together,
// because only the order of their faults could show it; see firstSlice.
func (g *grid) run() *machine.Fault {
	total := g.l.Grid[0] * g.l.Grid[1]
	for first := 0; first < total; {
		o := newFirstSlice(g, first)
		g.each(total-first, o.work)
		first = o.next
		g.waves = roundUp(first, g.resident) / g.resident
		slices.SortFunc(o.left, func(a, b *block) int { return a.st.Number - b.st.Number })
		f := g.goOn(o.left, o.until)
		if f != nil {
			g.endAt(f)
		}
		for _, b := range o.left {
			if b.wave() < g.waves { // later waves count nothing
				b.assign(g, &g.workers[0].ledger)
			}
			b.end()
			g.workers[0].idle = append(g.workers[0].idle, b)
		}
		g.countWaves()
		if f != nil {
			return f
		}
	}
	return nil
}

// endAt makes a fault's wave the last.
func (g *grid) endAt(f *machine.Fault) {
	block := f.Block[0] + f.Block[1]*g.l.Grid[0]
	g.waves = block/g.resident + 1
	if r := g.l.Recorder; r != nil {
		r.Fault(f, block)
	}
}

// countWaves adds the waves in workers' ledgers, up to the last wave of the launch, and drops later
// ones.
func (g *grid) countWaves() {
	for _, w := range g.workers {
		if w != nil {
			w.countWaves(g.waves - 1)
			w.forget(len(w.ahead))
		}
	}
}

// goOn runs blocks from a time to their end, wave after wave.
func (g *grid) goOn(blocks []*block, time uint64) *machine.Fault {
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].wave() == blocks[0].wave() {
			n++
		}
		if f := g.wave(blocks[:n], time); f != nil {
			return f
		}
		blocks = blocks[n:]
	}
	return nil
}

// wave runs resident blocks from a time to their end, one slice of rounds per block in turn. It
// returns the least fault by time, then block.
func (g *grid) wave(blocks []*block, time uint64) *machine.Fault {
	watch := newLookout(g, blocks)
	for {
		var least *machine.Fault
		running := false
		for _, b := range blocks {
			if b.fault != nil && (least == nil || b.fault.Time < least.Time) {
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
		until := watch.until(time)
		g.advance(blocks, time, until)
		time = until
	}
}

// shortStep is a number of rounds for which one worker is faster than several.
const shortStep = 64

// advance runs blocks from one time to another.
func (g *grid) advance(blocks []*block, from, until uint64) {
	if until-from < shortStep {
		for _, b := range blocks {
			b.assign(g, &g.workers[0].ledger)
			b.run(until)
		}
		return
	}
	var next atomic.Int32
	g.each(len(blocks), func(w *worker) {
		for i := next.Add(1); int(i) <= len(blocks); i = next.Add(1) {
			blocks[i-1].assign(g, &w.ledger)
			blocks[i-1].run(until)
		}
	})
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
