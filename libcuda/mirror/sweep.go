package mirror

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"

	"jacquard/libcuda/foreign"
)

// chunk is how much is read back and compared at once: it stays in the processor's cache.
const chunk = 256 << 10

// alone is how many chunks are compared by one core: for fewer, others are not worth waking.
const alone = 8

// sweep is one comparison of buffers, chunk by chunk, by several cores.
type sweep struct {
	c      *context
	pieces []piece
	next   atomic.Int64
	first  atomic.Int64 // of the pieces that differ; as many as there are if none does
	same   atomic.Uint64
	failed atomic.Pointer[error]
}

// piece is a chunk of a buffer.
type piece struct {
	b     *buffer
	at    int
	size  int
	stale bool // it is not what both sides held before
}

func newSweep(c *context, buffers []*buffer) *sweep {
	s := &sweep{c: c}
	for _, b := range buffers {
		if b.lost.Load() {
			continue
		}
		for at := 0; at < len(b.memory); at += chunk {
			s.pieces = append(s.pieces, piece{b: b, at: at, size: min(chunk, len(b.memory)-at)})
		}
		c.m.report.Bytes += uint64(len(b.memory))
	}
	s.first.Store(int64(len(s.pieces)))
	return s
}

// run compares all pieces.
func (s *sweep) run() error {
	workers := min(runtime.GOMAXPROCS(0), len(s.pieces)/alone)
	for len(s.c.m.scratch) < max(workers, 1) {
		s.c.m.scratch = append(s.c.m.scratch, make([]byte, chunk))
	}
	var others sync.WaitGroup
	for w := 1; w < workers; w++ {
		others.Go(func() {
			runtime.LockOSThread() // a current context is a thread's
			defer runtime.UnlockOSThread()
			if err := s.c.current(); err != nil {
				s.failed.Store(&err)
				return
			}
			s.work(s.c.m.scratch[w])
		})
	}
	s.work(s.c.m.scratch[0])
	others.Wait()
	s.c.m.report.Pointers += s.same.Load()
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// work compares pieces until there are no more, or one before them differs.
func (s *sweep) work(scratch []byte) {
	for s.failed.Load() == nil {
		i := s.next.Add(1) - 1
		if i >= s.first.Load() {
			return
		}
		p := &s.pieces[i]
		if err := p.b.guarded(func() error { return s.check(p, int(i), scratch[:p.size]) }); err != nil {
			s.failed.Store(&err)
		}
	}
}

// check compares piece number i.
func (s *sweep) check(p *piece, i int, there []byte) error {
	if err := s.c.m.other.Read(there, p.b.there+foreign.Address(p.at)); err != nil {
		return err
	}
	here := p.b.memory[p.at:][:p.size]
	if !bytes.Equal(here, there) {
		alike, pointers := s.c.alike(here, there, p.at)
		s.same.Add(pointers)
		for !alike {
			first := s.first.Load()
			if first <= int64(i) || s.first.CompareAndSwap(first, int64(i)) {
				break
			}
		}
	}
	p.stale = p.b.shadow != nil && !bytes.Equal(here, p.b.shadow[p.at:][:p.size])
	return nil
}

// different returns the first buffer that differs, or nil.
func (s *sweep) different() *buffer {
	if first := int(s.first.Load()); first < len(s.pieces) {
		return s.pieces[first].b
	}
	return nil
}

// refresh notes what both sides hold now. The program may write to mapped memory meanwhile: of that, what is there counts.
func (s *sweep) refresh() error {
	for _, p := range s.pieces {
		if !p.stale || p.b.lost.Load() {
			continue
		}
		shadow := p.b.shadow[p.at:][:p.size]
		if !p.b.host {
			copy(shadow, p.b.memory[p.at:])
		} else if err := s.c.m.other.Read(shadow, p.b.there+foreign.Address(p.at)); err != nil {
			return err
		}
	}
	return nil
}
