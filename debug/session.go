package debug

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/simt/watch"
)

// Session debugs the launches of this process. It is a Target.
type Session struct {
	turn    sync.Mutex    // held for a whole launch: one at a time is debugged
	version atomic.Uint64 // changes with everything that a block's watcher must know
	off     atomic.Bool   // detached, or the process ends
	open    atomic.Bool   // somebody may attach

	mu      sync.Mutex
	changed sync.Cond // stopped, order or the end of the process changed

	reasons

	waiting bool  // nobody has resumed the process yet, or it has stopped
	stop    *Stop // not yet returned by Resume
	gone    bool  // the process ends
	order   Order // that holds
	started bool  // Resume was called once
	faces   int   // that have attached so far

	run *run // the launch that runs; nil is none
}

// reasons are why a launch stops.
type reasons struct {
	breakpoints []*breakpoint
	catch       Catch
	pausing     bool
	stoppedAt   map[string]foundAt // findings, by their keys
}

// NewSession returns a session that awaits the first Resume.
func NewSession() *Session {
	s := &Session{waiting: true}
	s.changed.L = &s.mu
	return s
}

// Kernel is a launch as its caller knows it.
type Kernel struct {
	Number    int // of the launch
	Image     *cubin.Kernel
	Variables map[string]load.Variable // by name
	Request   *simt.Launch
	Checks    Checks // nil: nobody looks for mistakes
}

// run is a launch that runs, perhaps again and again.
type run struct {
	Kernel
	s      *Session
	launch *Launch
	code   *code
	names  names
	origin
	attempt
	later watch.Later
	steps stepping
	trip  trip
}

// origin is what a launch can be run again from.
type origin struct {
	before  *mem.Space // memory at the start; nil: no way back
	began   int64      // Request.Ended at the start
	edits   []edit
	entered *Position   // of the hit of breakpoints where the kernel begins
	fault   *simt.Fault // at which the launch ended last
}

// attempt is one of the runs of a launch.
type attempt struct {
	current *simt.Launch
	armed   bool      // it is observed from the start
	left    bool      // it is given up
	caught  *Position // the fault at which it has stopped
	entry   bool      // breakpoints where the kernel begins have been hit
	blocks  map[int]*blockWatch
	here    *here           // where it is stopped; nil while it runs
	moment  *here           // the place that is considered, stopped or not
	hit     *hit            // a watchpoint that was hit by the last issue
	arisen  []check.Finding // by the present issue
	told    []string        // keys of findings at whose place this run was stopped
}

// here is where a launch is stopped.
type here struct {
	*blockWatch
	pos   Position
	index int
	sel   [16]uint32 // active lanes by warp
	exec  [16]uint32 // those that execute the instruction: its guard holds
	past  []int      // breakpoints that have been counted here
}

// passed records that a breakpoint is counted here, and reports whether it was before.
func (h *here) passed(id int) bool {
	if slices.Contains(h.past, id) {
		return true
	}
	h.past = append(h.past, id)
	return false
}

func (h *here) unpass(id int) {
	h.past = slices.DeleteFunc(h.past, func(n int) bool { return n == id })
}

// Begin waits until a face lets the process run. It returns at once if there is none any more.
func (s *Session) Begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.started && !s.off.Load() {
		s.changed.Wait()
	}
}

// End says that the process ends: Resume answers ErrGone from now on.
func (s *Session) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	s.off.Store(true)
	s.changed.Broadcast()
}

// again is the panic that gives up a run, to run the launch again.
type again struct{}

// Run runs a launch by calling do, which is simt.Run or calls it, one or more times.
func (s *Session) Run(k Kernel, do func(*simt.Launch) (*simt.Stats, error)) (*simt.Stats, error) {
	r := &run{Kernel: k, s: s}
	if k.Checks != nil {
		k.Checks.Begin(r.raise)
		defer k.Checks.End()
	}
	if s.off.Load() && !s.open.Load() || k.Request.Check() != nil {
		return do(k.Request)
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	s.begin(r)
	defer s.end()
	for {
		stats, err, more := r.once(do)
		if more {
			r.restore()
			continue
		}
		if r.catches(err) {
			r.restore()
			continue
		}
		return stats, err
	}
}

// mostCopied is how much memory of the device is copied at the start of a launch in which nothing
// can stop, for a way back from a fault.
const mostCopied = 64 << 20

// begin prepares the run of a launch.
func (s *Session) begin(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.code, r.names, r.attempt = newCode(r.Kernel), newNames(r.Kernel), attempt{blocks: map[int]*blockWatch{}}
	l := r.Request
	r.launch = &Launch{
		Number: r.Number, Kernel: l.Program.Kernel.Name, Grid: l.Grid, Block: l.Block, Arch: l.Program.Kernel.Arch.String(),
		Blocks: l.Grid[0] * l.Grid[1], Warps: (l.Block[0]*l.Block[1]*l.Block[2] + 31) / 32,
	}
	if l.Ended != nil {
		r.began = l.Ended.Load()
	}
	s.run = r
	s.resolve()
	bytes := 0
	for _, data := range l.Global.All() {
		bytes += len(data)
	}
	r.armed = !s.off.Load() && (s.pausing || r.mayStop())
	if s.off.Load() { // there is no way back in a launch to which somebody attaches
		return
	}
	if r.armed || bytes <= mostCopied || r.Checks != nil && s.catch.Findings != 0 {
		r.before = l.Global.Clone(func(_ uint32, data []byte) []byte {
			c := mem.Zeros(len(data))
			copy(c, data)
			return c
		})
		r.launch.Back = true
	}
}

// end forgets the launch. A stop that is still to come, as of a step, happens in the next launch.
func (s *Session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = nil
	s.version.Add(1)
}

// once runs the launch. more says that it was given up, to run again.
func (r *run) once(do func(*simt.Launch) (*simt.Stats, error)) (stats *simt.Stats, err error, more bool) {
	l := *r.Request
	l.Observer, l.Interrupt = &r.later, new(atomic.Bool) // giveUp sets it
	r.current = &l
	if r.armed {
		r.later.First, l.Recorder = r, nil
	}
	defer func() {
		if cause := recover(); cause != nil {
			if _, ok := cause.(again); !ok && !r.left { // a helper's panic is another
				panic(cause)
			}
			more = true
		}
	}()
	stats, err = do(&l)
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.trip = trip{} // it did not come to where it was sent: the launch is over
	return stats, err, false
}

// restore makes everything as it was when the launch began.
func (r *run) restore() {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	for at := range r.before.All() {
		copy(r.Request.Global.Reach(at), r.before.Reach(at))
	}
	if n := r.Request.Ended; n != nil {
		n.Store(r.began)
	}
	if r.Checks != nil {
		r.Checks.Back()
	}
	r.attempt = attempt{armed: true, blocks: map[int]*blockWatch{}}
	r.later.Set(nil)
	if r.trip.on { // a block is watched from the time on that matters
		r.later.Set(r)
	}
	r.s.version.Add(1)
}

// catches reports whether the launch, which ended with err, must run again to stop before a fault.
func (r *run) catches(err error) bool {
	fault, ok := errors.AsType[*simt.Fault](err)
	if !ok || r.before == nil || fault.Kind == simt.FaultInterrupt || fault.Kind == simt.FaultInternal || r.s.off.Load() {
		return false
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	found := faulted(r, err)
	if trap := fault.Kind == simt.FaultTrap; (trap && !r.s.catch.Traps || !trap && !r.s.catch.Faults) && len(found) == 0 {
		return false
	}
	number := fault.Block[0] + fault.Block[1]*r.launch.Grid[0]
	if r.caught != nil && *r.caught == (Position{number, fault.Warp, fault.Time}) {
		return false
	}
	r.fault = fault
	r.trip = trip{
		to:   Position{Block: number, Warp: fault.Warp, Time: fault.Time},
		stop: &Stop{Reason: ReasonFault, Text: fault.Error(), Fault: fault.Kind.String(), Findings: found},
		on:   true,
	}
	for l := range 32 {
		if fault.Lanes>>l&1 != 0 {
			r.trip.lane = l
			break
		}
	}
	return true
}

// stopAt makes a stop known and waits for an order. The caller holds the lock.
func (r *run) stopAt(h *here, stop *Stop) {
	s := r.s
	if r.Checks != nil && !r.armed && r.Checks.Stages() { // the run may begin again by itself
		s.pausing = false
		r.trip = trip{on: true, to: h.pos, lane: stop.Focus.Lane, stop: stop}
		r.giveUp()
	}
	r.here = h
	knows(r, h.pos)
	stop.Launch, stop.Position = r.launch, h.pos
	stop.Frame = r.frames(stop.Focus)[0]
	s.pausing = false
	if stop.Reason == ReasonFault {
		r.caught = &h.pos
	}
	s.stop, s.waiting = stop, true
	s.version.Add(1)
	s.changed.Broadcast()
	for s.waiting && !s.off.Load() {
		s.changed.Wait()
	}
	r.here = nil
	if s.off.Load() {
		r.steps, r.trip = stepping{}, trip{}
		r.later.Set(r) // blocks that are watched leave at their next turn
		return
	}
	if r.trip.on {
		r.giveUp()
	}
}

// giveUp ends this run of the launch. Other workers may be at work on other blocks.
func (r *run) giveUp() {
	r.left = true
	if flag := r.current.Interrupt; flag != nil {
		flag.Store(true)
	}
	panic(again{})
}

// stopped returns the launch, stopped. The caller holds the lock.
func (s *Session) stopped() (*run, error) {
	switch {
	case s.gone:
		return nil, ErrGone
	case !s.waiting:
		return nil, ErrRunning
	case s.run == nil || s.run.here == nil:
		return nil, ErrNone
	}
	return s.run, nil
}

// block returns a block that can be looked at.
func (r *run) block(number int) (*blockWatch, error) {
	if b := r.blocks[number]; b != nil {
		return b, nil
	}
	at := r.launch.BlockIndex(number)
	if number < 0 || number >= r.launch.Blocks {
		return nil, fmt.Errorf("no block %d: the grid has %d", number, r.launch.Blocks)
	}
	return nil, fmt.Errorf("block (%d,%d) is not at work, or nothing can stop in it: break there if blockIdx.x == %d", at[0], at[1], at[0])
}
