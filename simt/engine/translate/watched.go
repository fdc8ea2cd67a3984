package translate

import (
	"unsafe"

	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Code that is watched leaves where a hook or a recorder wants to know of an instruction, and goes on
// behind. What nobody wants to know costs a test of a byte.

// What listeners want to know of an instruction: bits of the engine's list.
const (
	wantsBefore = 1 << iota // what it accesses, before it does
	wantsAfter              // what it leaves in registers
	wantsHook               // it is the hook that wants to know what it accesses
	wantsSlow               // the interpreter executes it then, and tells by itself
)

// mostCuts is how many cuts code notes before it leaves at a control instruction.
const mostCuts = 256

// otherCuts is how many cuts a fork, or the change to another warp, takes besides those of
// instructions.
const otherCuts = 3

// watching is an engine's view of those who watch.
type watching struct {
	wants  []uint8            // by instruction
	launch uint64             // for which wants holds
	hook   machine.AccessHook // for which wants holds
	keeps  *bool              // the first of Keeps for which wants holds
	record bool               // with a recorder
	at     int32              // the instruction of which the hook has been told, or -1
	row    lane.Row           // addresses of the access of which the recorder will be told
	sel    lane.Sel
	one    [lane.MaxWarps]lane.Row // a list of rows with that of one warp
	words  mem.Data
	half   lane.Row
	cuts   []engine.Cut // room for mostCuts, and for those of straight code
}

// watched reports whether somebody watches.
func (e *Engine) watched() bool { return e.st.Hook != nil || e.st.Recorder != nil }

// watch prepares the frame for those who watch.
func (e *Engine) watch() {
	st, w := e.st, &e.watching
	keeps := unsafe.SliceData(st.Keeps)
	w.at = -1
	if w.wants == nil || st.Launch != w.launch || st.Hook != w.hook || keeps != w.keeps || w.record != (st.Recorder != nil) {
		w.launch, w.hook, w.keeps, w.record = st.Launch, st.Hook, keeps, st.Recorder != nil
		w.wants = make([]uint8, len(e.code.p.Code))
		for i := range w.wants {
			w.wants[i] = e.wantsOf(&e.code.p.Code[i])
		}
	}
	if w.cuts == nil && w.record {
		w.cuts = make([]engine.Cut, mostCuts+len(e.code.p.Code)+otherCuts)
	}
	e.f.watch, e.f.cut, e.f.mostCut, e.f.keeps = address(w.wants), 0, 1, 0
	if st.Keeps != nil {
		e.f.keeps = 1
	}
	if w.record {
		e.f.cut = address(w.cuts)
		e.f.mostCut = e.f.cut + mostCuts*unsafe.Sizeof(engine.Cut{})
	}
}

// takeCuts returns the cuts that code noted, valid until code runs again.
func (e *Engine) takeCuts() []engine.Cut {
	if e.f.cut == 0 {
		return nil
	}
	first := address(e.watching.cuts)
	n := (e.f.cut - first) / unsafe.Sizeof(engine.Cut{})
	e.f.cut = first
	return e.watching.cuts[:n]
}

func (e *Engine) wantsOf(u *program.Op) (wants uint8) {
	if e.st.Hook != nil && e.st.Hook.Wants(u) {
		wants |= wantsBefore | wantsHook
	}
	if e.st.Keeps != nil && e.st.Keeps[u.At] {
		wants |= wantsAfter
		if u.Accesses() {
			wants |= wantsBefore
		}
	}
	if u.Steps() || u.Ins.Op == tesla.OpVote || u.Ins.Idle != 0 || u.Ins.Mods&(tesla.Lock|tesla.Unlock) != 0 || translations[u.Ins.Op] == nil {
		wants |= wantsSlow
	}
	return wants
}

// tellBefore tells the hook what the instruction at an index will access. It reports false if the
// interpreter has to execute the instruction, which tells by itself: of accesses that are no loads
// and stores of their own, or not by all lanes.
func (e *Engine) tellBefore(w int, lanes lane.Mask, at int32) bool {
	u := &e.code.p.Code[at]
	if e.watching.wants[at]&wantsSlow != 0 {
		return false
	}
	if u.Guarded {
		lanes &= lane.Condition(&e.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
	}
	if u.Accesses() {
		e.watching.row = e.st.AddressesOf(u, w)
	}
	e.watching.at = at
	if lanes != 0 && e.watching.wants[at]&wantsHook != 0 {
		e.tellHook(u, w, lanes)
	}
	return true
}

// tellHook tells the hook of an instruction that lanes of warp w execute.
func (e *Engine) tellHook(u *program.Op, w int, m lane.Mask) {
	st := e.st
	for i := range u.Src {
		switch x := &u.Src[i]; x.Mode {
		case program.SrcShared:
			st.Hook.LoadWord(st, u, e.onlyLanes(w, m), x.Offset, mem.Size(x.Type))
		case program.SrcSharedAt, program.SrcConstAt:
			addr := *st.Address(x.At.Base).At(w)
			for l := range addr {
				addr[l] = (addr[l] + x.At.Offset) & 0xffff
			}
			st.Hook.Load(st, u, x.Mode.Space(), w, &addr, m, mem.Size(x.Type))
		}
	}
	switch {
	case u.Ins.Op.ReadsTexels():
		st.Hook.Fetch(st, u, w, m)
	case !u.Accesses():
	case u.Ins.Op.HandsOver(1):
		st.Hook.Store(st, u, w, e.dataOf(u, w), &e.watching.row, m, mem.Size(u.Ins.Type))
	default:
		st.Hook.Load(st, u, u.Space, w, &e.watching.row, m, mem.Size(u.Ins.Type))
	}
}

// dataOf returns the registers with the data of a store.
func (e *Engine) dataOf(u *program.Op, w int) *mem.Data {
	o, d := &u.Ins.Src[1], &e.watching.words
	if o.Kind == tesla.Half {
		for l, v := range e.st.Register(int32(o.Index) / 2).At(w) {
			e.watching.half[l] = v >> (16 * uint(o.Index%2)) & 0xffff
		}
		*d = mem.Data{&e.watching.half}
		return d
	}
	for i := range d {
		d[i] = nil
		if i < max(1, mem.Size(u.Ins.Type)/4) {
			d[i] = e.st.Register(int32(o.Index) + int32(i)).At(w)
		}
	}
	return d
}

// onlyLanes returns lanes of a warp as a selection, until the next call.
func (e *Engine) onlyLanes(w int, m lane.Mask) *lane.Sel {
	s := &e.watching.sel
	s.N, s.Full = 0, true
	s.Add(w, m)
	return s
}

// tellAfter tells the recorder what the instruction at an index left, which issued at a time.
func (e *Engine) tellAfter(w int, lanes lane.Mask, at int32, time uint64) {
	u := &e.code.p.Code[at]
	if u.Guarded {
		lanes = lane.Mask(e.f.guard)
	}
	if lanes == 0 {
		return
	}
	var addresses []lane.Row
	if u.Accesses() {
		e.watching.one[w] = e.watching.row
		addresses = e.watching.one[:]
	}
	e.st.Clock = time - uint64(at)
	e.st.Recorder.Keep(int(at), e.onlyLanes(w, lanes), addresses)
}

// tellCuts tells of the cuts up to now.
func (e *Engine) tellCuts(t *engine.Turn) {
	if t == &e.one { // Run
		e.tellPartials(t.Warp, t.Lanes)
	} else {
		t.Cuts = append(t.Cuts, e.takeCuts()...)
	}
}

// tellPartials tells the recorder of the instructions that some lanes executed.
func (e *Engine) tellPartials(w int, lanes lane.Mask) {
	for _, c := range e.takeCuts() {
		s, g := lane.Sel{Full: true}, lane.Sel{Full: true}
		s.Add(w, lanes)
		if c.Executed != 0 {
			g.Add(w, c.Executed)
		}
		e.st.Recorder.Partial(int(c.End)-1, &s, &g)
	}
}

// runStraight executes the straight code [from, to) for lanes of one warp. It reports false, and does
// nothing, if the code cannot stop at to, or is cold.
func (e *Engine) runStraight(s *lane.Sel, from, to int) (next int, ok bool) {
	u := &e.code.p.Code[from]
	t := &e.one
	*t = engine.Turn{Warp: int(s.Warp[0]), Lanes: s.Mask[0], At: int32(from), Stop: -1, Tells: e.code.always, Clock: e.st.Clock + uint64(from)}
	switch {
	case to == int(u.End):
	case to == int(u.Shown):
		t.Heeds = true
	case e.code.stops[to]:
		t.Stop = int32(to)
	default:
		return 0, false
	}
	img := e.begin(t)
	if img == nil {
		e.code.warm(e.variantOf(t), uint64(to-from))
		return 0, false
	}
	if t.Stop >= 0 && img.entries[t.Stop] == 0 {
		return 0, false
	}
	next = int(e.execute(t, img))
	e.tellCuts(t)
	return next, true
}
