package debug

import (
	"math"
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/watch"
)

// blockWatch watches one block.
type blockWatch struct {
	r      *run
	view   *watch.Block
	st     *machine.State // once it has issued
	number int

	at      Position // of the last issue
	issuing bool     // it has not ended

	version uint64
	look    bool          // every issue must be looked at,
	from    uint64        // from this time on
	hears   []bool        // by instruction: it may touch what is watched; nil: nothing is
	marks   []bool        // by instruction: a breakpoint may be there
	last    [16]int32     // by warp: the last instruction; -1: none
	masks   [16]uint32    // by warp: the lanes that issued it
	watches []*breakpoint // that look at accesses, or at registers
}

// Block implements simt.Observer. It is called again and again while the block is not watched.
func (r *run) Block(b *watch.Block) watch.BlockObserver {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	r.standStill()
	if r.left || !r.wants(b.Number(), b.Time()) {
		return nil
	}
	o := &blockWatch{r: r, view: b, number: b.Number()}
	for w := range o.last {
		o.last[w] = -1
	}
	r.blocks[o.number] = o
	return o
}

// standStill waits while the launch is stopped: other workers have blocks too. The caller holds the
// lock.
func (r *run) standStill() {
	for r.s.waiting && r.s.run == r && !r.s.off.Load() {
		r.s.changed.Wait()
	}
}

// wants reports whether something can stop in a block that is at a time.
func (r *run) wants(number int, time uint64) bool {
	s := r.s
	if s.off.Load() {
		return false
	}
	time += uint64(r.code.p.Instructions()) // straight code is never cut
	if s.pausing || r.hit != nil || r.trip.wants(number, time) || r.steps.wants(number) || r.edited(number) || r.entersIn(number) {
		return true
	}
	if r.trip.on && r.trip.scan == nil { // nothing else stops on the way
		return false
	}
	for _, b := range s.breakpoints {
		if b.mayHit(number) {
			return true
		}
	}
	return false
}

// entersIn reports whether a trip must see a block, because the launch was stopped there where the
// kernel begins.
func (r *run) entersIn(number int) bool {
	return r.trip.on && r.entered != nil && r.entered.Block == number
}

// Leaves implements watch.BlockDebugger.
func (o *blockWatch) Leaves() bool {
	s := o.r.s
	if s.version.Load() == o.version {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o.r.standStill()
	if !o.r.left && o.r.wants(o.number, math.MaxInt64) {
		return false
	}
	delete(o.r.blocks, o.number)
	return true
}

// refresh takes over what has changed since the last issue.
func (o *blockWatch) refresh() {
	r := o.r
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	r.standStill()
	o.version = s.version.Load()
	o.look = s.pausing || r.hit != nil || r.trip.wants(o.number, math.MaxInt64) || r.steps.wants(o.number) || r.edited(o.number)
	o.from = 0
	if o.look && !s.pausing && r.hit == nil && !r.edited(o.number) {
		o.from = r.trip.from()
	}
	o.marks = make([]bool, len(r.code.lines))
	o.watches = o.watches[:0]
	for _, b := range s.breakpoints {
		if !b.mayHit(o.number) {
			continue
		}
		for _, i := range b.at {
			o.marks[i] = true
		}
		if b.Watch != nil {
			o.watches = append(o.watches, b)
		}
	}
	o.hears = nil
	for _, b := range o.watches {
		o.hear(b.Watch)
	}
	if t := &r.trip; t.on && t.scan != nil && t.scan.write != nil {
		o.hear(t.scan.write)
	}
}

// hear marks the instructions that may touch what w watches.
func (o *blockWatch) hear(w *Watch) {
	if o.hears == nil {
		o.hears = make([]bool, len(o.r.code.lines))
	}
	for i := range o.r.code.p.Instructions() {
		o.hears[i] = o.hears[i] || o.r.code.mayTouch(w, i)
	}
}

// Before implements watch.BlockDebugger.
func (o *blockWatch) Before(i *watch.Issue, st *machine.State) {
	if i.Active.N == 0 || i.Active.Mask[0] == 0 {
		return
	}
	o.st = st
	o.at, o.issuing = Position{o.number, int(i.Active.Warp[0]), i.Time}, true
	if o.version != o.r.s.version.Load() {
		o.refresh()
	}
	index := o.r.code.index(i.PC)
	if o.look && i.Time >= o.from || o.marks[index] {
		o.consider(i, index)
	}
	for k := range i.Active.N {
		w := i.Active.Warp[k]
		o.last[w], o.masks[w] = int32(index), uint32(i.Active.Mask[k])
	}
}

// consider stops before an issue if there is a reason.
func (o *blockWatch) consider(i *watch.Issue, index int) {
	r := o.r
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.standStill()
	if r.left {
		return
	}
	h := &here{blockWatch: o, index: index, pos: Position{Block: o.number, Warp: int(i.Active.Warp[0]), Time: i.Time}}
	for k := range i.Active.N {
		w := i.Active.Warp[k]
		h.sel[w] = uint32(i.Active.Mask[k])
		h.exec[w] = h.sel[w]
		if u := &r.code.p.Code[index]; u.Guarded && !u.Control && u.HeedsGuard() {
			h.exec[w] &= uint32(lane.Condition(&o.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond)))
		}
	}
	r.moment = h
	defer func() { r.moment = nil }()
	r.apply(h)
	if r.trip.on {
		r.travel(h)
		return
	}
	for { // a log may come before another reason
		stop := r.reason(h)
		if stop == nil {
			return
		}
		r.stopAt(h, stop)
		if r.s.off.Load() || stop.Reason != ReasonLog {
			return
		}
	}
}

// reason returns the reason to stop at a place, nil if there is none.
func (r *run) reason(h *here) *Stop {
	if hit := r.hit; hit != nil {
		r.hit = nil
		return &Stop{Reason: ReasonWatch, Breakpoints: hit.ids, Focus: hit.focus, Text: hit.text}
	}
	if r.s.pausing {
		return &Stop{Reason: ReasonPause, Focus: h.first()}
	}
	if stop := r.breaks(h, true); stop != nil {
		return stop
	}
	if r.steps.ends(r, h) {
		focus := h.first()
		if f := r.steps.focus; f.Block == h.number && f.Warp == focus.Warp && h.sel[f.Warp]>>f.Lane&1 != 0 {
			focus = f
		}
		r.steps = stepping{}
		return &Stop{Reason: ReasonStep, Focus: focus}
	}
	return nil
}

// first returns the first lane that executes the next instruction, or that issues it.
func (h *here) first() Focus {
	w := h.pos.Warp
	if h.exec[w] != 0 {
		return Focus{Block: h.number, Warp: w, Lane: bits.TrailingZeros32(h.exec[w])}
	}
	return Focus{Block: h.number, Warp: w, Lane: bits.TrailingZeros32(h.sel[w])}
}

// Issue implements simt.BlockObserver.
func (o *blockWatch) Issue(i *watch.Issue) {
	o.issuing = false
	if o.r.arisen != nil {
		stopAtFindings(o.r, o)
	}
	if o.st != nil && o.version != o.r.s.version.Load() { // the user has changed something before it
		o.refresh()
	}
	if o.hears != nil && o.hears[o.r.code.index(i.PC)] {
		o.accessed(i)
	}
}

// End implements simt.BlockObserver. A block that waits for ever, or a watchpoint that its last
// instruction hit, stops here.
func (o *blockWatch) End() {
	r := o.r
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.standStill()
	defer delete(r.blocks, o.number)
	if r.arisen != nil && !r.left && !r.trip.on { // the issue faulted
		goToFindings(r, o)
	}
	if r.s.off.Load() || o.st == nil || r.left {
		return
	}
	r.steps.blockEnds(o.number)
	r.s.version.Add(1)
	switch t := &r.trip; {
	case t.on && t.scan == nil && t.to.Block == o.number:
		stop := *t.stop
		h := &here{blockWatch: o, index: int(max(o.last[t.to.Warp], 0)), pos: t.to}
		if stop.Reason == ReasonFault {
			h.index = r.code.index(r.fault.PC)
		}
		stop.Focus = Focus{Block: o.number, Warp: t.to.Warp, Lane: t.lane}
		t.on = false
		r.stopAt(h, &stop)
	case t.on && t.scan != nil && t.until.Block == o.number && t.atEnd:
		r.turnBack()
	case !t.on && r.hit != nil && r.hit.focus.Block == o.number:
		hit := r.hit
		r.hit = nil
		w := hit.focus.Warp
		h := &here{blockWatch: o, index: int(max(o.last[w], 0)), pos: Position{Block: o.number, Warp: w, Time: ^uint64(0)}}
		r.stopAt(h, &Stop{Reason: ReasonWatch, Breakpoints: hit.ids, Focus: hit.focus, Text: hit.text})
	}
}
