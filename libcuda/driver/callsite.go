package driver

import (
	"sync"

	"jacquard/libcuda/driver/callers"
	"jacquard/simt/check"
)

// callSite is a call of the program: what was called, and where. Findings ask for both. Without the
// check knob there are none: all are nil.
type callSite struct {
	pcs  []uintptr // return addresses, innermost first
	once sync.Once
	call callers.Call
}

// Checks reports whether the check knob asks for any kind of mistake. Then the driver wants to be
// told of calls.
func (d *Driver) Checks() bool { return d.ready.Load() && d.settings.Check.Set != 0 }

// checks reports whether the check knob asks for a kind.
func (d *Driver) checks(k check.Kind) bool { return d.ready.Load() && d.settings.Check.Has(k) }

// CallBegins says that the program has made a call, with the return addresses on the program's
// stack, innermost first. A callback may make calls before the first one ends. CallBegins, CallEnds,
// RuntimeFailed and ErrorAsked are no calls of CUDA.
func CallBegins(t *Thread, pcs []uintptr) {
	t.d.callMu.Lock()
	defer t.d.callMu.Unlock()
	t.calls = append(t.calls, &callSite{pcs: pcs})
}

// CallEnds says that the last call which began and has not ended ends with a result.
func CallEnds(t *Thread, result Result) {
	s := t.call()
	if s == nil {
		return
	}
	t.judgeResult(s, result)
	t.d.callMu.Lock()
	defer t.d.callMu.Unlock()
	t.calls = t.calls[:len(t.calls)-1]
}

// call returns the call that the thread makes, nil if it is not known.
func (t *Thread) call() *callSite {
	if !t.d.Checks() {
		return nil
	}
	t.d.callMu.Lock()
	defer t.d.callMu.Unlock()
	if len(t.calls) == 0 {
		return &callSite{}
	}
	return t.calls[len(t.calls)-1]
}

// resolve finds out what was called, and where.
func (d *Driver) resolve(s *callSite) *callers.Call {
	s.once.Do(func() {
		if len(s.pcs) > 0 {
			s.call = d.callers.Resolve(s.pcs)
		}
	})
	return &s.call
}

// site returns a call as a place of a finding. A nil call is a place of which nothing is known.
func (d *Driver) site(s *callSite, role string) check.Site {
	if s == nil {
		return check.Site{Role: role}
	}
	call := d.resolve(s)
	return check.Site{Role: role, Call: call.Name, Stack: call.Stack}
}

// foundAt reports a mistake in a call of the program.
func (d *Driver) foundAt(s *callSite, role string, f check.Finding) {
	f.Level, f.Launch, f.Count, f.At = check.Error, -1, 1, d.site(s, role)
	d.found(f)
}
