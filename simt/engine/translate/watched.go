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

// Code that is watched leaves where a hook wants to know of an instruction, and goes on behind. For a
// recorder it writes lists of cuts and of values. What nobody wants to know costs a test of a byte.

// What listeners want to know of an instruction: bits of the engine's list.
const (
	wantsBefore = 1 << iota // what it accesses, before it does
	wantsAfter              // what it leaves in registers, and its addresses
	wantsSlow               // the interpreter executes it then, and tells by itself
)

// mostCuts is how many cuts code notes before it leaves at a control instruction.
const mostCuts = 256

// otherCuts is how many cuts a fork, or the change to another warp, takes besides those of
// instructions.
const otherCuts = 3

// watching is an engine's view of those who watch.
type watching struct {
	wants   []uint8            // by instruction
	launch  uint64             // for which wants holds
	hook    machine.AccessHook // for which wants holds
	keeps   *bool              // the first of Kept.Wants for which wants holds
	record  bool               // with a recorder
	at      int32              // the instruction of which the hook has been told, or -1
	row     lane.Row           // addresses of the access of which the hook is told
	operand lane.Row           // addresses of an operand of which the hook is told
	sel     lane.Sel
	words   mem.Data
	half    lane.Row
	cuts    []engine.Cut // room for mostCuts, and for those of straight code
	writes  int          // the warp that writes values
	room    int          // words of the values up to the next control instruction
}

// watched reports whether somebody watches.
func (e *Engine) watched() bool { return e.st.Hook != nil || e.st.Recorder != nil }

// watch prepares the frame for those who watch.
func (e *Engine) watch() {
	st, w := e.st, &e.watching
	var keeps *bool
	if st.Kept != nil {
		keeps = unsafe.SliceData(st.Kept.Wants)
	}
	w.at = -1
	if w.wants == nil || st.Launch != w.launch || st.Hook != w.hook || keeps != w.keeps || w.record != (st.Recorder != nil) {
		w.launch, w.hook, w.keeps, w.record = st.Launch, st.Hook, keeps, st.Recorder != nil
		w.wants = make([]uint8, len(e.code.p.Code))
		for i := range w.wants {
			w.wants[i] = e.wantsOf(&e.code.p.Code[i])
		}
		w.room = e.mostValues()
	}
	if w.cuts == nil && w.record {
		w.cuts = make([]engine.Cut, mostCuts+len(e.code.p.Code)+otherCuts)
	}
	e.f.watch, e.f.cut, e.f.mostCut, e.f.kept, e.f.mostKept = address(w.wants), 0, 1, 0, 1
	w.writes = int(e.f.warp)
	e.makeRoom()
	if w.record {
		e.f.cut = address(w.cuts)
		e.f.mostCut = e.f.cut + mostCuts*unsafe.Sizeof(engine.Cut{})
	}
}

// mostValues returns the most words of values that code writes between two looks at the room for
// them: in straight code, on both sides of a fork, and behind it.
func (e *Engine) mostValues() int {
	if e.st.Kept == nil {
		return 0
	}
	most, run := 0, 0
	for i := range e.code.p.Instructions() {
		if run += e.st.Kept.Most(i); e.code.p.Code[i].Control {
			most, run = max(most, run), 0
		}
	}
	return 4 * max(most, run)
}

// makeRoom makes room for values.
func (e *Engine) makeRoom() {
	if k := e.st.Kept; k != nil {
		e.f.kept, e.f.mostKept = k.Room(e.watching.room)
		e.f.mostKept -= uintptr(4 * e.watching.room)
		e.f.mostKept++ // the room that there is now suffices
	}
}

// takeCuts returns the cuts that code noted, valid until code runs again, and takes the values that
// it wrote.
func (e *Engine) takeCuts() []engine.Cut {
	w := &e.watching
	if e.f.cut == 0 {
		return nil
	}
	first := address(w.cuts)
	cuts := w.cuts[:(e.f.cut-first)/unsafe.Sizeof(engine.Cut{})]
	e.f.cut = first
	if k := e.st.Kept; k != nil {
		for i := range cuts {
			if c := &cuts[i]; c.Kind == engine.TurnBegins {
				k.Wrote(w.writes, uintptr(c.Kept))
				w.writes = int(c.Warp)
			}
		}
		k.Wrote(w.writes, e.f.kept)
		e.makeRoom()
	}
	return cuts
}

func (e *Engine) wantsOf(u *program.Op) (wants uint8) {
	if e.st.Hook != nil && e.st.Hook.Wants(u) {
		wants |= wantsBefore
	}
	if e.st.Kept != nil && e.st.Kept.Wants[u.At] {
		wants |= wantsAfter
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
	e.watching.at = at
	if lanes == 0 {
		return true
	}
	e.tellHook(u, w, lanes)
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
			at := &e.watching.operand
			for l, a := range st.Address(x.At.Base).At(w) {
				at[l] = (a + x.At.Offset) & 0xffff
			}
			st.Hook.Load(st, u, x.Mode.Space(), w, at, m, mem.Size(x.Type))
		}
	}
	switch {
	case u.Ins.Op.ReadsTexels():
		st.Hook.Fetch(st, u, w, m)
	case !u.Accesses():
	case u.Ins.Op.HandsOver(1):
		st.Hook.Store(st, u, w, e.dataOf(u, w), st.AddressesOf(u, w, &e.watching.row), m, mem.Size(u.Ins.Type))
	default:
		st.Hook.Load(st, u, u.Space, w, st.AddressesOf(u, w, &e.watching.row), m, mem.Size(u.Ins.Type))
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
