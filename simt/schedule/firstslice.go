package schedule

import (
	"math"
	"sync"
	"sync/atomic"

	"jacquard/simt/count"
)

// firstSlice is the first slice of some waves: every block begins and runs to the end of the slice,
// most to their own end. Waves begin until a block is left over. So short blocks keep all workers
// busy to the end of the grid, and long ones leave one or two waves of blocks.
type firstSlice struct {
	g     *grid
	until uint64         // the end of the slice
	at    []atomic.Int64 // by worker: its blocks before this one have ended or are left
	open  atomic.Int64   // the first block of left, noBlock if there is none

	sync.Mutex
	next  int       // block to begin next
	end   int       // the first block not to begin
	left  []*convoy // with a block that did not end, or faulted
	reach int       // how many blocks after the first running one may begin
	moved sync.Cond // a worker has ended its claim
}

// noBlock is after all blocks.
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

// Notes and counts of blocks are kept until all earlier blocks have ended, and a worker can lose
// its core for long. These limits bound what another worker keeps: the convoys of a recorded
// launch, and about the bytes of counters.
const (
	mostRecordedAhead = 16
	mostCountedAhead  = 16 << 20
)

// reach returns how many blocks after the first running one may begin.
func (g *grid) reach() int {
	if g.l.Recorder != nil {
		return mostRecordedAhead * g.size
	}
	return g.resident * max(mostRecordedAhead, mostCountedAhead/count.LedgerBytes(g.l.Program.Program))
}

// claim returns the numbers of blocks that a worker begins next, for up to the given number of
// convoys; none if no block is left. The worker's last claim has ended or is left over.
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
		o.at[w.number].Store(int64(first))
	}
	return first, end
}

// ran notes that a worker runs no block. The caller holds the lock.
func (o *firstSlice) ran(w *worker) {
	o.at[w.number].Store(noBlock)
	o.moved.Broadcast()
}

// running returns the first running block, or noBlock.
func (o *firstSlice) running() int {
	first := int64(noBlock)
	for i := range o.at {
		first = min(first, o.at[i].Load())
	}
	return int(first)
}

// certain returns the first wave with a block that has not ended. That wave and those before it
// count, wherever the launch faults. The caller is running a block.
func (o *firstSlice) certain() int {
	first := o.running() // before open: a convoy is left over before its worker claims again
	return min(first, int(o.open.Load())) / o.g.resident
}

// ledger returns the ledger for a worker's counts of a wave.
func (o *firstSlice) ledger(w *worker, wave int) *count.Ledger {
	certain := o.certain()
	w.countWaves(certain)
	if wave <= certain {
		return &w.ledger
	}
	return w.aheadAt(o.g, wave)
}

// among returns the size of a convoy for blocks from first up to but not including end.
func (o *firstSlice) among(first, end int) int {
	return min(o.g.size, end-first, o.g.resident-first%o.g.resident)
}

// leave keeps a convoy that has not finished, or in which a block faulted. No further wave begins.
func (o *firstSlice) leave(c *convoy) {
	o.Lock()
	defer o.Unlock()
	o.left = append(o.left, c)
	o.open.Store(min(o.open.Load(), int64(c.blocks[0].own.Number)))
	o.end = min(o.end, roundUp(o.next, o.g.resident))
}

// mostConvoys is the most convoys of a worker's claim.
const mostConvoys = 8

// work begins blocks until none is left: one convoy per claim at first, then more and more.
// Neighbouring blocks often use neighbouring memory, which is better left to one core; but their
// records are kept until the blocks before them have ended.
func (o *firstSlice) work(w *worker) {
	most := min(mostConvoys, o.reach/(2*len(o.g.workers)*o.g.size))
	if o.g.l.Recorder != nil || o.g.l.Watchdog > 0 { // a watchdog sees the count of every block
		most = 1
	}
	defer func() { // no worker may wait for one that panicked
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

// begin runs a convoy from block first on to the end of the slice.
func (o *firstSlice) begin(w *worker, c *convoy, first int) {
	o.at[w.number].Store(int64(first))
	if n := o.ledger(w, first/o.g.resident); n != c.meter.Ledger {
		c.assign(o.g, n)
	}
	c.start(first)
	c.run(o.until)
	if ended, faulted := c.ended(); !ended || faulted {
		c.flush()
		o.leave(c)
		return
	}
	c.end()
	w.idle = append(w.idle, c)
}

// watch begins n blocks: each block that the launch's observer watches alone, the blocks between
// them together.
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

// ask asks the launch's observer about a block, and returns a convoy for it alone if it is watched.
// Blocks that are not watched share one convoy here, which never runs.
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
