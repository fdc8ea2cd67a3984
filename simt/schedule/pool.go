package schedule

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"jacquard/simt/lane"
)

// Pool is a set of goroutines that help launches with their blocks. Between launches they stay
// awake for spinTime, because waking a core of the host takes as long as a small launch. Several
// launches may use a Pool at the same time. The zero Pool is ready for use; helpers of a nil Pool
// end with the launch.
type Pool struct {
	mu    sync.Mutex
	awake []*helper // without a job
	all   bool      // for tests: a launch waits until all its helpers have joined
}

// helper is a goroutine of a pool.
type helper struct {
	next atomic.Pointer[job]
}

// spinTime is how long a goroutine polls before it sleeps: about as long as the host takes to wake
// it again. Helpers yield after every poll, because others may need the processor.
const (
	spinTime = 100 * time.Microsecond
	glance   = spinTime / 10
)

// share makes the caller and up to n helpers, awake ones first, do work, and returns when it is
// done. Late helpers do nothing. work gets the number of the worker; the caller is number 0. A
// panic of a helper becomes a panic of the caller.
func (p *Pool) share(n int, work func(worker int)) {
	s := &job{work: work}
	s.missing.Add(n)
	called := 0
	if p != nil {
		called = p.callAwake(s, n)
	}
	for range n - called {
		go p.help(s)
	}
	defer s.close()
	if p != nil && p.all {
		s.missing.Wait()
	}
	work(0)
}

// callAwake gives s to up to n awake helpers, and returns their number. The helpers that worked
// last come first, because their caches are the warmest.
func (p *Pool) callAwake(s *job, n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := max(0, len(p.awake)-n)
	called := p.awake[rest:]
	for _, h := range called {
		h.next.Store(s)
	}
	p.awake = slices.Delete(p.awake, rest, len(p.awake))
	return len(called)
}

// help joins one job after another until there are no more.
func (p *Pool) help(s *job) {
	h := new(helper)
	for s != nil {
		s.join()
		s = p.await(h)
	}
}

// await returns the next job of h, nil if h should end.
func (p *Pool) await(h *helper) *job {
	if p == nil || !p.enlist(h) {
		return nil
	}
	called := func() bool { return h.next.Load() != nil }
	for start := time.Now(); time.Since(start) < spinTime && !spin(called, glance); {
		runtime.Gosched()
	}
	p.delist(h)
	return h.next.Swap(nil)
}

// enlist adds h to the awake helpers, unless they already fill the host's processors.
func (p *Pool) enlist(h *helper) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.awake) >= runtime.GOMAXPROCS(0)-1 {
		return false
	}
	p.awake = append(p.awake, h)
	return true
}

// delist undoes enlist: h gets no job from now on.
func (p *Pool) delist(h *helper) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.awake, h); i >= 0 {
		p.awake = slices.Delete(p.awake, i, i+1)
	}
}

// spin polls a condition for at most d, and reports whether it came to hold.
func spin(is func() bool, d time.Duration) bool {
	for start := time.Now(); time.Since(start) < d; {
		for range 100 {
			if is() {
				return true
			}
		}
	}
	return false
}

// job is work that helpers join until it is closed. A late helper finds the job closed, so no
// launch waits for a core to wake up when no work is left.
type job struct {
	work func(worker int)

	mu     sync.Mutex
	closed bool
	joined int
	cause  any // the panic of a helper

	missing sync.WaitGroup // helpers that have not joined
	busy    atomic.Int32   // helpers at work
	left    sync.WaitGroup // helpers at work, for a wait
}

// join makes a helper do work, unless the job is closed.
func (s *job) join() {
	worker, ok := s.begin()
	if !ok {
		return
	}
	defer s.left.Done()
	defer s.busy.Add(-1)
	// The memory of a launch can belong to the program, which may have unmapped it.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if c := recover(); c != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.cause = passedOn(c)
		}
	}()
	lane.WithPlainFloats(func() { s.work(worker) })
}

// begin returns the number of a helper that joins; ok is false if the job is closed.
func (s *job) begin() (worker int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, false
	}
	s.joined++
	s.busy.Add(1)
	s.left.Add(1)
	s.missing.Done()
	return s.joined, true
}

// close ends the job and waits for the helpers that joined.
func (s *job) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	// The caller may be locked to its thread, as in calls from C: yielding would put it to sleep.
	spin(func() bool { return s.busy.Load() == 0 }, spinTime)
	s.left.Wait()
	if s.cause != nil {
		panic(s.cause)
	}
}

// passedOn returns the panic of the caller for the panic of a helper. An access to absent host
// memory stays a memory error; any other panic is a bug and keeps its stack.
func passedOn(cause any) any {
	if fault, ok := cause.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		return fault
	}
	return fmt.Sprintf("%v\n%s", cause, debug.Stack())
}

// copyPiece is the bytes that a helper copies at a time. Fewer than two pieces are copied before a
// helper wakes up; with more than a few cores, memory is the limit.
const (
	copyPiece   = 512 << 10
	mostCopiers = 4
)

// Copy is Go's copy. For large blocks that do not overlap it uses up to cores cores; 0 means all.
func (p *Pool) Copy(dst, src []byte, cores int) {
	n := min(len(dst), len(src))
	pieces := n / copyPiece
	if pieces < 2 || cores == 1 || overlap(dst[:n], src[:n]) {
		copy(dst, src)
		return
	}
	if cores == 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	cores = min(cores, mostCopiers, pieces)
	var next atomic.Int64
	p.share(cores-1, func(int) {
		for {
			end := int(next.Add(copyPiece))
			first := end - copyPiece
			if first >= n {
				return
			}
			copy(dst[first:min(end, n)], src[first:n])
		}
	})
}

// overlap reports whether blocks of the same length share a byte.
func overlap(a, b []byte) bool {
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return max(x, y)-min(x, y) < uintptr(len(a))
}
