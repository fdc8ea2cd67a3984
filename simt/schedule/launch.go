package schedule

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// Launch is one run of a kernel over a grid, with everything visible to the kernel.
type Launch struct {
	Program  *Program
	Grid     [2]int // blocks in x, y
	Block    [3]int // threads in x, y, z
	Params   []byte // parameter block, placed at s[0x10]
	Dynamic  int    // bytes of dynamic shared memory
	Global   *mem.Space
	Const    [16][]byte        // constant banks; nil is an unbound bank
	Textures []texture.Texture // by texture unit; the zero Texture is unbound

	Policy string // divergence policy; "" is the default
	// Watchdog is the most warp-instructions before the launch is ended; 0 is no limit.
	Watchdog uint64
	Order    Order // how long the turns of warps are
	Workers  int   // most host cores at work; 0 is all
	Pool     *Pool // keeps the workers from launch to launch; may be nil
	Signals
	Observer watch.Observer // watches every issue, see also watch.Later; may be nil
	Recorder watch.Recorder // is told of every issue, at the engine's pace; may be nil
	Checker  check.Checker  // looks for mistakes; may be nil
	InStep   InStep         // whether to look for code that relies on lanes running in lockstep
	NoStats  bool           // do not count (Stats then holds only Elapsed and the shape)
	Sums     bool           // leave Stats.ByInstruction empty
	Reuse    *count.Stats   // of an earlier launch: Run overwrites and returns them; may be nil
}

// Signals pass between a launch that runs and its caller.
type Signals struct {
	// Interrupt ends the launch with machine.FaultInterrupt when it turns true; may be nil.
	Interrupt *atomic.Bool
	// Ended counts the blocks that have ended, as they end; may be nil.
	Ended *atomic.Int64
}

// wanted selects the contents of the launch's Stats.
func (l *Launch) wanted() count.Wanted {
	switch {
	case l.NoStats:
		return count.Nothing
	case l.Sums:
		return count.Sums
	}
	return count.Instructions
}

// observer returns the observer of blocks when they start, or nil, and the one that may come later.
func (l *Launch) observer() (watch.Observer, *watch.Later) {
	if later, ok := l.Observer.(*watch.Later); ok {
		return later.First, later
	}
	return l.Observer, nil
}

// Again returns a copy of the launch that runs on global, without listeners, counters or interrupt.
func (l *Launch) Again(global *mem.Space) Launch {
	again := *l
	again.Global = global
	again.Signals, again.Observer, again.Recorder, again.Checker = Signals{}, nil, nil, nil
	again.InStep, again.NoStats, again.Reuse = InStepOff, true, nil
	return again
}

// Order says how long the turns of a block's warps are (doc.go). If the threads of a program race,
// the results may depend on it.
type Order uint8

// The orders.
const (
	OrderTurns       Order = iota // a warp runs on
	OrderInstruction              // every turn is one instruction
)

var orderNames = [...]string{OrderTurns: "turns", OrderInstruction: "instruction"}

// String returns the word for the order.
func (o Order) String() string { return orderNames[o] }

// ParseOrder returns the order of a word; "" is OrderTurns.
func ParseOrder(text string) (Order, error) {
	if i := slices.Index(orderNames[:], text); i >= 0 || text == "" {
		return Order(max(i, 0)), nil
	}
	return 0, fmt.Errorf("unknown order %q: want %s", text, strings.Join(orderNames[:], " or "))
}

// turnRounds is the number of rounds in which each warp of a block has its turn. It is so long that
// warps change rarely, and so short that a warp that waits for another loses little.
const turnRounds = 1 << 10

// freeSlice is how many rounds a block runs before the next block of its wave has its turn, unless
// the plan is the reference order. It is finite so that a block may wait for another.
const freeSlice = 1 << 16

// turn returns the number of rounds in which each warp of a block has its turn.
func (o Order) turn() uint64 {
	if o == OrderInstruction {
		return 1
	}
	return turnRounds
}

// InStep tells whether a launch looks for code that relies on the lanes of a warp running in
// lockstep. Old code omits the barrier between lanes of one warp that pass values through memory,
// because hardware runs them together; a policy that may run lanes apart gives such code other
// results.
type InStep uint8

// The settings.
const (
	InStepAuto InStep = iota // under policies that may run lanes apart, and between narrow warps
	InStepOn                 // under every policy
	InStepOff
)

// diagnosis says how a launch looks for such code.
type diagnosis struct {
	wanted bool
	policy string // see check.InStep.Begin
	width  int
	scope  check.Scope
	relies atomic.Int64 // the lowest block known to rely on lanes running in step
}

// begin prepares the diagnosis of a launch.
func (d *diagnosis) begin(g *grid) {
	l := g.l
	d.policy, d.width = l.Policy, 1
	d.relies.Store(math.MaxInt64)
	switch {
	case l.InStep == InStepOff:
		d.wanted = false
		return
	case g.policy.loose:
	case l.InStep == InStepOn:
		d.policy = ""
	case g.policy.warp == lane.Width:
		d.wanted = false
		return
	default:
		d.width = g.policy.warp
	}
	d.scope = check.Scope{Contended: program.Contended(l.Program.Program, l.Params, l.Global), Head: uint32(len(g.head))}
	d.wanted = slices.ContainsFunc(l.Program.Code, func(u program.Op) bool { return d.scope.Wants(&u) })
}

// Admit returns the error with which Run refuses the launch, nil if it begins.
func (l *Launch) Admit() error {
	_, err := l.admit()
	return err
}

// admit returns the launch's policy, or the error of the device or of the policy that refuses it.
func (l *Launch) admit() (prepared, error) {
	if err := l.Check(); err != nil {
		return prepared{}, err
	}
	return l.Program.policies(l.Policy)
}

// Check reports whether the device can run the launch, as a *program.LaunchError.
func (l *Launch) Check() error {
	k := &l.Program.Kernel
	lim := k.Arch.Limits()
	refuse := func(resources bool, format string, args ...any) error {
		return &program.LaunchError{Resources: resources, Reason: fmt.Sprintf(format, args...)}
	}
	threads := 1
	for i, d := range l.Block {
		if d < 1 || d > lim.BlockDim[i] {
			return refuse(false, "block %v: dimension %d must be 1 to %d", l.Block, i, lim.BlockDim[i])
		}
		threads *= d
	}
	if threads > lim.ThreadsPerBlock {
		return refuse(false, "block %v has %d threads: the most is %d", l.Block, threads, lim.ThreadsPerBlock)
	}
	for i, d := range l.Grid {
		if d < 1 || d > lim.GridDim[i] {
			return refuse(false, "grid %v: dimension %d must be 1 to %d", l.Grid, i, lim.GridDim[i])
		}
	}
	switch shared := l.sharedBytes(); {
	case len(l.Params) > lim.Params:
		return refuse(false, "%d bytes of parameters: the most is %d", len(l.Params), lim.Params)
	case l.Dynamic < 0 || shared > lim.Shared:
		return refuse(false, "%d bytes of shared memory a block (%d of them dynamic): the most is %d", shared, l.Dynamic, lim.Shared)
	case k.Local > lim.Local:
		return refuse(true, "%d bytes of local memory a thread: the most is %d", k.Local, lim.Local)
	case lim.BlocksPerWave(threads, k.Registers, shared) == 0:
		return refuse(true, "a block of %d threads with %d registers each does not fit the %d registers of an %s multiprocessor; compile the kernel with nvcc -maxrregcount=%d or __launch_bounds__(%d)",
			threads, k.Registers, lim.Registers, k.Arch, lim.MostRegisters(threads, shared), threads)
	}
	return nil
}

func roundUp(x, unit int) int { return (x + unit - 1) / unit * unit }

// sharedBytes returns the shared memory of a block. Kernel.Shared counts header and
// parameters, but a caller may pass more parameters than the kernel declares.
func (l *Launch) sharedBytes() int {
	return max(l.Program.Kernel.Shared, tesla.HeaderBytes+len(l.Params)) + l.Dynamic
}

// stopped reports whether a block must stop before its kernel ends. Its worker has counted issued
// issues.
func (g *grid) stopped(issued uint64) bool {
	l := g.l
	return l.Watchdog > 0 && issued >= l.Watchdog || l.Interrupt != nil && l.Interrupt.Load()
}

// stopReason returns why a block is stopped.
func (g *grid) stopReason(issued uint64) (machine.FaultKind, string) {
	if g.l.Interrupt != nil && g.l.Interrupt.Load() {
		return machine.FaultInterrupt, "the launch was told to end"
	}
	return machine.FaultWatchdog, fmt.Sprintf("%d warp-instructions issued: the limit is %d", issued, g.l.Watchdog)
}
