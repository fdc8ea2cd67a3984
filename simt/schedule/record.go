package schedule

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// recordStep is how many rounds a recorded block runs before its recorder hears that it Reached a
// time, keepStep if there are values: what a convoy leaves in so many fits into a core's cache.
const (
	recordStep = 1 << 10
	keepStep   = 1 << 8
)

// askRecorder asks the launch's recorder about a block that starts.
func (b *block) askRecorder() {
	b.record = nil
	if r := b.c.g.l.Recorder; r != nil {
		b.record = r.Block(b.seen())
	}
}

// record notes which warps of the convoy are recorded.
func (c *convoy) record() {
	c.time, c.flushedTo, c.recorded = 0, 0, 0
	for ; c.partly != 0; c.partly &= c.partly - 1 {
		w := lowestWarp(c.partly)
		c.partials[w] = c.partials[w][:0]
	}
	for _, b := range c.blocks {
		if b.record != nil {
			c.recorded |= b.set
		}
	}
	c.st.Recorder, c.st.Keeps = nil, nil
	if c.recorded != 0 {
		c.st.Recorder, c.st.Keeps = c, c.g.keeps
	}
}

// runRecorded is run, in steps after which recorders hear how far their blocks are.
func (c *convoy) runRecorded(until uint64) {
	for c.time < until && !c.over() {
		c.time = min(until, c.flushedTo+c.g.recordStep)
		c.move(c.time)
		if c.time == c.flushedTo+c.g.recordStep {
			c.flushedTo = c.time
			c.flush()
			for _, b := range c.blocks {
				c.tellAll(b)
				switch {
				case b.record == nil || b.fault != nil:
				case b.done:
					b.endRecord()
				default:
					b.record.Reached(c.flushedTo)
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
func (b *block) endRecord() {
	if b.record == nil {
		return
	}
	f := b.fault
	if f != nil && f.Kind == machine.FaultBarrier { // all that was told happened
		f = nil
	}
	b.c.tellAll(b)
	b.c.recorded &^= b.set
	b.record.End(f)
	b.record = nil
}

// Keep hands over the values of the instruction at an index, which lanes executed. If it went
// wrong, the blocks before the one that did are past it.
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
		b.record.Keep(b.view, index, int(w)-b.own.First, executed.Mask[k], at)
	}
}
