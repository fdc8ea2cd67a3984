package schedule

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/watch"
)

// block is one resident block: the machine state and the engine that executes its code, the policy
// that knows where its lanes are, and the times of its warps.
type block struct {
	g      *grid
	p      *Program
	code   []program.Op
	engine engine.Engine
	runner runner         // runs a warp on: the engine, or the block itself
	st     *machine.State // the engine's
	meter  count.Meter    // counts into the ledger of the worker that runs the block, or its own

	now   uint64         // the end of the last slice
	exact bool           // turns are of one instruction
	done  bool           // no warp will issue again
	fault *machine.Fault // the reason why the block was stopped

	divergence
	diagnosing
	places
	news
	starting
	front front
	barriers
	recording
	misses
	scratch
	view    *watch.Block // for listeners; nil before the first use
	watched *watched     // nil: not observed
}

// divergence is a block's view of its policy.
type divergence struct {
	policy branch.Policy
	mixing branch.Mixing // the policy, if it mixes warps; else nil
	mixes  bool          // mixing != nil
	next   *branch.Warps // the policy's; nil if it mixes warps
	tells  tells
	forks  branch.Forks // the policy, if it knows forks and they are enabled
	known  []bool       // by instruction: the policy knows the fork that begins there
	// whole is the policy, if the engine runs warps on and the policy need not see what a warp does
	// as a whole; nesting, if it need not see regions either.
	whole   branch.Whole
	nesting branch.Nesting
	// counting is the policy, if it counts branches.
	counting branch.Counting
}

// diagnosing is a block's search for mistakes, and for code that relies on the lanes of a warp
// running in step.
type diagnosing struct {
	inStep  *check.InStep      // nil: not wanted
	steps   *check.InStep      // inStep of earlier launches
	looking bool               // inStep looks at accesses
	watcher check.Watcher      // of the launch's checker; nil: none
	hook    machine.AccessHook // the watcher, if it wants to hear of accesses
	guarded uint64             // the launch of the watcher
	meeting meeting            // the same, if it hears of barriers
}

// places holds pc and time of every warp that is not running.
type places struct {
	// Relay has the times, counted from the start of the wave. Under a policy that mixes warps,
	// every warp has the time of the block.
	engine.Relay
	ready branch.WarpSet        // warps that can issue
	pc    [lane.MaxWarps]uint32 // the address of a warp's next instruction, which matters if no instruction begins there
}

// news records events that the policy and the counters have not been told. Most blocks run in the
// engine from start to end, and leave policy and counters ready for the next block.
type news struct {
	gone  branch.WarpSet // ended warps that the policy still counts as live
	told  bool           // the policy has left the state at the start of a block
	moved bool           // the counters were told of lanes that parted
	begun places         // the places of a block that starts, valid while told is false
}

// starting says how a block starts.
type starting struct {
	inCode  bool // runFromStart may run the blocks of the launch
	atStart bool // runFromStart may run this block, which has not begun
}

// alive returns the warps that have not ended.
func (b *block) alive() branch.WarpSet { return b.policy.Alive() &^ b.gone }

// scratch is memory that calls share.
type scratch struct {
	going     engine.Turn
	forked    []lane.Mask              // lanes that took the branch of a fork, each time
	lent      []branch.Region          // regions of the front's warp that the engine keeps
	uncounted int32                    // of RunOn: where the straight-line code begins that is not yet counted
	one       lane.Sel                 // of the lanes of one warp
	ev        branch.Event             // the present event; its Lanes take the branch
	arriving  lane.Sel                 // at a join marker
	executed  [lane.MaxWarps]lane.Mask // of the front: the lanes that execute the control instruction
}

// newBlock makes a block for the launches of a program under a policy.
func newBlock(g *grid) *block {
	warps := len(g.masks)
	b := &block{p: g.l.Program, code: g.l.Program.Code, news: news{told: true}}
	b.policy = g.policy.newPolicy()
	b.meeting.policy = b.policy
	b.meter = count.NewMeter(b.policy, warps, g.policy.warp)
	b.mixing, b.mixes = b.policy.(branch.Mixing)
	b.tells = tells{p: b.p.Program, policy: b.policy}
	if c, ok := b.policy.(branch.Counting); ok && c.Counts() {
		b.counting = c
	}
	b.next = b.policy.Warps()
	b.engine = b.p.code.New(warps)
	b.st = b.engine.Machine()
	b.st.Mixed, b.st.Lanes = b.mixes, g.policy.warp
	return b
}

// assign gives the block to a launch, and to the ledger of the worker that runs it.
func (b *block) assign(g *grid, n *count.Ledger) {
	b.g, b.meter.Ledger, b.meter.Silent = g, n, g.l.NoStats
	b.exact = g.turn == 1
	b.st.Grid, b.st.Counts = g.shared, &n.Counts
}

// reset prepares the state for a block of the grid, by its number: with launch header, parameters
// and thread ids (docs/isa/launch.md).
func (b *block) reset(number int) {
	b.done, b.fault, b.st.Overrun, b.missed = false, nil, nil, nil
	b.st.Reset(b.g.seen)
	if b.p.Kernel.Registers > 0 {
		for w := range b.g.tid {
			*b.st.RegisterRow(0, w) = b.g.tid[w]
		}
	}
	b.st.Shared.Reset(b.g.l.sharedBytes())
	copy(b.st.Shared.Bytes(), b.g.head)
	b.renumber(number)
}

// renumber changes a block that is ready to run to another block of the grid.
func (b *block) renumber(number int) {
	b.st.Number, b.st.Slot = number, number%b.g.resident
	b.st.Index = [2]int{number, 0}
	if width := b.g.l.Grid[0]; number >= width { // the division takes as long as the rest
		y := number / width
		b.st.Index = [2]int{number - y*width, y}
	}
	data := b.st.Shared.Bytes()
	binary.LittleEndian.PutUint16(data[12:], uint16(b.st.Index[0]))
	binary.LittleEndian.PutUint16(data[14:], uint16(b.st.Index[1]))
}

// start makes the block ready to run as a block of the grid.
func (b *block) start(number int) {
	b.reset(number)
	if b.inStep != nil {
		b.inStep.Start()
		b.look(int64(number) < b.g.inStep.relies.Load()) // of several findings, the first counts
	} else if b.watcher != nil {
		b.look(false)
	}
	if b.watcher != nil {
		b.watcher.Start()
	}
	b.now, b.gone = 0, 0
	if b.told || b.whole == nil || b.g.seen {
		b.prepare()
	} else {
		b.places, b.brief = b.begun, 0
		if b.moved {
			b.moved = false
			b.meter.Start(b.g.masks)
		}
	}
	b.atStart = b.inCode
}

// look sets whether the diagnosis of code that relies on lanes running in step looks at accesses.
func (b *block) look(looks bool) {
	if looks == b.looking && (b.hook == nil || b.st.Hook != nil) {
		return
	}
	b.looking, b.told = looks, true // the block starts in another way
	switch {
	case !looks:
		b.st.Hook = b.hook
	case b.hook == nil:
		b.st.Hook = b.inStep
	default:
		b.st.Hook = check.NewHooks(b.p.Program, b.inStep, b.hook)
	}
}

// found stops the diagnosis in this block, and in later ones, once it has found something.
func (b *block) found() {
	if !b.looking || b.inStep.Found() == nil {
		return
	}
	b.look(false)
	for n := int64(b.st.Number); ; {
		if known := b.g.inStep.relies.Load(); known <= n || b.g.inStep.relies.CompareAndSwap(known, n) {
			return
		}
	}
}

// prepare makes the policy and the counters ready for a block.
func (b *block) prepare() {
	b.places, b.barriers, b.front = places{}, barriers{}, front{}
	b.told, b.moved = false, false
	b.meter.Start(b.g.masks)
	b.policy.Start(b.g.masks)
	b.meter.Depth = max(b.meter.Depth, b.policy.Depth())
	if !b.mixes {
		for w := range b.st.Warps {
			b.put(w)
		}
	}
	b.record()
	b.choose()
	b.Count, b.Meet = uint32(b.st.Warps), uint32(b.policy.Alive())
	copy(b.Whole[:], b.g.masks)
	if b.st.Hook != nil {
		b.Odd = 1 // the engine returns at the next opening of a barrier
	}
	if alive := b.alive(); b.g.overwrites && alive&(alive-1) != 0 && !b.exact && !b.mixes {
		b.Fresh = uint32(alive)
	}
	if !b.mixes {
		for w := range b.st.Warps {
			b.offer(w)
		}
	}
	b.inCode = b.mayRunFromStart()
	b.begun = b.places
}

// runner is the part of engine.Runner that the block needs.
type runner interface{ RunOn(t *engine.Turn) }

// choose chooses how the block runs on: as fast as its listeners allow.
func (b *block) choose() {
	b.forks, b.whole, b.nesting = nil, nil, nil
	if !b.stepwise() && b.g.l.Watchdog == 0 { // otherwise the policy sees every event
		b.forks, _ = b.policy.(branch.Forks)
		b.known = b.g.policy.forks
	}
	b.runner = b
	if r, ok := b.engine.(engine.Runner); ok {
		b.runner = r
		if !b.stepwise() && b.g.l.Watchdog == 0 {
			b.whole, _ = b.policy.(branch.Whole)
			b.nesting, _ = b.policy.(branch.Nesting)
		}
	}
}

// stepwise reports whether listeners follow the policy from event to event.
func (b *block) stepwise() bool { return b.watched != nil || b.states }

// wave returns the number of the block's wave.
func (b *block) wave() int { return b.st.Number / b.g.resident }

// seen returns the view of the block for listeners.
func (b *block) seen() *watch.Block {
	if b.view == nil {
		b.view = watch.NewBlock(b.st, b.policy, b.g.resident, b.g.masks, &b.now)
	}
	return b.view
}

// run issues instructions until every warp has reached time until, ended or waits, or the block
// faulted.
func (b *block) run(until uint64) {
	for !b.done && b.now < until {
		attend(b)
		end := min(until, b.now+b.g.turn)
		if b.mixes && b.recorded { // the recorder is told in order of time
			end = min(end, b.horizon())
		}
		if b.mixes {
			b.mix(end)
			b.now = end
		} else {
			b.Turn, b.Last = b.g.turn, end
			if b.st.Kept == nil { // values that a recorder wants fill the cache
				b.Last = min(until, end+turnsAhead*b.g.turn)
			}
			b.takeTurns(end)
			b.now = b.Until
		}
		b.finish()
		if b.recorded {
			b.reachTo(b.now)
		}
	}
}

// turnsAhead is how many more turns of all warps the engine may take by itself. Meanwhile nothing
// ends the launch or preempts the thread.
const turnsAhead = 7

// finish finds out whether the block has ended.
func (b *block) finish() {
	if b.ready != 0 || b.done {
		return
	}
	b.done = true
	if n := b.g.l.Ended; n != nil {
		n.Add(1)
	}
	if alive := b.alive(); alive != 0 {
		b.stop(b.deadlock(alive))
	}
}

// stop ends the block for a fault. Warps later in the order have not issued.
func (b *block) stop(f *machine.Fault) {
	b.fault, b.done, b.told = f, true, true
	b.ready, b.Todo = 0, 0
	b.front.N = 0
}

// end reports to listeners and the ledger that the block ended or was given up.
func (b *block) end() {
	if b.told {
		b.meter.End()
	}
	if b.watched != nil {
		b.watched.End()
	}
	b.endRecord()
	if b.watcher != nil {
		b.watcher.End()
	}
	if b.inStep != nil {
		b.meter.InStep.Note(b.st.Number, b.inStep.Found())
	}
	b.meter.Overruns.Note(b.st.Number, b.st.Overrun)
	for _, m := range b.missed {
		b.meter.Missed.Note(b.st.Number, m)
	}
}

// clear drops the launch.
func (b *block) clear() {
	b.view, b.watched, b.to, b.fault, b.st.Overrun, b.missed = nil, nil, nil, nil, nil, nil
	b.told = true
	b.g, b.meter.Ledger, b.inStep, b.watcher, b.hook, b.meeting.to, b.looking, b.guarded = nil, nil, nil, nil, nil, nil, false, 0
	b.st.Grid, b.st.Counts, b.st.Hook, b.st.Recorder, b.st.Kept = machine.Grid{}, nil, nil, nil, nil
}

func lowestWarp(s branch.WarpSet) int { return bits.TrailingZeros16(uint16(s)) }
