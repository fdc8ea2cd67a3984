package simt

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

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
func (b *Block) Resident() int { return b.g.resident }

// Mixed reports whether an issue is one warp-instruction, put together of lanes of several warps; see Issue.
func (b *Block) Mixed() bool { return b.convoy.mixes }

// notes are of one warp: what its recorder has yet to be told.
type notes struct {
	list  [16]Stretch
	count int
}

// partial is an instruction that not all active lanes of a warp executed.
type partial struct {
	index    int32
	executed lane.Mask
}

// record asks the launch's recorder about a block that starts.
func (b *Block) record() {
	b.recorder, b.keeps = nil, nil
	if b.g.l.Recorder == nil {
		return
	}
	if b.recorder = b.g.l.Recorder.Block(b); b.recorder != nil {
		b.keeps = b.g.keeps
		b.roomForAddresses()
	}
}

// roomForAddresses makes accessing, if values are recorded.
func (b *Block) roomForAddresses() {
	if b.keeps != nil && b.accessing == nil {
		b.accessing = make([]lane.Row, lane.MaxWarps)
	}
}

// record finds out who of the convoy is recorded, and prepares the lead.
func (c *convoy) record() {
	c.time, c.told, c.heard = 0, 0, 0
	for ; c.partly != 0; c.partly &= c.partly - 1 {
		w := lowestWarp(c.partly)
		c.partials[w] = c.partials[w][:0]
	}
	for _, b := range c.blocks {
		if b.recorder != nil {
			c.heard |= b.set
		}
	}
	if len(c.blocks) > 1 {
		c.lead.keeps = nil
		if c.heard != 0 {
			c.lead.keeps = c.g.keeps
			c.lead.roomForAddresses()
		}
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
				case b.recorder == nil || b.fault != nil:
				case b.done:
					b.endRecord()
				default:
					b.recorder.Reached(c.told)
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
	if b.recorder == nil {
		return
	}
	f := b.fault
	if f != nil && f.Kind == FaultBarrier { // all that was told happened
		f = nil
	}
	b.convoy.tellAll(b)
	b.convoy.heard &^= b.set
	b.recorder.End(f)
	b.recorder = nil
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
	if f := &c.front; c.heard != 0 && f.from != to {
		c.note(f.from, to, f.at-f.from, &f.Sel, false)
	}
}

// note tells that the warps of s issued straight code, which began so many rounds before now.
func (c *convoy) note(from, to, ago int32, s *lane.Sel, vetoed bool) {
	since := c.front.steps - uint64(ago)
	for k, w := range s.Warp[:s.N] {
		executed := s.Mask[k]
		if vetoed {
			executed = 0
		}
		c.noteWarp(int(w), from, to, c.table.time[w%lane.MaxWarps]+since, s.Mask[k], executed, vetoed)
	}
}

// noteWarp notes that lanes of warp w issued straight code, which began at a time, and which of them executed the last
// instruction.
func (c *convoy) noteWarp(w int, from, to int32, time uint64, active, executed lane.Mask, vetoed bool) {
	if c.heard>>w&1 == 0 || from == to {
		return
	}
	if c.partly>>w&1 != 0 {
		c.notePartly(w, from, to, time, active, executed, vetoed)
		return
	}
	full := c.notes[w%lane.MaxWarps].add(from, to, time, active, executed, vetoed)
	if full || c.mixes { // then all warps are told in order of time
		c.tell(w)
	}
}

// add adds a stretch. It reports whether there is room for no more.
func (n *notes) add(from, to int32, time uint64, active, executed lane.Mask, vetoed bool) (full bool) {
	s := &n.list[n.count%len(n.list)]
	s.Time, s.From, s.To = time, from, to
	s.Active, s.Executed, s.Vetoed = active, executed, vetoed
	n.count++
	return n.count == len(n.list)
}

// tell tells the recorder what is in the notes of warp w.
func (c *convoy) tell(w int) {
	if n, b := &c.notes[w], c.block(w); n.count > 0 {
		b.recorder.Run(w-b.first, n.list[:n.count])
		n.count = 0
	}
}

// tellAll tells the recorder of b, if there is one, what is in the notes of its warps.
func (c *convoy) tellAll(b *Block) {
	if b.recorder != nil {
		for w := range b.warps {
			c.tell(b.first + w)
		}
	}
}

// noteParting notes that the straight run of the front up to the branch at an index has issued, and which lanes took that, as
// choose found out.
func (c *convoy) noteParting(at int32) {
	if c.heard == 0 {
		return
	}
	f := &c.front
	since := f.steps - uint64(f.at-f.from)
	for k, w := range f.Warp[:f.N] {
		c.noteWarp(int(w), f.from, at+1, c.table.time[w%lane.MaxWarps]+since, f.Mask[k], c.ev.Lanes[k], false)
	}
}

// noteUntaken notes that the straight run of the front up to the branch at an index has issued, which no lane took.
func (c *convoy) noteUntaken(at int32) {
	if c.heard == 0 {
		return
	}
	f := &c.front
	c.count(int(f.from), int(at)+1, &f.Sel)
	since := f.steps - uint64(f.at-f.from)
	for k, w := range f.Warp[:f.N] {
		c.noteWarp(int(w), f.from, at+1, c.table.time[w%lane.MaxWarps]+since, f.Mask[k], 0, false)
	}
	f.from, f.PC = at+1, c.code[at+1].pc
}

// noteSides notes what warps of the front did in a straight run from an index on and in a fork, up to its join. The front stands
// where the fork begins.
func (c *convoy) noteSides(from int32, k *fork) {
	if c.heard == 0 {
		return
	}
	f, order := &c.front, c.forks.Order()
	since := f.steps - uint64(f.at-from)
	for i, m := range f.Mask[:f.N] {
		w, went := int(f.Warp[i]), c.ev.Lanes[i]
		rest, time := m&^went, c.table.time[w%lane.MaxWarps]+since
		side := func(from, to int32, active, executed lane.Mask) {
			c.noteWarp(w, from, to, time, active, executed, false)
			time += uint64(to - from)
		}
		side(from, k.at+1, m, went)
		if rest != 0 && order == branch.TakenLast {
			side(k.at+1, k.other, rest, rest)
		}
		if went != 0 && k.other < k.meet {
			side(k.other, k.meet, went, went)
		}
		if went != 0 && rest != 0 && order == branch.TakenVetoed {
			c.noteWarp(w, k.meet, k.meet+1, time, went, 0, true)
			time++
		}
		if rest != 0 && order != branch.TakenLast {
			side(k.at+1, k.other, rest, rest)
		}
	}
}

// noteBreaks notes the break at an index by the lanes that took the branch to it at which the front stands.
func (c *convoy) noteBreaks(at int32) {
	if c.heard == 0 {
		return
	}
	f := &c.front
	for i, w := range f.Warp[:f.N] {
		if went := c.ev.Lanes[i]; went != 0 {
			c.noteWarp(int(w), at, at+1, c.timeOf(int(w))+1, went, went, false)
		}
	}
}

// notePartly is noteWarp where some instructions are noted to be executed partly: a stretch ends behind each.
func (c *convoy) notePartly(w int, from, to int32, time uint64, active, executed lane.Mask, vetoed bool) {
	c.partly &^= 1 << w
	list, n := c.partials[w], 0
	for n < len(list) && from <= list[n].index && list[n].index < to {
		next := list[n].index + 1
		c.noteWarp(w, from, next, time, active, list[n].executed, false)
		from, time = next, time+uint64(next-from)
		n++
	}
	c.noteWarp(w, from, to, time, active, executed, vetoed)
	if c.partials[w] = append(list[:0], list[n:]...); len(c.partials[w]) > 0 {
		c.partly |= 1 << w
	}
}

// noteVetoed notes an issue of the warps of arriving that are not in executing.
func (c *convoy) noteVetoed(arriving, executing *lane.Sel) {
	if c.heard == 0 || arriving.N == executing.N {
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
	if c.heard == 0 || !u.guarded || u.exec != nil || !u.choosy() {
		return
	}
	f := &c.front
	for k, w := range f.Warp[:f.N] {
		if m := f.Mask[k] & lane.Condition(&c.lead.flags[u.guard.Reg][w], uint8(u.guard.Cond)); m != f.Mask[k] {
			c.lead.notePartial(int(u.at), int(w), m)
		}
	}
}

// notePartial notes that only lanes m of warp w execute the instruction at index i, which is about to be noted.
func (b *Block) notePartial(i, w int, m lane.Mask) {
	c := b.convoy
	w += b.first
	if c.heard>>w&1 == 0 {
		return
	}
	list := c.partials[w]
	if n := len(list) - 1; n >= 0 && int(list[n].index) == i { // it was begun before, for all blocks
		list = list[:n]
	}
	c.partials[w] = append(list, partial{int32(i), m})
	c.partly |= 1 << w
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
		sound := u.exec(b, u, lanes)
		if b.keeps[i] && (sound || u.memory) {
			b.keepValues(i, lanes, accesses)
		}
		if !sound {
			b.locate(u, b.origin+uint64(i))
			return i + 1
		}
	}
	return to
}

// keepValues hands over the values of the instruction at index i, which lanes executed. If it went wrong, the blocks
// before the one that did are past it.
func (b *Block) keepValues(i int, lanes *lane.Sel, accesses bool) {
	for k, w := range lanes.Warp[:lanes.N] {
		h, v := b.home(int(w))
		if b.raised != nil && b.raised.Block == h.Index() {
			return
		}
		if h.recorder == nil || h.fault != nil {
			continue
		}
		var addresses *lane.Row
		if accesses {
			addresses = &b.accessing[w]
		}
		h.recorder.Keep(h, i, v, lanes.Mask[k], addresses)
	}
}
