package mirror

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"jacquard/board/otherdriver"
	"jacquard/internal/plain"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// Mirror is a listener that repeats everything on another driver.
type Mirror struct {
	options  knobs.Crosscheck
	out      io.Writer
	other    *otherdriver.Driver
	devices  []otherdriver.Device
	idle     string     // the reason why the other driver cannot do anything, "" if it can
	standins []*standin // of the ptx option

	mu       sync.Mutex // guards the fields below; no lock is taken inside
	contexts map[driver.Context]*context
	report   Report
	scratch  [][]byte // for memory read back, one per comparing core
	kept     time.Time
}

// oldest is the first version of CUDA with the interface that a mirror needs.
const oldest = 4000

// New opens the library that the options name and starts it. Messages go to out, one line each. The
// error is one line if the library cannot be compared with. A library without a device, or one that
// does not start, gives only a message, and the program runs on the simulator.
func New(o knobs.Crosscheck, out io.Writer) (*Mirror, error) {
	m := &Mirror{options: o, out: out, contexts: map[driver.Context]*context{}, kept: time.Now()}
	m.report = Report{Event: "crosscheck", PID: os.Getpid(), Library: o.Library, Skipped: map[string]int{}}
	if err := m.open(); err != nil {
		m.report.Error = err.Error()
		m.append()
		return nil, fmt.Errorf("crosscheck: %w", err)
	}
	m.report.Library = m.other.Path()
	if err := m.start(); err != nil {
		m.idle = err.Error()
		m.report.Error = m.idle
		m.say("%s; the program runs on the simulator alone", m.idle)
	}
	m.append() // in case the process is killed
	return m, nil
}

func (m *Mirror) open() (err error) {
	if m.standins, err = readStandins(m.options.PTX); err != nil {
		return err
	}
	if m.other, err = otherdriver.Open(m.options.Library); err != nil {
		return err
	}
	version, err := m.other.Version()
	if err == nil && version < oldest {
		return fmt.Errorf("%s: a driver for CUDA %s is too old: 4.0 or later is needed", m.other.Path(), release(version))
	}
	m.report.Version = version
	return nil
}

// start initializes the other driver and lists its devices.
func (m *Mirror) start() error {
	path := m.other.Path()
	if err := m.other.Init(); err != nil {
		return fmt.Errorf("%s: %w: there is no device that it could use", path, err)
	}
	n, err := m.other.Devices()
	if err != nil || n == 0 {
		return fmt.Errorf("%s: there is no device that it could use", path)
	}
	for i := range n {
		d, err := m.other.Device(i)
		if err != nil {
			return fmt.Errorf("%s: device %d: %w", path, i, err)
		}
		m.devices = append(m.devices, d)
		m.report.Devices = append(m.report.Devices, fmt.Sprintf("%s (compute capability %d.%d)", d.Name, d.Major, d.Minor))
	}
	m.say("against %s, CUDA %s, %s", path, release(m.report.Version), m.report.Devices[0])
	return nil
}

// release returns a version as a release: 6050 is 6.5.
func release(version int) string { return fmt.Sprintf("%d.%d", version/1000, version%1000/10) }

// say prints a line.
func (m *Mirror) say(format string, args ...any) {
	fmt.Fprintf(m.out, "jacquard: crosscheck: %s\n", plain.Text(fmt.Sprintf(format, args...)))
}

// note prints a line once, and adds it to the report.
func (m *Mirror) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(m.report.Notes, text) {
		m.report.Notes = append(m.report.Notes, text)
		m.say("%s", text)
	}
}

// Note repeats a change on the other driver.
func (m *Mirror) Note(change driver.Change) {
	runtime.LockOSThread() // the current context belongs to the thread
	defer runtime.UnlockOSThread()
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.contexts[change.Of()]
	if e, created := change.(driver.ContextCreated); created {
		c = &context{m: m, handle: e.Context, over: m.idle}
		if m.idle == "" {
			c.device = m.device(e.Device)
		}
		m.contexts[e.Context] = c
	}
	if c == nil {
		return // the context is older than the mirror
	}
	defer func() {
		if cause := recover(); cause != nil {
			c.giveUp(fmt.Sprintf("internal error, please report it: %v", cause))
		}
	}()
	if err := c.follow(change); err != nil {
		c.giveUp(err.Error())
	}
	if _, gone := change.(driver.ContextEnds); gone {
		c.forget()
		delete(m.contexts, c.handle)
	}
	m.keep()
}

// device returns the other device for ours: the one with the same number, or the first.
func (m *Mirror) device(d driver.Device) otherdriver.Device {
	if int(d) < len(m.devices) {
		return m.devices[d]
	}
	return m.devices[0]
}

// FirstAddress returns the other driver's first address, so that addresses agree if it allocates
// alike. If they cannot agree, it returns an address that few numbers resemble.
func (m *Mirror) FirstAddress(ctx driver.Context) uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.contexts[ctx].first
}

// End compares the rest, and prints the outcome.
func (m *Mirror) End() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.contexts {
		if !m.found() && c.over == "" {
			if err := c.compareRest(nil); err != nil {
				c.giveUp(err.Error())
			}
		}
	}
	m.report.Ended = true
	for _, line := range m.report.lines() {
		m.say("%s", line)
	}
	m.append()
}

// found reports whether there is a difference; nothing is compared after it.
func (m *Mirror) found() bool { return m.report.Difference != nil }

// keepEvery is the time after which a process that goes on reports, in case that it is killed.
const keepEvery = time.Second

// keep reports from time to time how far the cross-check is.
func (m *Mirror) keep() {
	if time.Since(m.kept) >= keepEvery {
		m.kept = time.Now()
		m.append()
	}
}
