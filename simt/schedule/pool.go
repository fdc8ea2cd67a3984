package schedule

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"jacquard/simt/lane"
)

// Pool is goroutines that help launches with their blocks. Between launches they stay awake for
// a little: to wake a core of the host takes as long as a small launch. Several launches may
// use a Pool at the same time. The zero Pool is ready for use; helpers of a nil Pool leave with
// the launch.
type Pool struct {
	mu    sync.Mutex
	awake []*helper // that look out for work
	all   bool      // launches wait until all their helpers have come, for tests
}

// helper is a goroutine of a pool.
type helper struct {
	next atomic.Pointer[job]
}

// spinTime is for how long a goroutine looks out for what may be about to happen before it sleeps:
// about as long as the host takes to wake it again. Helpers yield after every glance, as others
// may want the processor.
const (
	spinTime = 100 * time.Microsecond
	glance   = spinTime / 10
)

// share calls n helpers, awake ones first, does the caller's part of some work and returns when the
// work is done. Some helpers may come too late for a part. The caller's part is number 0. A panic
// of a part is a panic of the caller.
func (c *Pool) share(n int, work func(part int)) {
	s := &job{work: work}
	s.missing.Add(n)
	c.call(s, n)
	defer s.close()
	if c != nil && c.all {
		s.missing.Wait()
	}
	work(0)
}

// call makes n helpers come to s.
func (c *Pool) call(s *job, n int) {
	if c != nil {
		n -= c.callAwake(s, n)
	}
	for range n {
		go c.help(s)
	}
}

// callAwake calls up to n helpers that are awake, and returns how many. The last to have worked
// come first: their caches are the warmest.
func (c *Pool) callAwake(s *job, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := max(0, len(c.awake)-n)
	called := c.awake[rest:]
	for _, h := range called {
		h.next.Store(s)
	}
	c.awake = slices.Delete(c.awake, rest, len(c.awake))
	return len(called)
}

// help joins one job after another until there are no more.
func (c *Pool) help(s *job) {
	h := new(helper)
	for s != nil {
		s.join()
		s = c.await(h)
	}
}

// await returns the next job that h is called to, nil if it should leave.
func (c *Pool) await(h *helper) *job {
	if c == nil || !c.enlist(h) {
		return nil
	}
	called := func() bool { return h.next.Load() != nil }
	for start := time.Now(); time.Since(start) < spinTime && !spin(called, glance); {
		runtime.Gosched()
	}
	c.delist(h)
	return h.next.Swap(nil)
}

// enlist makes h known as awake, unless there are as many as processors that could be theirs.
func (c *Pool) enlist(h *helper) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.awake) >= runtime.GOMAXPROCS(0)-1 {
		return false
	}
	c.awake = append(c.awake, h)
	return true
}

// delist is the opposite: h will not be called from now on.
func (c *Pool) delist(h *helper) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.awake, h); i >= 0 {
		c.awake = slices.Delete(c.awake, i, i+1)
	}
}

// spin looks for at most d whether something is the case.
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

// job is work that helpers join until it is over. A helper that comes later finds the job closed:
// no launch waits for a core to wake up when nothing is left to do.
type job struct {
	work func(part int)

	mu     sync.Mutex
	closed bool
	came   int // helpers that joined
	cause  any // what one panicked with

	missing sync.WaitGroup // helpers that did not join yet
	busy    atomic.Int32   // those at work
	left    sync.WaitGroup // for them to end
}

// join does a helper's part of the work.
func (s *job) join() {
	part, ok := s.begin()
	if !ok {
		return
	}
	defer s.end()
	// The memory of a launch can be the program's, which may have taken it away.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if c := recover(); c != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.cause = passedOn(c)
		}
	}()
	lane.WithPlainFloats(func() { s.work(part) })
}

// begin returns the number of a helper's part, not ok if it came too late.
func (s *job) begin() (part int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, false
	}
	s.came++
	s.busy.Add(1)
	s.left.Add(1)
	s.missing.Done()
	return s.came, true
}

func (s *job) end() {
	s.busy.Add(-1)
	s.left.Done()
}

// close waits for those that joined.
func (s *job) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	// The caller may be tied to its thread, as those that come from C are: to yield would be to
	// sleep.
	spin(func() bool { return s.busy.Load() == 0 }, spinTime)
	s.left.Wait()
	if s.cause != nil {
		panic(s.cause)
	}
}

// passedOn is what the caller panics with when a helper panicked with cause. Host memory that
// cannot be accessed stays what it is; a mistake of ours keeps the stack that tells where it was.
func passedOn(cause any) any {
	if fault, ok := cause.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		return fault
	}
	return fmt.Sprintf("%v\n%s", cause, debug.Stack())
}
