package simt

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// convoy is a number of neighbouring blocks of a wave that one worker takes through the
// kernel. As long as all of them stand at one place with all their warps together, one
// kernel call carries out an instruction for the warps of all; control, and what can tell
// blocks apart, are for each block in its turn. Short of a race between blocks
// nobody can tell, as with blocks that run one after the other.
type convoy struct {
	blocks []*Block
	lead   *Block // has the registers of all the blocks; nil if there is only one
	sel    lane.Sel

	recorded   bool   // somebody records a block of it
	time, told uint64 // how far a recorded convoy is, and its recorders know of
}

// newConvoy makes a convoy of n blocks.
func newConvoy(g *grid, n int) *convoy {
	warps := len(g.masks)
	all := newFile(g.l.Program, n*warps)
	c := &convoy{}
	for i := range n {
		c.blocks = append(c.blocks, newBlock(g, all.part(i*warps, (i+1)*warps)))
	}
	if n > 1 {
		c.lead = &Block{p: g.l.Program, code: g.l.Program.code, warps: n * warps, file: all, members: c.blocks}
		c.lead.allLanes()
	}
	return c
}

// start readies the convoy for blocks of the grid from number first on.
func (c *convoy) start(first int) {
	for i, b := range c.blocks {
		b.start(first + i)
	}
	c.recorded = c.record()
}

// employ lets w run the convoy, and count what it does.
func (c *convoy) employ(g *grid, w *worker) {
	for _, b := range c.blocks {
		b.g, b.counters = g, &w.counters
	}
	if c.lead != nil {
		c.lead.g, c.lead.counters = g, &w.counters
	}
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
	for _, b := range c.blocks {
		b.end()
	}
}

// retire forgets the launch.
func (c *convoy) retire() {
	for _, b := range c.blocks {
		b.g, b.counters, b.steps, b.watched, b.fault = nil, nil, nil, nil, nil
	}
	if c.lead != nil {
		c.lead.g, c.lead.counters = nil, nil
	}
}

// run issues instructions until every block has reached time until, ended or faulted.
func (c *convoy) run(until uint64) {
	if c.recorded {
		c.runRecorded(until)
		return
	}
	c.move(until)
}

// move is run, for a convoy that nobody records.
func (c *convoy) move(until uint64) {
	if c.lead != nil {
		for c.together() && c.advance(until) {
		}
	}
	for _, b := range c.blocks {
		b.run(until)
	}
}

// together reports whether all blocks stand at one place, and makes the selection of all
// their lanes there.
func (c *convoy) together() bool {
	first := &c.blocks[0].fronts[0]
	c.sel.N, c.sel.Full = 0, true
	for i, b := range c.blocks {
		f := &b.fronts[0]
		if b.n != 1 || b.done || b.apart || b.steps != nil || b.mixes || f.fault != nil ||
			f.at != first.at || f.time != first.time || f.Stop != branch.NoStop || f.Empty() {
			return false
		}
		for k := range f.N {
			c.sel.Add(i*b.warps+int(f.Warp[k]), f.Mask[k])
		}
	}
	return true
}

// advance takes blocks that stand together through straight code and the control
// instruction behind it. It reports false if they stopped before: at time until, or because
// one faulted.
func (c *convoy) advance(until uint64) bool {
	lead, f := c.lead, &c.blocks[0].fronts[0]
	for {
		if f.time >= until {
			return false
		}
		u := &lead.code[f.at]
		if u.control {
			return c.control()
		}
		n := min(int32(min(uint64(u.led), until-f.time)), u.end-f.at)
		if n == 0 {
			if !c.eachIssues() {
				return false
			}
			continue
		}
		lead.origin = f.time - uint64(f.at)
		reached := int32(lead.issue(&c.sel, int(f.at), int(f.at+n)))
		if lead.fault != nil {
			n = reached - 1 - f.at
		}
		for _, b := range c.blocks {
			b.fronts[0].at += n
			b.fronts[0].time += uint64(n)
		}
		if lead.fault != nil {
			c.blame()
			return false
		}
	}
}

// blame hands the fault of the instruction that the lead issued for all blocks to the one whose warp it
// was. Blocks before it are past the instruction, and those behind it have not begun it. Only loads and
// stores have done anything by then: others are issued again, block by block.
func (c *convoy) blame() {
	fault := c.lead.fault
	c.lead.fault = nil
	if !c.lead.code[c.blocks[0].fronts[0].at].memory {
		c.eachIssues()
		return
	}
	for _, b := range c.blocks {
		f := &b.fronts[0]
		if b.Index() == fault.Block {
			b.fault, b.done = fault, true
			b.count(int(f.from), int(f.at)+1, &f.Sel)
			return
		}
		f.at++
		f.time++
	}
}

// eachIssues lets one block after the other issue an instruction.
func (c *convoy) eachIssues() bool {
	for _, b := range c.blocks {
		f := &b.fronts[0]
		b.origin = f.time - uint64(f.at)
		b.issue(&f.Sel, int(f.at), int(f.at)+1)
		if b.fault != nil {
			b.count(int(f.from), int(f.at)+1, &f.Sel)
			b.done = true
			return false
		}
		f.at++
		f.time++
	}
	return true
}

// control lets one block after the other issue the control instruction they stand at.
func (c *convoy) control() bool {
	for _, b := range c.blocks {
		if b.stopped() {
			return false
		}
		b.control(0)
		b.done = b.fault != nil
		if b.done {
			return false
		}
	}
	return true
}

// convoySize returns how many blocks make a convoy: as many as one kernel call can serve, if
// the launch may take its blocks in any order.
func (g *grid) convoySize() int {
	if g.alone() != "" {
		return 1
	}
	share := (g.l.Grid[0]*g.l.Grid[1] + len(g.workers) - 1) / len(g.workers)
	return max(1, min(lane.MaxWarps/len(g.masks), g.resident, share))
}
