package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// convoy is a few neighbouring blocks of a wave that one worker takes through the kernel together.
// The convoy owns the divergence policy of these blocks, and where each of their warps stands.
// Warps of all blocks are numbered through. Warps that stand at one place are the front: one
// engine call executes an instruction for all of them.
// Short of a race between blocks, the results are those of blocks that run one after the other.
//
// The methods of a convoy are many, for one thing moves: the front, through code, until it parks.
// They are in the files that doc.go lists, by what moves the front.
type convoy struct {
	g      *grid
	p      *Program
	code   []program.Op
	engine engine.Engine
	st     *machine.State // what the engine works on
	meter  count.Meter    // counts for the worker that runs the convoy
	inStep *check.InStep  // nil: not looked for
	members
	steering
	table table
	front front
	barriers
	recorders
	scratch
}

// members are the blocks of a convoy and their warps.
type members struct {
	blocks []*block
	warps  int // of all blocks
	masks  [lane.MaxWarps]lane.Mask
	own    [lane.MaxWarps]branch.WarpSet // by warp: all of its block
	home   [lane.MaxWarps]*block         // by warp
}

// steering is what says where warps go.
type steering struct {
	policy     branch.Policy
	mixes      bool          // the policy's cohorts are one issue each
	next       *branch.Warps // the policy's; nil if it mixes warps
	forks      branch.Forks  // the policy, if it knows forks and they are to be used
	singleStep bool          // no warp runs ahead: one instruction at a time, for observers
}

// barriers are where warps wait.
type barriers struct {
	waiting     [16]branch.WarpSet    // by barrier
	wait        branch.WarpSet        // at any
	barrierPC   [lane.MaxWarps]uint32 // where each warp last arrived
	barrier     [lane.MaxWarps]uint8  // and at which barrier
	barrierTime [lane.MaxWarps]uint64 // and when
}

// recorders is what recorders are told, and have yet to be told.
type recorders struct {
	recorded        branch.WarpSet           // warps whose issues are told to recorders
	time, flushedTo uint64                   // how far a recorded convoy is, and its recorders know of
	partials        [lane.MaxWarps][]partial // by warp: in what is noted next
	partly          branch.WarpSet           // warps with partials
	notes           [lane.MaxWarps]notes     // by warp: what recorders are told next
}

// scratch is used within one step of the front.
type scratch struct {
	shares   [lane.MaxWarps]lane.Sel // the front's parts by block
	formed   [1]branch.Cohort        // of pickIssue
	arriving lane.Sel                // of joins
	sides    [2]lane.Sel             // of forks: the lanes that take the branch, and the others
	ev       branch.Event
}

// newConvoy makes a convoy of n blocks.
func newConvoy(g *grid, n int) *convoy {
	each := len(g.masks)
	c := &convoy{p: g.l.Program, code: g.l.Program.Code}
	c.warps, c.policy = n*each, g.scheme.newPolicy()
	c.meter = count.NewMeter(c.policy)
	c.mixes, c.next = c.policy.Mixes(), c.policy.Warps()
	c.engine = g.l.Program.code.New(c.warps)
	c.st = c.engine.Machine()
	c.st.Mixed = c.mixes
	var own []*machine.Block
	for i := range n {
		b := &block{c: c, own: machine.Block{First: i * each, Warps: each}, set: (1<<each - 1) << (i * each)}
		c.blocks, own = append(c.blocks, b), append(own, &b.own)
		for w := range each {
			c.own[b.own.First+w], c.home[b.own.First+w] = b.set, b
		}
	}
	c.st.SetBlocks(own)
	return c
}

// start readies the convoy for blocks of the grid from number first on.
func (c *convoy) start(first int) {
	c.st.Reset()
	for i, b := range c.blocks {
		copy(c.masks[b.own.First:], c.g.masks)
		b.start(first + i)
		b.askRecorder()
	}
	c.singleStep = c.g.singleStep || c.watched() != nil
	clear(c.waiting[:])
	c.wait = 0
	c.meter.Start(c.masks[:c.warps])
	c.policy.Start(c.masks[:c.warps])
	c.table.reset()
	c.front = front{}
	if !c.mixes {
		c.stand(c.policy.Alive())
	}
	c.record()
	c.forks = nil
	if !c.singleStep && c.g.l.Watchdog == 0 { // else events are looked at one by one
		c.forks, _ = c.policy.(branch.Forks)
	}
}

// assign lets a worker run the convoy, and count what it does.
func (c *convoy) assign(g *grid, n *count.Ledger) {
	c.g, c.meter.Ledger, c.meter.Silent = g, n, g.l.NoStats
	c.st.Grid, c.st.Counts = g.shared, &n.Counts
}

// done reports whether all blocks came to their end without a fault.
func (c *convoy) done() bool {
	for _, b := range c.blocks {
		if !b.done || b.fault != nil {
			return false
		}
	}
	return true
}

// end takes leave of blocks that ended or were given up.
func (c *convoy) end() {
	c.flush()
	c.meter.End()
	for _, b := range c.blocks {
		b.end()
	}
}

// clear forgets the launch.
func (c *convoy) clear() {
	for _, b := range c.blocks {
		b.view, b.watched, b.record, b.raised, b.fault, b.own.Overrun = nil, nil, nil, nil, nil, nil
	}
	c.g, c.meter.Ledger, c.inStep = nil, nil, nil
	c.st.Grid, c.st.Counts, c.st.Hook, c.st.Recorder, c.st.Keeps = machine.Grid{}, nil, nil, nil, nil
}

// watched returns the observer of the convoy's block, nil if there is none. An observed block goes
// alone.
func (c *convoy) watched() *watched { return c.blocks[0].watched }

// block returns the block of warp w of the convoy.
func (c *convoy) block(w int) *block { return c.home[w%lane.MaxWarps] }

// run issues instructions until every block has reached time until, ended or faulted.
func (c *convoy) run(until uint64) {
	if c.recorded != 0 {
		c.runRecorded(until)
		return
	}
	c.move(until)
}

// move is run without the recorders.
func (c *convoy) move(until uint64) {
	for (c.front.N > 0 || c.pick(until)) && c.advance(until) {
	}
	if len(c.g.workers) > 1 { // the next may be another's
		c.flush()
	}
	c.finish()
}

// finish ends blocks none of whose warps is ready: they are done, or stuck.
func (c *convoy) finish() {
	for _, b := range c.blocks {
		if b.done || c.table.ready&b.set != 0 {
			continue
		}
		b.done = true
		if alive := c.policy.Alive() & b.set; alive != 0 && b.fault == nil {
			c.deadlock(b, alive)
		}
	}
}

// stopAt stops a block for the fault of a warp. Warps that leave have their last issue behind them;
// the others go on up to the next visible instruction. How far they had run ahead depends on the
// blocks in the convoy, and on which warps make a front; what they count must not.
func (c *convoy) stopAt(b *block, f *machine.Fault, leave branch.WarpSet) {
	b.fault = f
	if c.mixes {
		c.drop(b)
		return
	}
	if b.watched != nil { // it was told all that happened
		b.watched.End()
		b.watched = nil
	}
	t := &c.table
	t.stopped |= b.set
	c.recorded &^= b.set
	t.ready &^= leave | b.set&t.failed
	t.parked &^= b.set
	c.front.leave(leave)
	c.front.free = false
}

// drop takes a block that faulted out of the convoy.
func (c *convoy) drop(b *block) {
	b.done = true
	c.table.ready &^= b.set
	c.table.parked &^= b.set
	c.table.failed &^= b.set
	c.front.leave(b.set)
}

// convoySize returns how many blocks make a convoy: as many as one engine can hold. It is one if the
// launch takes its blocks in order, or if the policy mixes warps.
func (g *grid) convoySize() int {
	if g.alone() != "" || g.scheme.mixes {
		return 1
	}
	share := (g.l.Grid[0]*g.l.Grid[1] + len(g.workers) - 1) / len(g.workers)
	return max(1, min(lane.MaxWarps/len(g.masks), g.resident, share))
}
