package judge

import (
	"sync"
	"sync/atomic"

	"jacquard/libcuda/driver/callers"
	"jacquard/simt/check"
)

// Judge reports mistakes of the program in its calls. Several threads may use it. A nil Judge looks
// for nothing.
type Judge struct {
	kinds   check.Set
	report  func(check.Finding)
	process callers.Process
	faulted atomic.Bool // a kernel has faulted
	copies  asyncCopies

	mu     sync.Mutex         // guards what follows and all Threads
	unseen []failedCall       // of threads that have ended
	orders map[uintptr]*order // by context
}

// New returns a judge of some kinds of mistakes, nil if there are none.
func New(kinds check.Set, report func(check.Finding)) *Judge {
	if kinds == 0 {
		return nil
	}
	return &Judge{kinds: kinds, report: report}
}

// Has reports whether the judge looks for a kind.
func (j *Judge) Has(k check.Kind) bool { return j != nil && j.kinds.Has(k) }

// Faulted says that a kernel has faulted: from now on neither calls nor what they leave are judged.
func (j *Judge) Faulted() {
	if j != nil {
		j.faulted.Store(true)
	}
}

// judges reports whether a kind of mistakes in calls is judged now.
func (j *Judge) judges(k check.Kind) bool { return j.Has(k) && !j.faulted.Load() }

// Call is a call of the program: what was called, and where. A nil Call is one of which nothing is
// known.
type Call struct {
	pcs  []uintptr // return addresses, innermost first
	once sync.Once
	call callers.Call
}

// Thread is what the judge knows of a thread of the program. The zero value is ready for use.
type Thread struct {
	calls     []*Call      // that have not ended
	explained bool         // a finding tells why the last call failed
	unseen    []failedCall // at whose results the program has not looked
}

// Begins says that a thread has made a call, with the return addresses on the program's stack,
// innermost first. A callback may make calls before the first one ends.
func (j *Judge) Begins(t *Thread, pcs []uintptr) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	t.calls = append(t.calls, &Call{pcs: pcs})
}

// Ends says that the last call which began and has not ended ends. failure names its error, "" for
// none.
func (j *Judge) Ends(t *Thread, failure string) {
	s := j.Call(t)
	if s == nil {
		return
	}
	if failure != "" {
		t.driverFailed(j, s, failure)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(t.calls); n > 0 {
		t.calls = t.calls[:n-1]
	}
}

// End says that a thread has ended. j may be nil.
func (t *Thread) End(j *Judge) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.unseen = append(j.unseen, t.unseen...)
	t.unseen = nil
}

// Call returns the call that a thread makes, nil without a judge.
func (j *Judge) Call(t *Thread) *Call {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(t.calls) == 0 {
		return &Call{}
	}
	return t.calls[len(t.calls)-1]
}

// resolve finds out what was called, and where.
func (j *Judge) resolve(s *Call) *callers.Call {
	s.once.Do(func() {
		if len(s.pcs) > 0 {
			s.call = j.process.Resolve(s.pcs)
		}
	})
	return &s.call
}

// Site returns a call as a place of a finding.
func (j *Judge) Site(s *Call, role string) check.Site {
	if s == nil || j == nil {
		return check.Site{Role: role}
	}
	call := j.resolve(s)
	return check.Site{Role: role, Call: call.Name, Stack: call.Stack}
}

// found reports a mistake in a call of the program.
func (j *Judge) found(s *Call, role string, f check.Finding) {
	f.Level, f.Launch, f.Count, f.At = check.Error, -1, 1, j.Site(s, role)
	j.report(f)
}

// Leaks reports whether what is left at the end is a leak.
func (j *Judge) Leaks() bool { return j.judges(check.KindLeak) }

// Leak reports what a call made and nobody destroyed.
func (j *Judge) Leak(made *Call, what, name string) {
	j.found(made, "made", check.Finding{
		Kind: check.KindLeak, What: what, Text: name + " left at the end of the program",
		Advice: "Free or destroy what the call makes, on every way to the end.",
	})
}

// End says that the program has ended, with these threads.
func (j *Judge) End(threads []*Thread) {
	if j == nil {
		return
	}
	for _, t := range threads {
		t.End(j)
	}
	for _, f := range j.unseen {
		j.unchecked(f)
	}
	j.settle(func(*asyncCopy) bool { return true }, true)
}
