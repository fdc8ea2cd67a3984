package schedule

import (
	"slices"
	"sync"

	"jacquard/simt/count"
	"jacquard/simt/machine"
)

// wave holds the blocks of a wave that go on after their first slice, slice by slice. They have
// ledgers of their own, because the wave counts only if no earlier wave faults. Blocks may wait for
// others of their wave.
type wave struct {
	number int
	blocks []*block
	time   uint64 // end of the slice; if pending is 0, every block has reached it or ended
	watch  lookout
	vain   int           // looks together in a row after which the wave was as before
	ledger *count.Ledger // of the whole wave, once it is over

	// Guarded by the stage's lock.
	pending int // tasks of the slice or the look
	left    int // blocks that go on
}

// fault returns the least fault of the wave by time, then block, or nil. Under a watchdog blocks
// run in order and all stop together: the first fault has the cause.
func (w *wave) fault() (least *machine.Fault) {
	for _, b := range w.blocks {
		f := b.fault
		switch {
		case f == nil || least != nil && f.Kind == machine.FaultWatchdog:
		case least == nil || least.Kind != machine.FaultWatchdog && f.Time < least.Time:
			least = f
		}
	}
	return least
}

// running returns how many blocks go on: none if one faulted.
func (w *wave) running() (n int) {
	for _, b := range w.blocks {
		if b.fault != nil {
			return 0
		}
		if !b.done {
			n++
		}
	}
	return n
}

// look looks at the wave for livelock, round by round. Unless the wave runs alone, the look stops
// where the wave returns to a state, and waits until the wave may go on alone.
func (w *wave) look(alone bool) {
	k := w.watch.begin(w.blocks, w.time)
	for w.time < w.watch.end {
		if !w.watch.waits {
			w.time++
			for _, b := range w.blocks {
				b.run(w.time)
			}
			if w.running() == 0 {
				return
			}
			if !k.returned(w.time) {
				if w.time >= w.watch.hope && k.hopeless() {
					break
				}
				continue
			}
		}
		if w.watch.waits = !alone; !alone {
			return
		}
		if k.proves(w.time) {
			k.fault(w.time)
			return
		}
	}
	w.watch.look, w.watch.waits = nil, false
}

// task is work for one worker: run block until the time of its wave or, if block is nil, look at
// the wave.
type task struct {
	wave  *wave
	block *block
}

func (t task) do() {
	if t.block == nil {
		t.wave.look(false)
		return
	}
	t.block.run(t.wave.time)
}

// stage holds the waves that go on, in order. Workers take the tasks of all of them.
type stage struct {
	g     *grid
	want  int // if so many blocks go on, no wave begins
	total int // blocks of the grid
	reach int // how far the next block may be ahead of the first wave that goes on

	sync.Mutex
	next    int // block to begin next
	waves   []*wave
	queue   []task
	busy    int // workers that do a task
	stopped bool
	changed sync.Cond
}

// newStage returns the stage of a grid, before its first wave.
func newStage(g *grid) *stage {
	s := &g.stage
	*s = stage{g: g, want: 1, total: g.l.Grid[0] * g.l.Grid[1], reach: g.reach()}
	// Two blocks for each worker share the work well. One worker runs wave after wave. Recorders
	// keep the notes of a block until the blocks before have ended.
	if n := len(g.workers); n > 1 && g.l.Recorder == nil {
		s.want = 2 * n
	}
	s.changed.L = s
	return s
}

// left returns how many blocks go on.
func (s *stage) left() (n int) {
	for _, w := range s.waves {
		n += w.left
	}
	return n
}

// first returns the first block of the first wave that goes on, or noBlock.
func (s *stage) first() int {
	if len(s.waves) == 0 {
		return noBlock
	}
	return s.waves[0].number * s.g.resident
}

// certain returns the first wave that goes on, or the first that has not begun. The waves before
// are over.
func (s *stage) certain() int { return min(s.first(), roundUp(s.next, s.g.resident)) / s.g.resident }

// ended takes out the first wave if it is over, and returns it.
func (s *stage) ended() *wave {
	if len(s.waves) == 0 || s.waves[0].left > 0 {
		return nil
	}
	w := s.waves[0]
	s.waves = slices.Delete(s.waves, 0, 1)
	return w
}

// mayBegin reports whether further waves may begin. The caller holds the lock or is alone.
func (s *stage) mayBegin() bool {
	return s.next < s.total && s.left() < s.want && s.next-s.first() < s.reach
}

// begin begins further waves, and takes in the waves that are not over after their first slice.
func (s *stage) begin() {
	o := newFirstSlice(s)
	s.g.each(s.total-s.next, o)
	s.next = o.next
	s.g.waves = roundUp(s.next, s.g.resident) / s.g.resident
	for _, w := range o.waves() {
		w.left = w.running()
		s.waves = append(s.waves, w)
		if w.fault() != nil {
			s.total = s.next
		}
	}
}

// advance runs the waves on. It ends when the first wave is over or must be alone, or when further
// waves may begin.
func (s *stage) advance() {
	first := s.waves[0]
	if first.watch.waits {
		if others := s.left() > first.left; others && first.watch.look.asks && first.vain < mostVain {
			s.lookTogether()
		} else {
			first.look(true)
			first.left = first.running()
		}
		return
	}
	s.stopped = false
	s.plan()
	s.g.each(s.left(), s)
}

// plan makes tasks of the first waves until there are enough. The caller holds the lock or is
// alone.
func (s *stage) plan() {
	pending := 0
	for _, w := range s.waves {
		if pending >= s.want {
			return
		}
		if w.pending == 0 {
			s.planWave(w)
		}
		pending += w.pending
	}
}

// planWave makes the next tasks of a wave without tasks.
func (s *stage) planWave(w *wave) {
	switch {
	case w.left == 0 || w.watch.waits:
		return
	case w.watch.due(w.time):
		s.queue = append(s.queue, task{wave: w})
		w.pending = 1
		return
	}
	w.time = w.watch.until(w.time)
	for _, b := range w.blocks {
		if !b.done {
			s.queue = append(s.queue, task{w, b})
			w.pending++
		}
	}
}

// work does tasks until it must stop or none is left.
func (s *stage) work(*worker) {
	s.Lock()
	defer s.Unlock()
	for {
		for len(s.queue) == 0 && s.busy > 0 && !s.stopped {
			s.changed.Wait()
		}
		if len(s.queue) == 0 || s.stopped {
			return
		}
		t := s.queue[0]
		s.queue = slices.Delete(s.queue, 0, 1)
		s.do(t)
		if t.wave.pending--; t.wave.pending == 0 {
			s.settle(t.wave)
		}
	}
}

// settle records that a wave has done its tasks, and makes the next ones or stops the workers.
func (s *stage) settle(w *wave) {
	s.count(w)
	first := s.waves[0]
	if first.left == 0 || first.pending == 0 && first.watch.waits || s.mayBegin() {
		s.stopped = true
		return
	}
	s.plan()
}

// count counts the blocks of a wave that go on.
func (s *stage) count(w *wave) {
	w.left = w.running()
	if w.left == 0 && w.fault() != nil { // no further wave begins
		s.total = s.next
	}
}

// do does a task without the lock. If the task panics, the others stop.
func (s *stage) do(t task) {
	s.busy++
	s.Unlock()
	done := false
	defer func() {
		s.Lock()
		s.busy--
		s.stopped = s.stopped || !done
		s.changed.Broadcast()
	}()
	t.do()
	done = true
}
