package mirror

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"

	"jacquard/board/otherdriver"
	"jacquard/libcuda/driver"
)

// chunk is the size read back and compared at once: it stays in the processor's cache.
const chunk = 256 << 10

// alone is the number of chunks that one core compares alone: fewer are not worth waking others.
const alone = 8

// sweep is one comparison of buffers, chunk by chunk, by several cores.
type sweep struct {
	c      *context
	pieces []piece
	first  atomic.Int64 // the first piece that differs; the number of pieces if none does
	same   atomic.Uint64
	failed atomic.Pointer[error]
}

// piece is a chunk of a buffer.
type piece struct {
	b     *buffer
	at    int
	size  int
	stale bool // changed since both sides agreed, or perhaps changed until it is compared
}

// newSweep cuts buffers in pieces. If e is a launch, it is the only one since both sides agreed:
// memory that it did not store to has not changed here.
func newSweep(c *context, buffers []*buffer, e *driver.LaunchEnds) *sweep {
	s := &sweep{c: c}
	for _, b := range buffers {
		if b.lost.Load() {
			continue
		}
		stale := b.shadow != nil && (e == nil || b.host || e.Request.Global.Written(b.address))
		for at := 0; at < len(b.memory); at += chunk {
			s.pieces = append(s.pieces, piece{b, at, min(chunk, len(b.memory)-at), stale})
		}
		c.m.report.Bytes += uint64(len(b.memory) - b.slack)
	}
	s.first.Store(int64(len(s.pieces)))
	return s
}

// run compares all pieces.
func (s *sweep) run() error {
	err := s.share(s.check)
	s.c.m.report.Pointers += s.same.Load()
	return err
}

// refresh updates the shadows.
func (s *sweep) refresh() error { return s.share(s.note) }

// share calls do for each piece, up to the first that is known to differ, on as many cores as
// useful. scratch is as large as the piece.
func (s *sweep) share(do func(i int64, scratch []byte) error) error {
	workers := min(runtime.GOMAXPROCS(0), len(s.pieces)/alone)
	for len(s.c.m.scratch) < max(workers, 1) {
		s.c.m.scratch = append(s.c.m.scratch, make([]byte, chunk))
	}
	var next atomic.Int64
	work := func(scratch []byte) {
		for s.failed.Load() == nil {
			i := next.Add(1) - 1
			if i >= s.first.Load() {
				return
			}
			p := &s.pieces[i]
			if err := p.b.guarded(func() error { return do(i, scratch[:p.size]) }); err != nil {
				s.failed.Store(&err)
			}
		}
	}
	var others sync.WaitGroup
	for w := 1; w < workers; w++ {
		others.Go(func() {
			runtime.LockOSThread() // the current context belongs to the thread
			defer runtime.UnlockOSThread()
			if err := s.c.current(); err != nil {
				s.failed.Store(&err)
				return
			}
			work(s.c.m.scratch[w])
		})
	}
	work(s.c.m.scratch[0])
	others.Wait()
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// check compares piece number i.
func (s *sweep) check(i int64, there []byte) error {
	p := &s.pieces[i]
	if err := s.c.m.other.Read(there, p.b.there+otherdriver.Address(p.at)); err != nil {
		return err
	}
	here := p.b.memory[p.at:][:p.size]
	if !bytes.Equal(here, there) {
		pointers, alike := s.c.buffers.Alike(here, there, p.at)
		s.same.Add(uint64(len(pointers)))
		for !alike {
			first := s.first.Load()
			if first <= i || s.first.CompareAndSwap(first, i) {
				break
			}
		}
	}
	p.stale = p.stale && !bytes.Equal(here, p.b.shadow[p.at:][:p.size])
	return nil
}

// note updates the shadow of piece number i. The program may write to mapped memory meanwhile, so
// it takes the other side's content.
func (s *sweep) note(i int64, _ []byte) error {
	p := &s.pieces[i]
	if !p.stale {
		return nil
	}
	shadow := p.b.shadow[p.at:][:p.size]
	if p.b.host {
		return s.c.m.other.Read(shadow, p.b.there+otherdriver.Address(p.at))
	}
	copy(shadow, p.b.memory[p.at:])
	return nil
}

// different returns the first buffer that differs, or nil.
func (s *sweep) different() *buffer {
	if first := int(s.first.Load()); first < len(s.pieces) {
		return s.pieces[first].b
	}
	return nil
}
