package driver

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"jacquard/debug"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/judge"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/findings"
	"jacquard/ptx/jit"
	"jacquard/simt"
)

// Version is the answer of DriverGetVersion: CUDA 6.5, the last release for this hardware.
// Every older runtime library accepts it.
const Version = 6050

// Config configures a Driver. The zero value is ready for use.
type Config struct {
	Settings knobs.Settings
	JIT      jit.Settings
	Hints    []string      // log lines of the first Init that succeeds
	Output   io.Writer     // of log lines; nil is standard error
	Stdout   io.Writer     // of printf in kernels, written by the thread that launches; nil is standard output
	Stderr   io.Writer     // of assertions in kernels, and of what checkers found; nil is standard error
	Recorder simt.Recorder // of every launch; may be nil
	Sinks    []sinks.Sink  // told of every launch, before the settings' sinks
	Program  string        // name of the program, for statistics; "" is the executable
	GL       GL            // the program's OpenGL; nil: it has none

	Later Later // what the driver leaves to calls of its caller

	// Noted is called with notes of the log; may be nil. It must not call the driver.
	Noted func(Note)

	// Launched is called after each launch, on its goroutine, with the summary's line; may be nil.
	Launched func(events.Launch)

	// Debug debugs every launch; may be nil. A trace cannot be written meanwhile.
	Debug *debug.Session

	// Listener makes the listener of all changes. It may be nil, and may return nil. Init calls it
	// after it has checked the knobs, and fails with its error.
	Listener func(knobs.Settings) (Listener, error)
}

// Later is what a driver leaves to calls of its caller.
type Later struct {
	// Files leaves the trace, the bundle and the statistics to OpenFiles, so that a caller may ask
	// CheckKernel first: a refused launch then replaces no file.
	Files bool

	// Judgement leaves what End reports of the program's mistakes to Judge: functions that run when
	// the process ends may still free memory.
	Judgement bool

	// Found takes what checkers found, at the end; nil: Stderr has the report.
	Found func(*findings.Report)
}

// Driver is a driver with its devices and all objects of programs on them.
type Driver struct {
	config  Config
	handles handles
	host    hostBlocks
	log     logger
	ptx     ptxState
	gl      GL

	starting

	// Fixed once ready.
	settings knobs.Values
	sinks    []sinks.Sink // told of every launch
	checking
	sums      bool       // no sink wants the counts of instructions or keeps Stats
	listener  Listener   // the configuration's, or nil
	listeners []Listener // told of every other change
	devices   []*device

	mu      sync.Mutex // guards what follows and the fields of Thread and context that say so
	threads map[uint64]*Thread

	launches launches
}

// checking looks for mistakes of the program. Both fields are nil if nobody asks for any.
type checking struct {
	findings *sinks.Findings
	judge    *judge.Judge
}

// starting is what Init knows.
type starting struct {
	start   sync.Once
	failure error // error of Init
	ready   atomic.Bool
}

// New returns a driver that awaits Init.
func New(config Config) *Driver {
	if config.Output == nil {
		config.Output = os.Stderr
	}
	if config.Stdout == nil {
		config.Stdout = os.Stdout
	}
	if config.Stderr == nil {
		config.Stderr = os.Stderr
	}
	d := &Driver{config: config, gl: config.GL, threads: map[uint64]*Thread{}}
	if d.gl == nil {
		d.gl = noGL{}
	}
	d.log.out, d.log.noted = config.Output, config.Noted
	d.log.level = knobs.LogError // until Init has read the knobs
	return d
}

// Interrupt ends the launches that run now; each of them faults. Later launches are not affected.
func (d *Driver) Interrupt() { d.launches.interrupt() }

// Thread is one thread of the calling program. Goroutines must not call methods of one Thread at the
// same time.
type Thread struct {
	d          *Driver
	stack      []*context // guarded by Driver.mu; the last is current
	inCallback bool       // used by the thread itself only
	calls      judge.Thread
}

// Thread returns the thread called id, which begins without a current context.
func (d *Driver) Thread(id uint64) *Thread {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.threads[id]
	if t == nil {
		t = &Thread{d: d}
		d.threads[id] = t
	}
	return t
}

// EndThread forgets the thread called id. The contexts it had stay alive.
func (d *Driver) EndThread(id uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.threads[id]; t != nil {
		if d.ready.Load() {
			t.calls.End(d.judge)
		}
		for len(t.stack) > 0 {
			t.pop()
		}
		delete(d.threads, id)
	}
}

// launches holds the stop flags of the current launches, the workers that serve all launches, and
// the number of launches begun.
type launches struct {
	pool  simt.Pool
	begun atomic.Int64 // refused launches included

	mu    sync.Mutex
	flags map[*atomic.Bool]bool
}

// run carries out a launch, by a function, that interrupt can end. The error is a *hostMemoryError if
// the kernel accessed mapped memory that the program has unmapped or made read-only.
func (l *launches) run(launch *simt.Launch, by func(*simt.Launch) (*simt.Stats, error)) (_ *simt.Stats, err error) {
	flag := new(atomic.Bool)
	launch.Interrupt = flag
	l.mu.Lock()
	if l.flags == nil {
		l.flags = map[*atomic.Bool]bool{}
	}
	l.flags[flag] = true
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.flags, flag)
		l.mu.Unlock()
	}()
	defer func() {
		if cause := recover(); cause != nil {
			fault, ok := cause.(hostFault)
			if !ok {
				panic(cause)
			}
			err = &hostMemoryError{fault.Addr()}
		}
	}()
	return by(launch)
}

// hostFault is Go's panic for an access to absent or protected memory of the host.
type hostFault interface {
	runtime.Error
	Addr() uintptr
}

// hostMemoryError says that a kernel accessed memory of the program that it may not access.
type hostMemoryError struct{ address uintptr }

func (e *hostMemoryError) Error() string {
	return fmt.Sprintf("host address %#x, given by the program, cannot be accessed", e.address)
}

func (l *launches) interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for flag := range l.flags {
		flag.Store(true)
	}
}
