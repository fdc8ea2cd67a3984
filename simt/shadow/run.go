package shadow

import (
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/schedule"
	"jacquard/simt/watch"
)

// Run runs a launch on the memory whose shadow m is, and reports what depends on values that nobody
// wrote. Results, counts and errors are those of schedule.Run. The launch may run twice: then what its
// checkers found in the first run does not count, which again says before the second.
func (m *Memory) Run(l *schedule.Launch, again func(), report func(check.Finding)) (*count.Stats, error) {
	if err := l.Admit(); err != nil {
		return nil, err
	}
	if !hears(l) && !startsBlank(l.Program.Program) {
		stats, err, done := m.scan(l)
		if done {
			return stats, err
		}
		again()
	}
	return m.follow(l, report)
}

// hears reports whether a listener hears of the launch from its start. An observer that comes later
// hears of the stage that runs then.
func hears(l *schedule.Launch) bool {
	if later, ok := l.Observer.(*watch.Later); ok {
		return later.First != nil || l.Recorder != nil
	}
	return l.Observer != nil || l.Recorder != nil
}

// startsBlank reports whether code may read registers before it writes them.
func startsBlank(p *program.Program) bool {
	b := &p.Blank
	return slices.ContainsFunc(b.General, func(n int) bool { return n > 0 }) ||
		slices.ContainsFunc(b.Addresses, func(a int) bool { return machine.WritableAddress(uint8(a)) }) || b.Conditions
}

// scan is the first stage. If it is not done, nothing has happened.
func (m *Memory) scan(l *schedule.Launch) (stats *count.Stats, err error, done bool) {
	s := &scan{m: m, stop: new(atomic.Bool)}
	first := *l
	first.Interrupt = s.stop
	first.Checker = s
	if l.Checker != nil {
		first.Checker = check.Together(l.Checker, s)
	}
	if l.Interrupt != nil {
		defer passOn(l.Interrupt, s.stop)()
	}
	ended := int64(0)
	if l.Ended != nil {
		ended = l.Ended.Load()
	}
	m.begin(l.Global)
	if !m.Again {
		defer m.end() // also if memory of the host is not there, which is a panic
	}
	stats, err = schedule.Run(&first)
	if !s.found || l.Interrupt != nil && l.Interrupt.Load() || watched(err) {
		return stats, err, true
	}
	m.back()
	if l.Ended != nil {
		l.Ended.Store(ended)
	}
	return nil, nil, false
}

// watched reports whether the watchdog has ended a launch: it ends a second run at another place.
func watched(err error) bool {
	f, ok := errors.AsType[*machine.Fault](err)
	return ok && f.Kind == machine.FaultWatchdog
}

// passOn makes one flag follow another until the function that it returns is called.
func passOn(from, to *atomic.Bool) (end func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if from.Load() {
					to.Store(true)
				}
			}
		}
	}()
	return func() { close(done) }
}

// follow is the second stage.
func (m *Memory) follow(l *schedule.Launch, report func(check.Finding)) (*count.Stats, error) {
	t := newTracer(m, l)
	second := *l
	second.Observer = watch.Tee(l.Observer, t)
	if later, ok := l.Observer.(*watch.Later); ok {
		second.Observer = later.Beside(t)
	}
	if m.Again {
		m.begin(l.Global)
	}
	stats, err := schedule.Run(&second)
	if f, ok := errors.AsType[*machine.Fault](err); ok {
		t.faulted(f)
	}
	for _, f := range t.found {
		report(f)
	}
	return stats, err
}
