package schedule

import (
	"math"
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/watch"
)

// recordStep is the number of rounds between calls of Reached, keepStep the number if values are
// kept. The notes of so many rounds fit in a core's cache.
const (
	recordStep = 1 << 10
	keepStep   = 1 << 8
)

// mostNotes is the number of notes of a warp that are told at once.
const mostNotes = 16

// recording holds notes and values that the block's recorder has not been told yet. A warp in its
// turn issues ahead of the others, but the recorder is told of no time after the horizon.
type recording struct {
	recorded  bool                // a recorder wants the issues
	to        watch.BlockRecorder // nil: not recorded
	step      uint64              // rounds between calls of Reached
	flushedTo uint64              // the time that the recorder was told of last
	source    *block
	notes     [lane.MaxWarps]notes
	kept      *machine.Kept
	turn      *engine.Turn // the turn that runs, nil outside RunOn
	states    bool         // the recorder wants the policy's states
	keeping   keeping
}

// keeping holds the states of the policy that the recorder knows.
type keeping struct {
	known   [lane.MaxWarps]*branch.State // by warp; a mixed block has only the first
	news    [lane.MaxWarps]*branch.State // by warp: a state for its next stretch; nil: unchanged
	scratch branch.State
}

// notes are the notes of one warp.
type notes struct {
	list     []watch.Stretch
	told     int       // stretches of list that the recorder knows
	partials []partial // of stretches that are not yet recorded
}

// partial is an instruction that not all active lanes of a warp executed.
type partial struct {
	index    int32
	executed lane.Mask
}

// none is the set of executing lanes of an instruction that no lane executes.
var none [lane.MaxWarps]lane.Mask

// record asks the launch's recorder about the block.
func (b *block) record() {
	b.recorded, b.states, b.to, b.flushedTo = false, false, nil, 0
	b.st.Recorder, b.st.Kept = nil, nil
	if b.g.l.Recorder == nil {
		return
	}
	if b.to = b.g.l.Recorder.Block(b.seen()); b.to == nil {
		return
	}
	b.recorded, b.step, b.source = true, b.g.recordStep, b
	b.st.Recorder = &b.recording
	if b.g.keeps != nil {
		if b.kept == nil {
			b.kept = machine.NewKept(b.p.Program)
		}
		b.kept.Begin(b.g.keeps)
		b.st.Kept = b.kept
	}
	b.states, b.keeping.known, b.keeping.news = b.g.states, keeping{}.known, keeping{}.news
	for w := range b.st.Warps {
		n := &b.notes[w]
		n.list, n.told, n.partials = n.list[:0], 0, n.partials[:0]
	}
}

// takeState takes the policy's state for the next issue of the front.
func (b *block) takeState() {
	k, w := &b.keeping, int(b.front.Warp[0])
	if b.mixes {
		w = 0
	}
	k.scratch = b.policy.State(w, k.scratch[:0])
	known := k.known[w]
	if known == nil || !known.Same(k.scratch) {
		fresh := slices.Clone(k.scratch)
		known = &fresh
	} else if !b.mixes {
		return
	}
	k.known[w] = known
	for _, w := range b.front.Warp[:b.front.N] {
		k.news[w] = known
	}
}

// horizon returns the time that the recorder is told of next.
func (r *recording) horizon() uint64 { return r.flushedTo + r.step }

// reachTo tells the recorder of the issues before a time that the block has reached, or of all
// issues if the block has ended.
func (b *block) reachTo(time uint64) {
	if b.fault != nil {
		return
	}
	if b.done { // issues end with the block
		time = slices.Max(b.Time[:b.st.Warps]) - 1
	}
	for b.horizon() <= time {
		b.flushedTo = b.horizon()
		b.tell(b.flushedTo)
		b.to.Reached(b.flushedTo)
	}
	if b.done {
		b.endRecord()
	}
}

// tell passes on the notes and values before a time.
func (r *recording) tell(time uint64) {
	for w := range r.source.st.Warps {
		r.tellWarp(w, time)
		if r.source.st.Kept == nil {
			continue
		}
		if v := r.kept.Before(w, time); v != nil {
			r.to.Keep(w, v)
			r.kept.Told(w)
		}
	}
}

// tellWarp passes on the notes of warp w before a time.
func (r *recording) tellWarp(w int, time uint64) {
	list := r.notes[w].list[r.notes[w].told:]
	n := 0
	for n < len(list) && list[n].Time < time {
		n++
	}
	if n == 0 {
		return
	}
	last := &list[n-1]
	rest := *last
	rest.State = nil
	if end := last.Time + uint64(last.To-last.From); end > time { // cut the stretch
		last.To -= int32(end - time)
		last.Executed = last.Active
		rest.From, rest.Time = last.To, time
	} else {
		rest.From = rest.To
	}
	r.to.Run(w, list[:n])
	if rest.From < rest.To {
		n--
		list[n] = rest
	}
	r.notes[w].forget(n)
}

// forget drops stretches of which the recorder was told. It moves the rest if that is less.
func (n *notes) forget(stretches int) {
	n.told += stretches
	if 2*n.told >= len(n.list) {
		n.list = append(n.list[:0], n.list[n.told:]...)
		n.told = 0
	}
}

// endRecord tells the recorder that the block ended.
func (b *block) endRecord() {
	if !b.recorded {
		return
	}
	b.tell(math.MaxUint64)
	b.to.End(b.fault)
	b.recorded, b.states, b.to = false, false, nil
}

// note records that the lanes of s issued straight-line code from a time on. The masks executed
// apply to its last instruction.
func (r *recording) note(from, to int32, time uint64, s *lane.Sel, executed *[lane.MaxWarps]lane.Mask, vetoed bool) {
	for k, w := range s.Warp[:s.N] {
		r.noteWarp(int(w), &watch.Stretch{Time: time, From: from, To: to, Active: s.Mask[k], Executed: executed[k], Vetoed: vetoed})
	}
}

// runTurns runs a warp on, and the warps to which the runner goes on, and records what they issue.
func (r *recording) runTurns(on runner, t *engine.Turn) {
	if !r.recorded {
		on.RunOn(t)
		return
	}
	w, s := t.Warp, watch.Stretch{Time: t.Clock, From: t.At, Active: t.Lanes}
	r.turn = t
	on.RunOn(t)
	r.turn = nil
	r.noteTurns(t, w, s)
}

// cut ends the straight code of a recorded turn at t.At. The mask executed applies to its last
// instruction.
func (r *recording) cut(t *engine.Turn, next int32, executed lane.Mask) {
	if r.recorded {
		t.Cuts = append(t.Cuts, engine.Cut{End: t.At, Next: next, Executed: executed})
	}
}

// noteTurns records what warps issued in turns. The first was of warp w, and began as s does.
func (r *recording) noteTurns(t *engine.Turn, w int, s watch.Stretch) {
	for i := range t.Cuts {
		c := &t.Cuts[i]
		switch c.Kind {
		case engine.TurnBegins:
			w, s = int(c.Warp), watch.Stretch{Time: c.Time, From: c.Next, Active: c.Lanes}
			continue
		case engine.Vetoed:
			s.To, s.Executed = c.End-1, s.Active
			r.noteWarp(w, &s)
			s.From, s.Vetoed = s.To, true
		}
		s.To, s.Executed = c.End, c.Executed
		r.noteWarp(w, &s)
		if s.From, s.Vetoed = c.Next, false; c.Lanes != 0 {
			s.Active = c.Lanes
		}
	}
	if t.Warp >= 0 {
		s.To, s.Executed = t.At, s.Active
		r.noteWarp(w, &s)
	}
}

// noteWarp records a stretch of warp w, and cuts it after every instruction that some lanes did not
// execute. Afterwards s is at the end of the stretch.
func (r *recording) noteWarp(w int, s *watch.Stretch) {
	if s.From == s.To {
		return
	}
	n := &r.notes[w%lane.MaxWarps]
	if r.states {
		s.State, r.keeping.news[w] = r.keeping.news[w], nil
	}
	if len(n.partials) > 0 {
		r.notePartials(w, s)
	}
	if s.From < s.To {
		n.add(s)
		s.Time += uint64(s.To - s.From)
		s.From = s.To
	}
	if r.source.mixes || len(n.list) >= mostNotes && s.Time <= r.horizon() {
		r.to.Run(w, n.list[n.told:])
		n.list, n.told = n.list[:0], 0
	}
}

// add adds a stretch field by field: s was written field by field just now, and a processor that
// reads the whole of it waits for all of them.
func (n *notes) add(s *watch.Stretch) {
	if len(n.list) == cap(n.list) {
		n.list = slices.Grow(n.list, 1)
	}
	n.list = n.list[:len(n.list)+1]
	to := &n.list[len(n.list)-1]
	to.Time, to.From, to.To = s.Time, s.From, s.To
	to.Active, to.Executed, to.Vetoed, to.State = s.Active, s.Executed, s.Vetoed, s.State
}

// notePartials records the part of s up to the last instruction that some lanes did not execute.
func (r *recording) notePartials(w int, s *watch.Stretch) {
	n := &r.notes[w%lane.MaxWarps]
	k := 0
	for ; k < len(n.partials) && s.From <= n.partials[k].index && n.partials[k].index < s.To; k++ {
		part := *s
		part.To, part.Executed, part.Vetoed = n.partials[k].index+1, n.partials[k].executed, false
		n.list = append(n.list, part)
		s.Time += uint64(part.To - s.From)
		s.From, s.State = part.To, nil
	}
	n.partials = slices.Delete(n.partials, 0, k)
}

// Partial records that only the lanes of g, of the lanes of s, execute the instruction at an
// index. It belongs to the turn that runs, or else to the next stretch.
func (r *recording) Partial(index int, s, g *lane.Sel) {
	if t := r.turn; t != nil {
		c := engine.Cut{End: int32(index) + 1, Next: int32(index) + 1}
		if g.N > 0 {
			c.Executed = g.Mask[0]
		}
		if c.Executed != s.Mask[0] {
			t.Cuts = append(t.Cuts, c)
		}
		return
	}
	k := 0
	for j, w := range s.Warp[:s.N] {
		m := lane.Mask(0)
		if k < g.N && g.Warp[k] == w {
			m = g.Mask[k]
			k++
		}
		if m != s.Mask[j] {
			n := &r.notes[w]
			n.partials = append(n.partials, partial{int32(index), m})
		}
	}
}
