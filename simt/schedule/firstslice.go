package schedule

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"jacquard/simt/count"
)

// firstSlice is the first slice of some waves: every block begins and runs to the end of the slice,
// and most blocks end before. New waves begin until enough blocks are left over. So short blocks
// keep all workers busy to the end of the grid, and long blocks leave some waves of blocks.
type firstSlice struct {
	g     *grid
	until uint64         // the end of the slice
	at    []atomic.Int64 // by worker: the block that it runs, or noBlock
	open  atomic.Int64   // the first block left over, here or in the stage, or noBlock

	sync.Mutex
	next  int       // block to begin next
	end   int       // the first block not to begin
	left  []*block  // blocks that faulted or did not end
	room  int       // no further wave begins once so many blocks are left over
	reach int       // how far the next block may be ahead of the first running one
	moved sync.Cond // a worker has ended its claim
}

// noBlock is after all blocks.
const noBlock = math.MaxInt

// newFirstSlice begins at the next block of a stage, while the stage's waves wait. The first slice
// before is over.
func newFirstSlice(s *stage) *firstSlice {
	g, watch := s.g, newLookout(s.g)
	o := &g.first
	*o = firstSlice{
		g: g, next: s.next, end: s.total, reach: s.reach,
		at:    append(o.at[:0], make([]atomic.Int64, len(g.workers))...),
		until: watch.until(0), room: s.want - s.left(),
	}
	o.moved.L = o
	o.open.Store(int64(s.first()))
	for i := range o.at {
		o.at[i].Store(noBlock)
	}
	return o
}

// Notes and counts of a block are kept until all earlier blocks have ended, and a worker can lose
// its core for long. These limits bound what another worker keeps: blocks of a recorded launch, and
// roughly the bytes of counters.
const (
	mostRecordedAhead = 16
	mostCountedAhead  = 16 << 20
)

// reach returns how far the next block may be ahead of the first running one.
func (g *grid) reach() int {
	if g.l.Recorder != nil {
		return mostRecordedAhead
	}
	return g.resident * max(mostRecordedAhead, mostCountedAhead/count.LedgerBytes(g.l.Program.Program))
}

// claim returns the blocks that a worker begins next, at most most; none if no block is left. The
// worker's last claim has ended or is left over.
func (o *firstSlice) claim(w *worker, most int) (first, end int) {
	o.Lock()
	defer o.Unlock()
	o.ran(w)
	for o.next < o.end && o.next-o.running() >= o.reach {
		o.moved.Wait()
	}
	if o.next-int(o.open.Load()) >= o.reach {
		o.close()
	}
	first = o.next
	share := (o.end - first) / (2 * len(o.g.workers))
	end = min(o.wholeWaves(first, first+max(1, min(most, share))), o.end)
	if len(o.g.workers) == 1 { // if a block is left over, its wave goes first
		end = min(end, roundUp(first+1, o.g.resident))
	}
	o.next, w.apart = end, true
	if first < end {
		o.at[w.number].Store(int64(first))
	}
	return first, end
}

// wholeWaves moves the end of a claim, so that it has whole waves, or blocks of one wave.
func (o *firstSlice) wholeWaves(first, end int) int {
	switch n := o.g.resident; {
	case first%n != 0:
		return min(end, roundUp(first, n))
	case end-first > n:
		return end - end%n
	}
	return end
}

// ran records that a worker runs no block. The caller holds the lock.
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

// certain returns the first wave with a block that has not ended. Wherever the launch faults, this
// wave and the waves before it count. The caller is running a block.
func (o *firstSlice) certain() int {
	first := o.running() // before open: a block is left over before its worker claims again
	return min(first, int(o.open.Load())) / o.g.resident
}

// ledger returns the ledger into which a worker counts a wave.
func (o *firstSlice) ledger(w *worker, wave int) *count.Ledger {
	certain := o.certain()
	w.countWaves(certain)
	if wave <= certain {
		return &w.ledger
	}
	return w.aheadAt(o.g, wave)
}

// leave keeps a block that faulted or did not end.
func (o *firstSlice) leave(b *block) {
	o.Lock()
	defer o.Unlock()
	o.left = append(o.left, b)
	o.open.Store(min(o.open.Load(), int64(b.st.Number)))
	if len(o.left) >= o.room || b.fault != nil {
		o.close()
	}
}

// close lets no further wave begin. The caller holds the lock.
func (o *firstSlice) close() { o.end = min(o.end, roundUp(o.next, o.g.resident)) }

// waves returns the waves with blocks left over, in order.
func (o *firstSlice) waves() (list []*wave) {
	slices.SortFunc(o.left, func(a, b *block) int { return a.st.Number - b.st.Number })
	for _, b := range o.left {
		if n := len(list); n == 0 || list[n-1].number != b.wave() {
			list = append(list, &wave{number: b.wave(), time: o.until, watch: newLookout(o.g)})
		}
		w := list[len(list)-1]
		w.blocks = append(w.blocks, b)
	}
	return list
}

// mostClaimed is the most blocks of a worker's claim.
const mostClaimed = 32

// work begins blocks until none is left: first one block per claim, then more and more.
// Neighbouring blocks often use neighbouring memory, which is better left to one core. In a
// recorded launch each claim is one block, because the record of a block is kept until the blocks
// before have ended.
func (o *firstSlice) work(w *worker) {
	most := min(mostClaimed, o.reach/(2*len(o.g.workers)))
	if o.g.l.Recorder != nil || o.g.l.Watchdog > 0 { // a watchdog sees the count of every block
		most = 1
	}
	defer func() { // if this worker panics, the others stop
		o.Lock()
		defer o.Unlock()
		o.end = min(o.end, o.next)
		o.ran(w)
	}()
	for n := 1; ; n = min(2*n, most) {
		first, end := o.claim(w, n)
		if first == end {
			return
		}
		for i := first; i < end; i++ {
			o.run(w, i)
		}
	}
}

// run runs a block to the end of the slice.
func (o *firstSlice) run(w *worker, number int) {
	o.at[w.number].Store(int64(number))
	var b *block
	if o.g.observer != nil {
		b = o.ask(w, number)
	}
	if b == nil {
		b = o.g.block(w)
	}
	if n := o.ledger(w, number/o.g.resident); n != b.meter.Ledger {
		b.assign(o.g, n)
	}
	b.start(number)
	b.run(o.until)
	if !b.done || b.fault != nil {
		w.apart = true
		if o.g.l.Watchdog == 0 { // with a watchdog, the one worker counts into its one ledger
			b.assign(o.g, w.fresh(o.g))
		}
		o.leave(b)
		return
	}
	b.end()
	w.idle = append(w.idle, b)
}

// ask asks the launch's observer about a block, and returns the block if it is watched. All blocks
// that are not watched share one block here, which never runs.
func (o *firstSlice) ask(w *worker, number int) *block {
	b := w.asking
	if b == nil {
		b = o.g.block(w)
		b.reset(number)
		w.asking = b
	} else {
		b.renumber(number)
	}
	b.now = 0
	if !b.watch(o.g.observer) {
		return nil
	}
	w.asking = nil
	return b
}
