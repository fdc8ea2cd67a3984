package schedule

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/watch"
)

// recordStep is the number of rounds that a recorded block runs between calls of Reached, keepStep
// the number if values are kept: the notes of so many rounds fit in a core's cache.
const (
	recordStep = 1 << 10
	keepStep   = 1 << 8
)

// recording is the notes of a convoy that recorders have not been told yet.
type recording struct {
	recorded  branch.WarpSet         // warps whose issues recorders want
	flushedTo uint64                 // the time up to which recorders were told
	mixes     bool                   // the policy mixes warps: recorders are told in order of time
	time      *[lane.MaxWarps]uint64 // of the table
	notes     [lane.MaxWarps]notes
}

// notes are those of one warp.
type notes struct {
	to       watch.BlockRecorder
	warp     int // in the block
	list     [16]watch.Stretch
	count    int
	partials []partial // in the next stretches to be noted
}

// partial is an instruction that not all active lanes of a warp executed.
type partial struct {
	index    int32
	executed lane.Mask
}

// none is the set of executing lanes of an instruction that no lane executes.
var none [lane.MaxWarps]lane.Mask

// record asks the launch's recorder about the blocks of the convoy.
func (c *convoy) record() {
	c.reach, c.recorded, c.flushedTo = 0, 0, 0
	c.st.Recorder, c.st.Keeps = nil, nil
	if c.g.l.Recorder == nil {
		return
	}
	for _, b := range c.blocks {
		b.record = c.g.l.Recorder.Block(b.seen())
		if b.record != nil {
			c.recorded |= b.set
			c.st.Recorder, c.st.Keeps = &c.issuer, c.g.keeps
		}
		for w := range b.own.Warps {
			n := &c.notes[b.own.First+w]
			n.to, n.warp, n.count, n.partials = b.record, w, 0, n.partials[:0]
		}
	}
}

// reached tells the recorders that the blocks of the convoy reached a time.
func (c *convoy) reached(time uint64) {
	c.flushedTo = time
	for _, b := range c.blocks {
		switch {
		case b.record == nil:
		case b.done && b.fault == nil:
			b.endRecord()
		default:
			c.tell(b)
			if b.fault == nil {
				b.record.Reached(time)
			}
		}
	}
}

// tell passes the notes of b's warps to its recorder.
func (r *recording) tell(b *block) {
	for w := range b.own.Warps {
		r.notes[b.own.First+w].tell()
	}
}

// endRecord tells the recorder that the block ended.
func (b *block) endRecord() {
	if b.record == nil {
		return
	}
	f := b.fault
	if f != nil && f.Kind == machine.FaultBarrier { // everything that was told happened
		f = nil
	}
	b.c.tell(b)
	b.c.recorded &^= b.set
	b.record.End(f)
	b.record = nil
}

func (n *notes) tell() {
	if n.count > 0 {
		n.to.Run(n.warp, n.list[:n.count])
		n.count = 0
	}
}

// note notes that the warps of s issued straight code, which began since rounds after they came to
// the front. Only the lanes of executed executed the last instruction.
func (r *recording) note(from, to int32, since uint64, s *lane.Sel, executed *[lane.MaxWarps]lane.Mask, vetoed bool) {
	for k, w := range s.Warp[:s.N] {
		time := r.time[w%lane.MaxWarps] + since
		r.noteWarp(int(w), watch.Stretch{Time: time, From: from, To: to, Active: s.Mask[k], Executed: executed[k], Vetoed: vetoed})
	}
}

// noteWarp notes a stretch of warp w. It cuts the stretch after every instruction that some lanes
// did not execute.
func (r *recording) noteWarp(w int, s watch.Stretch) {
	if r.recorded>>w&1 == 0 || s.From == s.To {
		return
	}
	n := &r.notes[w%lane.MaxWarps]
	k := 0
	for ; k < len(n.partials) && s.From <= n.partials[k].index && n.partials[k].index < s.To; k++ {
		part := s
		part.To, part.Executed, part.Vetoed = n.partials[k].index+1, n.partials[k].executed, false
		n.add(part, r.mixes)
		s.Time += uint64(part.To - s.From)
		s.From = part.To
	}
	n.partials = slices.Delete(n.partials, 0, k)
	if s.From < s.To {
		n.add(s, r.mixes)
	}
}

// add notes a stretch, and tells all if no room is left, or if atOnce.
func (n *notes) add(s watch.Stretch, atOnce bool) {
	n.list[n.count%len(n.list)] = s
	n.count++
	if n.count == len(n.list) || atOnce {
		n.tell()
	}
}

// noteUntaken notes the front's straight run up to the branch at an index, which no lane took.
func (x *issuer) noteUntaken(at int32) {
	if x.recorded != 0 {
		x.issued(at+1, &none)
		x.front.from, x.front.PC = at+1, x.code[at+1].PC
	}
}

// noteSides notes the front's warps in a straight run from an index on and in a fork, up to its
// join; taken are the lanes that took its branch. The front is at the fork's start.
func (r *recording) noteSides(f *front, from int32, k *program.Fork, taken *[lane.MaxWarps]lane.Mask, order branch.ForkOrder) {
	since := f.steps - uint64(f.at-from)
	for i, m := range f.Mask[:f.N] {
		w, went := int(f.Warp[i]), taken[i]
		rest, time := m&^went, r.time[w%lane.MaxWarps]+since
		side := func(from, to int32, active, executed lane.Mask, vetoed bool) {
			if active != 0 {
				r.noteWarp(w, watch.Stretch{Time: time, From: from, To: to, Active: active, Executed: executed, Vetoed: vetoed})
				time += uint64(to - from)
			}
		}
		side(from, k.At+1, m, went, false)
		if order == branch.TakenLast {
			side(k.At+1, k.Other, rest, rest, false)
		}
		side(k.Other, k.Meet, went, went, false)
		if rest != 0 && order == branch.TakenVetoed {
			side(k.Meet, k.Meet+1, went, 0, true)
		}
		if order != branch.TakenLast {
			side(k.At+1, k.Other, rest, rest, false)
		}
	}
}

// noteChoice notes the lanes of the front that execute control instruction u, unless it acts.
func (x *issuer) noteChoice(u *program.Op) {
	if x.recorded == 0 || !u.Guarded || u.Acts || !u.HeedsGuard() {
		return
	}
	f := &x.front
	for k, w := range f.Warp[:f.N] {
		m := f.Mask[k] & lane.Condition(&x.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
		x.notePartial(int(u.At), int(w), f.Mask[k], m)
	}
}

// Partial notes that only the lanes of g, among those of s, execute the instruction at an index.
func (r *recording) Partial(index int, s, g *lane.Sel) {
	k := 0
	for j, w := range s.Warp[:s.N] {
		m := lane.Mask(0)
		if k < g.N && g.Warp[k] == w {
			m = g.Mask[k]
			k++
		}
		r.notePartial(index, int(w), s.Mask[j], m)
	}
}

// notePartial notes that only the lanes of m, among the active lanes of warp w, execute the
// instruction at an index, which is noted next.
func (r *recording) notePartial(index, w int, active, m lane.Mask) {
	if m == active || r.recorded>>w&1 == 0 {
		return
	}
	n := &r.notes[w]
	// The instruction was begun before, for all blocks.
	if last := len(n.partials) - 1; last >= 0 && int(n.partials[last].index) == index {
		n.partials = n.partials[:last]
	}
	n.partials = append(n.partials, partial{int32(index), m})
}

// Keep passes on the values of the instruction at an index after the executed lanes. If a warp
// faulted, the blocks before its own are past the instruction.
func (x *issuer) Keep(index int, executed *lane.Sel, addresses []lane.Row) {
	for k, w := range executed.Warp[:executed.N] {
		b := x.block(int(w))
		if x.st.Raised != nil && b == x.block(x.st.RaisedBy) {
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
