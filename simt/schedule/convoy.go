package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// convoy is several neighbouring blocks of a wave that one worker runs together. Their warps are
// numbered consecutively. Warps at one pc make up the front: one call of the engine executes an
// instruction for all of them, whatever block they belong to. Unless blocks race, the results are
// those of blocks that run one after the other.
//
// A convoy moves the front: it hands control events to the divergence policy of its blocks, stops
// blocks that fault, and opens barriers. Its issuer does the rest.
type convoy struct {
	issuer
	g          *grid
	policy     branch.Policy
	inStep     *check.InStep // nil: not wanted
	barriers   barriers
	formed     [1]branch.Cohort // scratch of pickIssue
	singleStep bool             // no warp runs ahead: one instruction at a time, for observers
	reach      uint64           // the time up to which a recorded convoy runs
}

// members are the blocks of a convoy and their warps.
type members struct {
	blocks []*block
	warps  int // of all blocks
	masks  [lane.MaxWarps]lane.Mask
	own    [lane.MaxWarps]branch.WarpSet // by warp: all of its block
	home   [lane.MaxWarps]*block         // by warp
	shares [lane.MaxWarps]lane.Sel       // scratch: the front by block
}

// block returns the block of warp w of the convoy.
func (m *members) block(w int) *block { return m.home[w%lane.MaxWarps] }

// watched returns the observer of the convoy's block, or nil. An observed block has a convoy of its
// own.
func (m *members) watched() *watched { return m.blocks[0].watched }

// divide makes the shares of the front.
func (m *members) divide(f *front) {
	if f.divided {
		return
	}
	f.divided = true
	for k := range m.blocks {
		m.shares[k].N, m.shares[k].Full = 0, true
	}
	each := m.blocks[0].own.Warps
	for k, w := range f.Warp[:f.N] {
		m.shares[int(w)/each].Add(int(w), f.Mask[k])
	}
}

// ended reports whether all blocks ended, and whether one of them faulted.
func (m *members) ended() (ended, faulted bool) {
	ended = true
	for _, b := range m.blocks {
		ended, faulted = ended && b.done, faulted || b.fault != nil
	}
	return ended, faulted
}

// newConvoy makes a convoy of n blocks.
func newConvoy(g *grid, n int) *convoy {
	each := len(g.masks)
	c := &convoy{policy: g.policy.newPolicy()}
	c.p, c.code, c.warps = g.l.Program, g.l.Program.Code, n*each
	c.meter = count.NewMeter(c.policy)
	c.mixes, c.next, c.recording.time = c.policy.Mixes(), c.policy.Warps(), &c.table.time
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

// convoySize returns the blocks per convoy: as many as one engine can hold. It is one if the launch
// runs its blocks in order, or if the policy mixes warps.
func (g *grid) convoySize() int {
	if g.inOrder() || g.policy.mixes {
		return 1
	}
	share := (g.l.Grid[0]*g.l.Grid[1] + len(g.workers) - 1) / len(g.workers)
	return max(1, min(lane.MaxWarps/len(g.masks), g.resident, share))
}

// assign gives the convoy to a launch, and to the ledger of the worker that runs it.
func (c *convoy) assign(g *grid, n *count.Ledger) {
	c.g, c.meter.Ledger, c.meter.Silent = g, n, g.l.NoStats
	c.st.Grid, c.st.Counts = g.shared, &n.Counts
}

// start prepares the convoy for blocks of the grid from number first on.
func (c *convoy) start(first int) {
	c.st.Reset()
	for i, b := range c.blocks {
		copy(c.masks[b.own.First:], c.g.masks)
		b.start(first + i)
	}
	c.singleStep = c.g.singleStep || c.watched() != nil
	c.barriers, c.table, c.front = barriers{}, table{}, front{}
	c.meter.Start(c.masks[:c.warps])
	c.policy.Start(c.masks[:c.warps])
	c.put(c.policy.Alive())
	c.record()
	c.forks = nil
	if !c.singleStep && c.g.l.Watchdog == 0 { // otherwise the policy sees every event
		c.forks, _ = c.policy.(branch.Forks)
		c.known = c.g.policy.forks
	}
}

// end ends blocks that have finished or were given up.
func (c *convoy) end() {
	c.flush()
	c.meter.End()
	for _, b := range c.blocks {
		b.end()
	}
}

// clear drops the launch.
func (c *convoy) clear() {
	for _, b := range c.blocks {
		b.view, b.watched, b.record, b.raised, b.fault, b.own.Overrun = nil, nil, nil, nil, nil, nil
	}
	c.g, c.meter.Ledger, c.inStep = nil, nil, nil
	c.st.Grid, c.st.Counts, c.st.Hook, c.st.Recorder, c.st.Keeps = machine.Grid{}, nil, nil, nil, nil
}

// run issues instructions until every block has reached time until, ended or faulted.
func (c *convoy) run(until uint64) {
	if c.recorded == 0 {
		c.move(until)
		return
	}
	for c.reach < until {
		if ended, _ := c.ended(); ended {
			return
		}
		step := c.flushedTo + c.g.recordStep
		c.reach = min(until, step)
		c.move(c.reach)
		if c.reach == step {
			c.flush()
			c.reached(step)
		}
	}
}

// move is run without the recorders.
func (c *convoy) move(until uint64) {
	for (c.front.N > 0 || c.pick(until)) && c.advance(until) {
	}
	if len(c.g.workers) > 1 { // another worker may run the convoy next
		c.flush()
	}
	for _, b := range c.blocks {
		if !b.done && c.table.ready&b.set == 0 {
			b.done = true
			if alive := c.policy.Alive() & b.set; alive != 0 && b.fault == nil {
				b.deadlock(alive)
			}
		}
	}
}

// stopAt stops a block for the fault of a warp. Warps of issued have issued for the last time. The
// others run to the next visible instruction, because how far they are ahead depends on the
// convoy's blocks, and their counts must not.
func (c *convoy) stopAt(b *block, f *machine.Fault, issued branch.WarpSet) {
	b.fault = f
	if c.mixes {
		c.drop(b)
		return
	}
	if b.watched != nil { // its observer was told everything that happened
		b.watched.End()
		b.watched = nil
	}
	t := &c.table
	t.stopped |= b.set
	c.recorded &^= b.set
	t.ready &^= issued | b.set&t.failed
	t.parked &^= b.set
	c.front.remove(issued)
	c.front.free = false
}

// drop removes a block that faulted from the convoy.
func (c *convoy) drop(b *block) {
	b.done = true
	c.table.ready &^= b.set
	c.table.parked &^= b.set
	c.table.failed &^= b.set
	c.front.remove(b.set)
}
