package driver

import (
	"io"
	"os"
	"sync"
	"sync/atomic"

	"jacquard/simt"
	"jacquard/simt/stats"
	"jacquard/simt/trace"
)

// Version is what DriverGetVersion answers: CUDA 6.5, the last release for this hardware.
// Every older runtime library accepts it.
const Version = 6050

// Config is what a Driver is made from. The zero value is ready for use.
type Config struct {
	Settings               // the knobs
	Output   io.Writer     // log lines go here; nil is standard error
	Observer simt.Observer // watches every launch; may be nil
	Program  string        // what runs, for records; "" is the executable

	// Launched is called after each launch with what a summary has of it, on the launch's thread; may be nil.
	Launched func(LaunchEvent)

	// Witness makes who is told of all that happens, nil for nobody. Init calls it, once the knobs are known to be
	// good; its error makes every Init fail. nil is nobody too.
	Witness func(Settings) (Witness, error)
}

// Driver is one driver with its devices and everything that programs made on them.
type Driver struct {
	config  Config
	handles handles
	host    hostBlocks
	log     logger
	summary summary

	start   sync.Once
	failure error // of the start
	ready   atomic.Bool

	// Fixed once ready.
	settings settings
	trace    *trace.Recorder // nil: nobody asked
	stats    stats.Sink      // nil: nobody asked
	witness  Witness         // nil: nobody asked
	placer   Placer          // nil: the witness has no say
	ender    Ender           // nil: it has nothing to do
	devices  []*device

	mu      sync.Mutex // guards what follows and the fields of Thread and context that say so
	threads map[uint64]*Thread

	launches launches
	pool     simt.Pool // helps with all launches
}

// New returns a driver that awaits Init.
func New(config Config) *Driver {
	if config.Output == nil {
		config.Output = os.Stderr
	}
	d := &Driver{config: config, threads: map[uint64]*Thread{}}
	d.log.out = config.Output
	d.log.level = logError // until Init has read the knobs
	return d
}

// Interrupt ends the launches that run now; each of them faults. Later launches are not affected.
func (d *Driver) Interrupt() { d.launches.interrupt() }

// Thread is one thread of the calling program. Its methods are the CUDA functions; they must
// not be called from two goroutines at once, but those of different Threads may.
type Thread struct {
	d          *Driver
	stack      []*context // guarded by Driver.mu; the last is current
	inCallback bool       // used by the thread itself only
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
		for len(t.stack) > 0 {
			t.pop()
		}
		delete(d.threads, id)
	}
}

// launches are the stop flags of the launches that run now.
type launches struct {
	mu    sync.Mutex
	flags map[*atomic.Bool]bool
}

// run carries out a launch that interrupt can end.
func (l *launches) run(launch *simt.Launch) (*simt.Stats, error) {
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
	return simt.Run(launch)
}

func (l *launches) interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for flag := range l.flags {
		flag.Store(true)
	}
}
