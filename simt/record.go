package simt

import "jacquard/simt/lane"

// Recorder is told of a launch what an Observer is told, but puts up with how the engine runs
// when nobody watches: blocks on several workers, in convoys, straight code at one go, warps ahead of others.
type Recorder interface {
	// Block is called when a block starts and returns what records it, nil for nobody. Workers
	// call it for blocks in any order, and at the same time.
	Block(b *Block) BlockRecorder

	// Keeps says, for every instruction of the program, whether BlockRecorder.Keep is to be called
	// for it; nil if for none. It is asked once, before the first block.
	Keeps() []bool

	// Fault is called if the launch faults, before the blocks that are left End: it is in the wave of a block of the
	// grid. Those of later waves, some of which may have ended already, do not count. Others of its wave may go on, at
	// most 65,536 rounds.
	Fault(f *Fault, block int)
}

// BlockRecorder records one block. Its methods are called one at a time, by one goroutine or another. What one warp does
// is told in order; of several warps one may be many instructions ahead of another.
//
// Time and warp order the issues of a block as an Observer sees them: warps that issue at one time at one place, all with
// active lanes or all without, and no warp between them elsewhere, are one Issue; all warps of one time are if the block is Mixed.
type BlockRecorder interface {
	// Run is told what warp w issued, one stretch after the other; of a Mixed block in order of time, whatever the warp. What is in the list
	// changes after the call, and registers are no longer what they were.
	Run(w int, list []Stretch)

	// Keep is called after warp w carried out the instruction at an index of the kernel's code, for
	// the lanes of executed, of which there is one at least: registers hold what it left. Addresses
	// are as in WarpIssue. Run may be told of it before or after.
	Keep(b *Block, index, w int, executed lane.Mask, addresses *lane.Row)

	// Reached says that Run was told, and Keep called, for all that warps issued before a time and
	// nothing else. That is a multiple of some number of rounds; the block goes on.
	Reached(time uint64)

	// End is called when the block has ended, or was given up because the launch faulted. If the block
	// itself did, f says how: what its warps were ahead of that, and what they issued together with what did
	// wrong, Run may have been told of, but it did not happen.
	End(f *Fault)
}

// Stretch is straight code that a warp issued.
type Stretch struct {
	Time     uint64    // of the first instruction, in rounds since the block's wave began; the others follow it
	From, To int32     // indices of the kernel's code, To not included
	Active   lane.Mask // lanes that issued
	Executed lane.Mask // of the last instruction, as in an Issue; all active lanes executed those before
	Vetoed   bool      // the join marker sent the warp elsewhere before it could execute; then it is of one instruction
}

// recordStep is how many rounds a recorded block runs before its recorder hears that it Reached a time, keepStep
// if there are values: what a convoy leaves in so many fits into a core's cache.
const (
	recordStep = 1 << 10
	keepStep   = 1 << 8
)

// Wave returns the number of the block's wave.
func (b *Block) Wave() int { return b.wave() }

// Resident returns how many blocks make a wave. The last may be shorter.
func (b *Block) Resident() int { return b.c.g.resident }

// Mixed reports whether an issue is one warp-instruction, put together of lanes of several warps; see Issue.
func (b *Block) Mixed() bool { return b.c.mixes }

// askRecorder asks the launch's recorder about a block that starts.
func (b *Block) askRecorder() {
	b.record = nil
	if r := b.c.g.l.Recorder; r != nil {
		b.record = r.Block(b)
	}
}

// record finds out who of the convoy is recorded.
func (c *convoy) record() {
	c.time, c.told, c.heard = 0, 0, 0
	for ; c.partly != 0; c.partly &= c.partly - 1 {
		w := lowestWarp(c.partly)
		c.partials[w] = c.partials[w][:0]
	}
	for _, b := range c.blocks {
		if b.record != nil {
			c.heard |= b.set
		}
	}
	c.st.Recorder, c.st.Keeps = nil, nil
	if c.heard != 0 {
		c.st.Recorder, c.st.Keeps = c, c.g.keeps
	}
}

// runRecorded is run, in steps after which recorders hear how far their blocks are.
func (c *convoy) runRecorded(until uint64) {
	for c.time < until && !c.over() {
		c.time = min(until, c.told+c.g.recordStep)
		c.move(c.time)
		if c.time == c.told+c.g.recordStep {
			c.told = c.time
			c.settle()
			for _, b := range c.blocks {
				c.tellAll(b)
				switch {
				case b.record == nil || b.fault != nil:
				case b.done:
					b.endRecord()
				default:
					b.record.Reached(c.told)
				}
			}
		}
	}
}

// over reports whether no block of the convoy goes on.
func (c *convoy) over() bool {
	for _, b := range c.blocks {
		if !b.done {
			return false
		}
	}
	return true
}

// endRecord tells the recorder that the block ended.
func (b *Block) endRecord() {
	if b.record == nil {
		return
	}
	f := b.fault
	if f != nil && f.Kind == FaultBarrier { // all that was told happened
		f = nil
	}
	b.c.tellAll(b)
	b.c.heard &^= b.set
	b.record.End(f)
	b.record = nil
}

// Keep hands over the values of the instruction at an index, which lanes executed. If it went wrong, the blocks
// before the one that did are past it.
func (c *convoy) Keep(index int, executed *lane.Sel, addresses []lane.Row) {
	for k, w := range executed.Warp[:executed.N] {
		b := c.block(int(w))
		if c.st.Raised != nil && b == c.block(c.st.RaisedBy) {
			return
		}
		if b.record == nil || b.fault != nil {
			continue
		}
		var at *lane.Row
		if addresses != nil {
			at = &addresses[w]
		}
		b.record.Keep(b, index, int(w)-b.own.First, executed.Mask[k], at)
	}
}
