package schedule

import (
	"slices"
	"sync"

	"jacquard/simt/machine"
)

// wave is the blocks of a wave that go on after their first slice, slice by slice. They have ledgers
// of their own, because the wave counts only if no earlier wave faults. Blocks may wait for others
// of their wave.
type wave struct {
	number int
	blocks []*block
	time   uint64 // that all blocks have reached, or ended before, when nothing is pending
	watch  lookout

	// Guarded by the stage's lock.
	pending int  // tasks until the wave has reached its time
	left    int  // blocks that go on
	waits   bool // the look goes on when nothing else runs
}

// fault returns the least fault of the wave by time, then block, or nil.
func (w *wave) fault() (least *machine.Fault) {
	for _, b := range w.blocks {
		if b.fault != nil && (least == nil || b.fault.Time < least.Time) {
			least = b.fault
		}
	}
	return least
}

// running returns how many blocks go on. None does if one faulted.
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
// where the wave returns to a state, and waits until it may go on alone.
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
	w.watch.look = nil
}

// task is work for one worker: a block to run until the time of its wave or, if there is none, a
// look at the wave.
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

// stage is the waves that go on, in order. Each goes on by itself: workers take the tasks of all, of
// the earliest first. So one worker runs one wave after the other.
type stage struct {
	g    *grid
	more bool // further waves will join
	want int  // they do when fewer blocks go on

	sync.Mutex
	waves   []*wave
	queue   []task
	busy    int // workers that do a task
	stopped bool
	changed sync.Cond
}

func newStage(g *grid) *stage {
	s := &stage{g: g, more: true, want: g.wantLeft()}
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

// join takes in waves that have ended their first slice.
func (s *stage) join(waves []*wave) {
	for _, w := range waves {
		s.waves = append(s.waves, w)
		s.plan(w)
	}
}

// plan makes the next tasks of a wave that has reached its time. The caller holds the lock.
func (s *stage) plan(w *wave) {
	w.left, w.waits = w.running(), w.watch.waits
	switch {
	case w.left == 0:
		s.more = s.more && w.fault() == nil
		return
	case w.waits:
		return
	case w.watch.due(w.time):
		s.queue = append(s.queue, task{wave: w})
		w.pending = 1
		return
	}
	w.time = w.watch.until(w.time)
	w.pending = w.left
	for _, b := range w.blocks {
		if !b.done {
			s.queue = append(s.queue, task{w, b})
		}
	}
}

// advance runs the waves on until the first is over, must be alone, or further waves join.
func (s *stage) advance() {
	if first := s.waves[0]; first.waits {
		first.look(true)
		s.plan(first)
		return
	}
	s.stopped = s.mustStop()
	s.g.each(s.left(), s.work)
}

// mustStop reports whether workers must not begin another task. The caller holds the lock.
func (s *stage) mustStop() bool {
	first := s.waves[0]
	return first.left == 0 || first.waits || s.more && s.left() < s.want
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
		t := s.take()
		s.do(t)
		if t.wave.pending--; t.wave.pending == 0 {
			s.plan(t.wave)
			s.stopped = s.stopped || s.mustStop()
		}
	}
}

// take takes the next task: one of the earliest wave.
func (s *stage) take() task {
	next := 0
	for i, t := range s.queue {
		if t.wave.number < s.queue[next].wave.number {
			next = i
		}
	}
	t := s.queue[next]
	s.queue = slices.Delete(s.queue, next, next+1)
	return t
}

// do does a task without the lock. If the task panics, no worker waits for it.
func (s *stage) do(t task) {
	s.busy++
	s.Unlock()
	defer func() {
		s.Lock()
		s.busy--
		s.changed.Broadcast()
	}()
	t.do()
}
