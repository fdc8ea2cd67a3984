package schedule

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"jacquard/simt/count"
)

// worker is a host core at work on a launch: what it counts, and convoys that it can use again.
// Later launches have it too.
type worker struct {
	ledger count.Ledger
	ahead  []*waveLedger // of waves that a fault may leave out, in order
	spare  []*waveLedger
	part   int // its number in the launch
	idle   []*convoy
	asking *convoy // whose block an observer is asked about next, or nil
}

// hire finds places for the workers of a launch.
func (g *grid) hire(n int) {
	g.workers = make([]*worker, min(n, g.l.Grid[0]*g.l.Grid[1]))
	g.worker(0)
}

// wanted returns how many workers the launch is to have.
func (g *grid) wanted() int {
	switch {
	case g.alone() != "" || g.l.Observer != nil: // which is told of one block after another
		return 1
	case g.l.Workers > 0:
		return g.l.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// alone says why one worker must take one block after the other, "" if it need not.
func (g *grid) alone() string {
	switch {
	case g.l.Program.Plan.Reference:
		return g.l.Program.Plan.Reason
	case g.l.Watchdog > 0:
		return "the watchdog counts the issues of all blocks"
	}
	return ""
}

// each lets up to n workers do work at the same time, the caller being the first of them,
// and returns when there is no more to do.
func (g *grid) each(n int, work func(w *worker)) {
	if n = min(n, len(g.workers)); n == 1 {
		work(g.workers[0])
		return
	}
	g.l.Pool.share(n-1, func(part int) {
		w := g.worker(part)
		work(w)
		if part > 0 { // the caller may have more to do
			w.rest()
		}
	})
}

// mostIdle is how many convoys a worker takes to a later launch: those of two waves of blocks that
// go alone.
const mostIdle = 16

// worker returns a worker. The first time it is of an earlier launch, or new.
func (g *grid) worker(i int) *worker {
	if w := g.workers[i]; w != nil {
		return w
	}
	w, ok := g.scheme.workers.Get().(*worker)
	if !ok {
		w = new(worker)
	}
	w.part = i
	w.ledger.Begin(g.l.Program.Program, g.l.NoStats)
	w.idle = slices.DeleteFunc(w.idle, func(c *convoy) bool { return c.blocks[0].own.Warps != len(g.masks) })
	if over := len(w.idle) - mostIdle; over > 0 {
		w.idle = slices.Delete(w.idle, 0, over)
	}
	g.workers[i] = w
	return w
}

// convoy returns a convoy of n blocks for a worker to use: one that it has, or a new one.
func (g *grid) convoy(w *worker, n int) *convoy {
	c := w.used(n)
	if c == nil {
		c = newConvoy(g, n)
	}
	c.assign(g, &w.ledger)
	for _, b := range c.blocks {
		b.watched = nil
	}
	c.askInStep()
	return c
}

// used returns a convoy of n blocks that is there to be used again, or nil.
func (w *worker) used(n int) *convoy {
	for i, c := range slices.Backward(w.idle) {
		if len(c.blocks) == n {
			w.idle = slices.Delete(w.idle, i, i+1)
			return c
		}
	}
	return nil
}

// rest lets a worker's convoys forget the launch. Each worker does so itself: they are in the cache
// of its core.
func (w *worker) rest() {
	if w.asking != nil {
		w.idle = append(w.idle, w.asking)
		w.asking = nil
	}
	for _, c := range w.idle {
		c.clear()
	}
}

// release leaves the workers to later launches. The caller's worker is released first: a sync.Pool
// gives a core back what that core put in, so each core finds its own worker again.
func (g *grid) release() {
	g.workers[0].rest()
	for _, w := range g.workers {
		if w != nil {
			g.scheme.workers.Put(w)
		}
	}
}

// firstSlice is the first slice of waves of blocks: every block begins and goes as far as the
// slice, most to their end. Waves go on firstSlice until a block is left over; so short blocks
// keep all workers busy to the end of the grid, and long ones leave a wave or two of blocks
// to go on with.
type firstSlice struct {
	g     *grid
	until uint64         // the end of the slice
	at    []atomic.Int64 // by worker: its blocks before this one have ended or are left
	open  atomic.Int64   // the first block of left, noBlock if there is none

	sync.Mutex
	next  int       // block to begin next
	end   int       // block not to begin
	left  []*convoy // with a block that did not end, or faulted
	reach int       // how many blocks behind the first that runs may be begun
	moved sync.Cond // a worker has ended what it claimed
}

// noBlock is behind all blocks.
const noBlock = math.MaxInt

// newFirstSlice begins at a block.
func newFirstSlice(g *grid, first int) *firstSlice {
	o := &firstSlice{g: g, next: first, end: g.l.Grid[0] * g.l.Grid[1], at: make([]atomic.Int64, len(g.workers)), reach: g.reach()}
	o.until = newLookout(g, nil).until(0)
	o.moved.L = o
	o.open.Store(noBlock)
	for i := range o.at {
		o.at[i].Store(noBlock)
	}
	return o
}

// What is recorded or counted of blocks before an earlier one has ended has to be kept until then,
// and a worker can be kept from its core for long: these are the most convoys of a recorded launch,
// and about the most bytes of counters that another worker keeps.
const (
	mostRecordedAhead = 16
	mostCountedAhead  = 16 << 20
)

// reach returns how many blocks behind the first that runs may be begun.
func (g *grid) reach() int {
	if g.l.Recorder != nil {
		return mostRecordedAhead * g.size
	}
	return g.resident * max(mostRecordedAhead, mostCountedAhead/count.LedgerBytes(g.l.Program.Program))
}

// claim returns the numbers of blocks to begin next, which make so many convoys or fewer, none if
// there is nothing left. What the worker claimed before has ended or is left.
func (o *firstSlice) claim(w *worker, convoys int) (first, end int) {
	o.Lock()
	defer o.Unlock()
	o.ran(w)
	for o.next < o.end && o.next-o.running() >= o.reach {
		o.moved.Wait()
	}
	first, end = o.next, o.next
	share := (o.end - first) / (2 * len(o.g.workers) * o.g.size)
	for range max(1, min(convoys, share)) {
		end += o.among(end, o.end)
	}
	o.next = end
	if first < end {
		o.at[w.part].Store(int64(first))
	}
	return first, end
}

// ran notes that a worker runs no block. The caller holds the lock.
func (o *firstSlice) ran(w *worker) {
	o.at[w.part].Store(noBlock)
	o.moved.Broadcast()
}

// running returns the first block that runs, noBlock if none does.
func (o *firstSlice) running() int {
	first := int64(noBlock)
	for i := range o.at {
		first = min(first, o.at[i].Load())
	}
	return int(first)
}

// certain returns the first wave with a block that has not ended. What it does counts, wherever the
// launch faults, and that of the waves before it. The caller runs a block.
func (o *firstSlice) certain() int {
	first := o.running() // before open: a convoy is left before its worker claims again
	return min(first, int(o.open.Load())) / o.g.resident
}

// countersOf returns where a worker counts what the blocks of a wave do.
func (o *firstSlice) countersOf(w *worker, wave int) *count.Ledger {
	certain := o.certain()
	w.countWaves(certain)
	if wave <= certain {
		return &w.ledger
	}
	return w.aheadAt(o.g, wave)
}

// among returns how many blocks from first up to but not including end make a convoy.
func (o *firstSlice) among(first, end int) int {
	return min(o.g.size, end-first, o.g.resident-first%o.g.resident)
}

// leave keeps a convoy that has more to do, or in which a block faulted. The waves begun so
// far are the last.
func (o *firstSlice) leave(c *convoy) {
	o.Lock()
	defer o.Unlock()
	o.left = append(o.left, c)
	o.open.Store(min(o.open.Load(), int64(c.blocks[0].own.Number)))
	o.end = min(o.end, roundUp(o.next, o.g.resident))
}

// mostConvoys is how many convoys a worker takes at a time at most.
const mostConvoys = 8

// work begins blocks until there are no more: first those of a convoy, then of more and more.
// Neighbouring blocks often use neighbouring memory, which is better left to one core; but what is
// recorded of them has to be kept until the blocks before them have ended.
func (o *firstSlice) work(w *worker) {
	most := min(mostConvoys, o.reach/(2*len(o.g.workers)*o.g.size))
	if o.g.l.Recorder != nil || o.g.l.Watchdog > 0 { // a watchdog is to see what every block counts
		most = 1
	}
	defer func() { // no worker waits for one that panicked
		o.Lock()
		defer o.Unlock()
		o.ran(w)
	}()
	for convoys := 1; ; convoys = min(2*convoys, most) {
		first, end := o.claim(w, convoys)
		if first == end {
			return
		}
		for n := 0; first < end; first += n {
			n = o.among(first, end)
			if o.g.l.Observer == nil {
				o.begin(w, o.g.convoy(w, n), first)
			} else {
				o.watch(w, first, n)
			}
		}
	}
}

// begin runs a convoy from a block on as far as the slice.
func (o *firstSlice) begin(w *worker, c *convoy, first int) {
	o.at[w.part].Store(int64(first))
	if n := o.countersOf(w, first/o.g.resident); n != c.meter.Ledger {
		c.assign(o.g, n)
	}
	c.start(first)
	c.run(o.until)
	if !c.done() {
		c.flush()
		o.leave(c)
		return
	}
	c.end()
	w.idle = append(w.idle, c)
}

// watch begins n blocks: those that the launch's observer wants to watch each for itself, those
// between them together.
func (o *firstSlice) watch(w *worker, first, n int) {
	between := first
	for i := first; i < first+n; i++ {
		c := o.ask(w, i)
		if c == nil {
			continue
		}
		if between < i {
			o.begin(w, o.g.convoy(w, i-between), between)
		}
		o.begin(w, c, i)
		between = i + 1
	}
	if end := first + n; between < end {
		o.begin(w, o.g.convoy(w, end-between), between)
	}
}

// ask asks the launch's observer about a block, and returns a convoy of it alone if it is to be
// watched. As long as it is not, one block that never runs stands for all.
func (o *firstSlice) ask(w *worker, number int) *convoy {
	if w.asking == nil {
		w.asking = o.g.convoy(w, 1)
		w.asking.st.Reset()
		w.asking.blocks[0].start(number)
	} else {
		w.asking.blocks[0].renumber(number)
	}
	c := w.asking
	if !c.blocks[0].watch() {
		return nil
	}
	w.asking = nil
	return c
}
