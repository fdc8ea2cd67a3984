package schedule

import (
	"runtime"
	"slices"

	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/machine"
)

// worker is a host core at work on a launch. Later launches reuse it.
type worker struct {
	ledger count.Ledger
	ahead  []waveLedger    // counts of waves that a fault may exclude, in order
	spare  []*count.Ledger // for reuse
	apart  bool            // the next wave needs a ledger of its own
	number int             // in the launch
	idle   []*block        // for reuse
	asking *block          // the block to ask an observer about next, or nil
}

// waveLedger is a worker's ledger of one wave, or of consecutive waves that only this worker runs.
// A wave with a block left over is the last of them. So a fault excludes all of them or none.
type waveLedger struct {
	*count.Ledger
	last int // the last of the waves
}

// hire makes room for the n workers of a launch.
func (g *grid) hire(n int) {
	n = min(n, g.l.Grid[0]*g.l.Grid[1])
	g.workers = append(g.workers[:0], make([]*worker, n)...)
	g.worker(0)
}

// workersWanted returns the number of workers for the launch.
func (g *grid) workersWanted() int {
	switch {
	case g.inOrder() || g.observer != nil || g.l.Checker != nil: // they are told of one block after another
		return 1
	case g.l.Workers > 0:
		return g.l.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// inOrder reports whether the launch's blocks must run one after the other. A watchdog counts the
// issues of all blocks.
func (g *grid) inOrder() bool { return g.l.Program.Plan.Reference || g.l.Watchdog > 0 }

// phase is a part of a launch that several workers do together: a first slice, or the stage.
type phase interface{ work(w *worker) }

// each makes up to n workers, the caller among them, do work at the same time, and returns when
// they are done.
func (g *grid) each(n int, p phase) {
	if n = min(n, len(g.workers)); n == 1 {
		p.work(g.workers[0])
		return
	}
	g.l.Pool.share(n-1, func(number int) {
		w := g.worker(number)
		p.work(w)
		if number > 0 { // the caller may have more work
			w.drop()
		}
	})
}

// mostIdle is how many blocks a worker keeps for a later launch: two waves.
const mostIdle = 16

// worker returns the worker of a number. The first call reuses a worker of an earlier launch, or
// makes one.
func (g *grid) worker(i int) *worker {
	if w := g.workers[i]; w != nil {
		return w
	}
	w, ok := g.policy.workers.Get().(*worker)
	if !ok {
		w = new(worker)
	}
	w.number = i
	w.ledger.Begin(g.l.Program.Program, g.l.NoStats)
	w.idle = slices.DeleteFunc(w.idle, func(b *block) bool { return b.st.Warps != len(g.masks) })
	if over := len(w.idle) - mostIdle; over > 0 {
		w.idle = slices.Delete(w.idle, 0, over)
	}
	g.workers[i] = w
	return w
}

// block returns a block for a worker: an idle one, or a new one.
func (g *grid) block(w *worker) *block {
	var b *block
	if n := len(w.idle) - 1; n >= 0 {
		b, w.idle = w.idle[n], w.idle[:n]
	} else {
		b = newBlock(g)
	}
	b.assign(g, &w.ledger)
	b.watched = nil
	if g.checks == nil {
		b.st.Hook, b.looking = nil, false
	}
	if d := &g.inStep; d.wanted {
		if b.steps == nil {
			b.steps = check.NewInStep(b.st)
		}
		b.inStep = b.steps
		b.inStep.Begin(d.policy, d.width, d.scope)
	}
	if g.checks != nil {
		g.guard(b)
	}
	return b
}

// drop makes a worker's blocks drop the launch. Each worker calls it itself, because the blocks are
// in its core's cache.
func (w *worker) drop() {
	if w.asking != nil {
		w.idle = append(w.idle, w.asking)
		w.asking = nil
	}
	for _, b := range w.idle {
		b.clear()
	}
}

// release keeps the grid and its workers for later launches. The caller's worker comes first: a
// sync.Pool returns to a core what the core put in, so each core finds its own worker again.
func (g *grid) release() {
	g.workers[0].drop()
	for _, w := range g.workers {
		if w != nil {
			g.policy.workers.Put(w)
		}
	}
	clear(g.workers)
	grids := g.policy.grids
	*g = grid{
		workers: g.workers, tid: g.tid, masks: g.masks, shape: g.shape, head: g.head,
		shared: machine.Grid{Rows: g.shared.Rows}, first: firstSlice{at: g.first.at},
	}
	grids.Put(g)
}

// aheadAt returns the ledger of a worker for a wave that a fault may exclude. A claim has one
// ledger, but a new one begins after a wave with a block left over.
func (w *worker) aheadAt(g *grid, wave int) *count.Ledger {
	if n := len(w.ahead); n > 0 && (!w.apart || w.ahead[n-1].last == wave) {
		w.ahead[n-1].last = wave
		return w.ahead[n-1].Ledger
	}
	c := w.fresh(g)
	w.ahead, w.apart = append(w.ahead, waveLedger{c, wave}), false
	return c
}

// fresh returns an empty ledger.
func (w *worker) fresh(g *grid) *count.Ledger {
	c := new(count.Ledger)
	if n := len(w.spare) - 1; n >= 0 {
		c, w.spare = w.spare[n], w.spare[:n]
	}
	c.Begin(g.l.Program.Program, g.l.NoStats)
	return c
}

// mostSpare is how many ledgers a worker keeps for later waves.
const mostSpare = 16

// keep keeps a ledger for later waves.
func (w *worker) keep(c *count.Ledger) {
	if len(w.spare) < mostSpare {
		w.spare = append(w.spare, c)
	}
}

// countWaves adds up the ledgers of the waves up to wave.
func (w *worker) countWaves(wave int) {
	n := 0
	for ; n < len(w.ahead) && w.ahead[n].last <= wave; n++ {
		w.ledger.Take(w.ahead[n].Ledger)
	}
	w.forget(n)
}

// forget drops the ledgers of the first n waves.
func (w *worker) forget(n int) {
	for _, c := range w.ahead[:n] {
		w.keep(c.Ledger)
	}
	w.ahead = slices.Delete(w.ahead, 0, n)
}
