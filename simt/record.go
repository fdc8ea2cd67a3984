package simt

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Recorder is told of a launch what an Observer is told, but puts up with how the engine runs
// when nobody watches: blocks on several workers, in convoys, straight code at one go.
type Recorder interface {
	// Block is called when a block starts and returns what records it, nil for nobody. Workers
	// call it for blocks in any order, and at the same time.
	Block(b *Block) BlockRecorder

	// Keeps says, for every instruction of the program, whether BlockRecorder.Keep is to be called
	// for it; nil if for none. It is asked once, before the first block.
	Keeps() []bool
}

// BlockRecorder records one block. Its methods are called one at a time, by one goroutine or another, but for Keep, which
// may be called while Run is.
type BlockRecorder interface {
	// Run is told of issues that happened, in order of time, then warp. What is in s changes after
	// the call, and registers are no longer what they were. An instruction that faults
	// is not reported.
	Run(s *Stretch)

	// Keep is called after warp w carried out the instruction at an index of the kernel's code, for
	// the lanes of executed, of which there is one at least: registers hold what it left. Addresses
	// are as in WarpIssue. The calls of a warp come in order, those of several warps and of Run
	// do not: a warp may be many instructions ahead of what Run was told.
	Keep(b *Block, index, w int, executed lane.Mask, addresses *lane.Row)

	// Turn says that what Keep was called for belongs to the stretches that Run is told of before the next Turn, and
	// what it will be called for, perhaps at the same time, to later ones.
	Turn()

	// End is called when the block has ended, or was given up because the launch faulted.
	End()
}

// Stretch is a piece of straight code issued for lanes of one block that stand together. Issues of
// one round at one place that are neighbours, warps that do not issue in it left out, are one.
type Stretch struct {
	Time     uint64 // of the first instruction, in rounds since the block's wave began; the others follow it
	From, To int    // indices of the kernel's code, To not included
	Active   lane.Sel
	Same     bool // Active and Vetoed are those of the stretch told before

	// Partial says that some active lanes did not execute. Then the run is of one instruction, and
	// Executed and Vetoed are as in an Issue. Otherwise all did.
	Partial  bool
	Executed [lane.MaxWarps]lane.Mask
	Vetoed   branch.WarpSet

	Mixed bool // as in an Issue
}

// recordStep is how many rounds a recorded block runs before what it did is told.
const recordStep = 1 << 10

// Wave returns the number of the block's wave.
func (b *Block) Wave() int { return b.wave() }

// Resident returns how many blocks make a wave. The last may be shorter.
func (b *Block) Resident() int { return b.g.resident }

// record asks the launch's recorder about a block that starts.
func (b *Block) record() {
	b.journal, b.keeps = nil, nil
	if b.g.l.Recorder == nil {
		return
	}
	if r := b.g.l.Recorder.Block(b); r != nil {
		if b.spare == nil {
			b.spare = new(journal)
		}
		b.journal, b.keeps = b.spare, b.g.keeps
		b.journal.open(r, b.warps, b.convoy.mixes)
		b.roomForAddresses()
	}
}

// roomForAddresses makes accessing, if values are recorded.
func (b *Block) roomForAddresses() {
	if b.keeps != nil && b.accessing == nil {
		b.accessing = make([]lane.Row, lane.MaxWarps)
	}
}

// record reports whether somebody records a block of the convoy, and prepares the lead.
func (c *convoy) record() (recorded bool) {
	c.time, c.told = 0, 0
	for _, b := range c.blocks {
		recorded = recorded || b.journal != nil
	}
	if len(c.blocks) > 1 {
		c.lead.keeps = nil
		if recorded {
			c.lead.keeps = c.g.keeps
			c.lead.roomForAddresses()
		}
	}
	return recorded
}

// runRecorded is run, in steps after which what happened is told.
func (c *convoy) runRecorded(until uint64) {
	for c.time < until && !c.over() {
		c.time = min(until, c.told+c.g.recordStep)
		c.move(c.time)
		if c.time == c.told+c.g.recordStep {
			c.told = c.time
			c.settle()
			c.tell()
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

// tell tells the recorders what happened up to now: all warps stand at one time, or ended. The engine goes on
// meanwhile.
func (c *convoy) tell() {
	c.telling.Wait()
	c.turned = c.turned[:0]
	for _, b := range c.blocks {
		if b.journal != nil && b.fault == nil { // a fault is told at the end
			b.journal.turn()
			c.turned = append(c.turned, b.journal)
		}
	}
	c.telling.Go(func() {
		for _, j := range c.turned {
			j.tell()
		}
	})
}

// endRecord tells the recorder the rest of the block.
func (b *Block) endRecord() {
	j := b.journal
	if j == nil {
		return
	}
	b.convoy.telling.Wait()
	if b.fault != nil && b.fault.Kind != FaultBarrier { // then all that is noted happened
		j.fault = b.fault
	}
	j.turn()
	j.tell()
	j.End()
	b.journal = nil
}

// home returns the block to which a warp belongs, and its number there: b itself but for the lead
// of a convoy.
func (b *Block) home(w int) (*Block, int) {
	if b.set != 0 {
		return b, w
	}
	h := b.convoy.block(w)
	return h, w - h.first
}

// noteRun notes that the straight run of the front up to, but not including, an index has issued.
func (c *convoy) noteRun(to int32) {
	if f := &c.front; c.recorded {
		c.note(f.from, to, f.at-f.from, &f.Sel, false)
	}
}

// note notes for every block that warps of s issued straight code, which began so many rounds
// before now.
func (c *convoy) note(from, to, ago int32, s *lane.Sel, vetoed bool) {
	for k := 0; k < s.N; {
		b, time := c.block(int(s.Warp[k])), c.timeOf(int(s.Warp[k]))
		part := lane.Sel{Full: true}
		for ; k < s.N && b.set>>s.Warp[k]&1 != 0 && c.timeOf(int(s.Warp[k])) == time; k++ {
			part.Add(int(s.Warp[k])-b.first, s.Mask[k])
		}
		if b.journal != nil {
			b.journal.note(from, to, time-uint64(ago), &part, vetoed)
		}
	}
}

// noteVetoed notes an issue of the warps of arriving that are not in executing.
func (c *convoy) noteVetoed(arriving, executing *lane.Sel) {
	if !c.recorded || arriving.N == executing.N {
		return
	}
	rest := lane.Sel{Full: true}
	k := 0
	for j := range arriving.N {
		if k < executing.N && executing.Warp[k] == arriving.Warp[j] {
			k++
			continue
		}
		rest.Add(int(arriving.Warp[j]), arriving.Mask[j])
	}
	f := &c.front
	c.note(f.at, f.at+1, 0, &rest, true)
}

// noteGuard notes that of s only those of g, a part of it, execute the instruction at index i.
func (b *Block) noteGuard(i int, s, g *lane.Sel) {
	k := 0
	for j := range s.N {
		m := lane.Mask(0)
		if k < g.N && g.Warp[k] == s.Warp[j] {
			m = g.Mask[k]
			k++
		}
		if m != s.Mask[j] {
			b.notePartial(i, int(s.Warp[j]), m)
		}
	}
}

// noteChoice notes which lanes of the front the control instruction u, which does nothing else, is for.
func (c *convoy) noteChoice(u *uop) {
	if !c.recorded || !u.guarded || u.exec != nil || !u.choosy() {
		return
	}
	f := &c.front
	for k, w := range f.Warp[:f.N] {
		if m := f.Mask[k] & lane.Condition(&c.lead.flags[u.guard.Reg][w], uint8(u.guard.Cond)); m != f.Mask[k] {
			c.lead.notePartial(int(u.at), int(w), m)
		}
	}
}

// notePartial notes that only lanes m of warp w execute the instruction at index i.
func (b *Block) notePartial(i, w int, m lane.Mask) {
	if h, v := b.home(w); h.journal != nil {
		c := b.convoy
		h.journal.partial(v, c.timeOf(h.first+v)+uint64(int32(i)-c.front.at), m)
	}
}

// issueKept is issue, for blocks of which values are recorded.
func (b *Block) issueKept(s *lane.Sel, from, to int) int {
	for i := from; i < to; i++ {
		u := &b.code[i]
		lanes := s
		if u.guarded {
			if lanes = b.guard(u, i, s); lanes == nil {
				continue
			}
		}
		accesses := b.keeps[i] && u.memory && u.words > 0
		if accesses {
			for _, w := range lanes.Warp[:lanes.N] {
				b.accessing[w] = b.addressesOf(u, int(w))
			}
		}
		if !u.exec(b, u, lanes) {
			b.locate(u, b.origin+uint64(i))
			return i + 1
		}
		if b.keeps[i] {
			b.keepValues(i, lanes, accesses)
		}
	}
	return to
}

// keepValues hands over the values of the instruction at index i, which lanes executed.
func (b *Block) keepValues(i int, lanes *lane.Sel, accesses bool) {
	for k, w := range lanes.Warp[:lanes.N] {
		h, v := b.home(int(w))
		if h.journal == nil {
			continue
		}
		var addresses *lane.Row
		if accesses {
			addresses = &b.accessing[w]
		}
		h.journal.Keep(h, i, v, lanes.Mask[k], addresses)
	}
}
