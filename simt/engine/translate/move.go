package translate

import (
	"unsafe"

	"jacquard/simt/engine"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
)

// The registers of routines in which lanes part and meet: the lanes that go on, the instruction
// that they leave, and the instruction that they reach.
const (
	regGoing = x86.RAX
	regFrom  = x86.RCX
	regTo    = x86.RDX
	regDoors = x86.R9  // offset in the image of the entries to use
	regKind  = x86.R10 // of the move
)

// emitMoves emits the routines in which lanes part and meet. Rows are in memory. The code leaves if
// lists are full, or if it has no code for the number of lanes.
func (e *emitter) emitMoves() {
	if e.stops {
		return
	}
	over := e.a.NewLabel()
	e.emitPart(over)
	e.emitMeet(over)
	e.emitBreak(over)
	e.emitOver(over)
}

// noteable leaves before the instruction in regFrom if the list of moves is full.
func (e *emitter) noteable() {
	e.a.Cmp(32, frMoved, x86.Imm(mostMoves*moveBytes))
	e.a.Jcc(x86.AE, e.noting)
}

// emitPart emits the routine for lanes that part at a branch.
func (e *emitter) emitPart(over x86.Label) {
	depth, others, n := x86.R8, x86.R11, x86.R9
	e.a.Bind(e.parting)
	e.noteable()
	e.a.Mov(32, x86.R(depth), frDepth)
	e.a.Cmp(32, x86.R(depth), frMostDepth)
	e.a.Jcc(x86.AE, e.outside)
	e.a.Cmp(64, e.imageFor(false), x86.Imm(0))
	e.a.Jcc(x86.E, e.outside)
	e.a.Mov(32, x86.R(others), x86.R(regMask))
	e.a.Xor(32, x86.R(others), x86.R(regGoing))
	e.ready(others, n)
	e.ready(regGoing, n)
	e.a.Mov(32, frTokens.Index(depth, 8), x86.R(regFrom))
	e.a.Mov(32, frTokens.Disp(4).Index(depth, 8), x86.Imm(toOther))
	e.a.Mov(32, frHeld.Index(depth, 8), x86.R(others))
	e.deepen(depth)
	listener{e}.noteMove(n, x86.R(regGoing), x86.R(regGoing), engine.Straight)
	e.a.Inc(64, x86.R(regSteps))
	e.a.Dec(64, x86.At(regIssues, 8).Index(regFrom, 8))
	e.a.Mov(32, x86.R(regDoors), x86.Imm(int64(unsafe.Offsetof(image{}.entries))))
	e.a.Mov(32, x86.R(regKind), x86.Imm(int64(engine.Parted)))
	e.a.Jmp(over)
}

// emitMeet emits the routine for lanes at a join if other lanes of the innermost region, whose
// place is in RAX, remain. Lanes that wait on the other side of a branch go on there; without such
// lanes, all lanes of the region go on after the join.
func (e *emitter) emitMeet(over x86.Label) {
	top, region := x86.RAX, x86.R8
	met, below := e.a.NewLabel(), e.a.NewLabel()
	e.a.Bind(e.meeting)
	e.noteable()
	e.a.Cmp(32, frTokens.Disp(4).Index(top, 8), x86.Imm(toJoin))
	e.a.Jcc(x86.E, met)
	e.a.Mov(32, x86.R(region), x86.R(top))
	e.a.Cmp(32, frTokens.Disp(4).Index(top, 8), x86.Imm(toOther))
	e.a.Jcc(x86.NE, e.outside)
	e.a.Bind(below)
	e.a.Sub(32, x86.R(region), x86.Imm(1))
	e.a.Jcc(x86.B, e.outside)
	e.a.Cmp(32, frTokens.Disp(4).Index(region, 8), x86.Imm(toOther))
	e.a.Jcc(x86.E, below)
	e.a.Cmp(32, frTokens.Disp(4).Index(region, 8), x86.Imm(toJoin))
	e.a.Jcc(x86.NE, e.outside)
	e.wait(frHeld.Disp(4).Index(region, 8), regMask, engine.Waited)
	e.a.Mov(32, frDepth, x86.R(top))
	e.a.Inc(64, x86.R(regSteps))
	e.a.Dec(64, x86.At(regIssues, 8).Index(regFrom, 8))
	e.a.Mov(32, x86.R(regTo), frTokens.Index(top, 8))
	e.a.Inc(32, x86.R(regTo))
	e.a.Mov(32, x86.R(regGoing), frHeld.Index(top, 8))
	listener{e}.noteMove(regDoors, x86.Imm(0), x86.R(regGoing), engine.Vetoed)
	e.a.Mov(32, x86.R(regDoors), x86.Imm(int64(unsafe.Offsetof(image{}.entries))))
	e.a.Jmp(over)

	e.a.Bind(met) // except lanes that broke
	waits, lanes := x86.R11, x86.R10
	none := e.a.NewLabel()
	e.a.Mov(32, x86.R(lanes), frHeld.Index(top, 8))
	e.a.Mov(32, x86.R(waits), frHeld.Disp(4).Index(top, 8))
	e.a.Mov(32, x86.R(region), x86.R(top))
	e.findBreak(region, none)
	e.a.Mov(32, x86.R(x86.R9), frHeld.Disp(4).Index(region, 8))
	e.a.Andn(32, lanes, x86.R9, x86.R(lanes))
	e.a.Bind(none)
	e.ready(lanes, x86.R9)
	e.a.Mov(32, frDepth, x86.R(top))
	e.a.Dec(64, x86.At(regIssues, 0).Index(regFrom, 8))
	e.a.Mov(32, x86.R(regTo), x86.R(regFrom))
	e.a.Mov(32, x86.R(regGoing), x86.R(lanes))
	e.a.Mov(32, x86.R(regDoors), x86.Imm(int64(unsafe.Offsetof(image{}.joins))))
	e.a.Mov(32, x86.R(regKind), x86.Imm(int64(engine.Met)))
	e.a.Test(32, x86.R(waits), x86.R(waits))
	e.a.Jcc(x86.E, e.going) // no lane waited
	e.a.Dec(32, x86.R(regFrom))
	listener{e}.noteMove(x86.R8, x86.R(regMask), x86.R(regGoing), engine.Straight)
	e.a.Inc(32, x86.R(regFrom))
	e.a.Jmp(over)
}

// findBreak lowers the register from a region to the one whose break lanes take next. It jumps to
// elsewhere if a call is between, or if the code has no such region.
func (e *emitter) findBreak(region x86.Reg, elsewhere x86.Label) {
	next := e.a.NewLabel()
	e.a.Bind(next)
	e.a.Sub(32, x86.R(region), x86.Imm(1))
	e.a.Jcc(x86.B, elsewhere)
	e.a.Cmp(32, frTokens.Disp(4).Index(region, 8), x86.Imm(toCaller))
	e.a.Jcc(x86.E, elsewhere)
	e.a.Cmp(32, frTokens.Disp(4).Index(region, 8), x86.Imm(0))
	e.a.Jcc(x86.L, next)
}

// ready jumps to outside if there is no code for the number of lanes.
func (e *emitter) ready(lanes, scratch x86.Reg) {
	e.a.Popcnt(32, scratch, x86.R(lanes))
	e.a.Cmp(64, frIssuesOf.Index(scratch, 8), x86.Imm(0))
	e.a.Jcc(x86.E, e.outside)
}

// emitBreak emits the routine for lanes in EAX that take a break. The lanes wait after the region
// until the region has no other lanes. Then all lanes of the region go on there.
func (e *emitter) emitBreak(over x86.Label) {
	region, inner, kind, next := x86.R8, x86.R9, regKind, x86.R11
	waiting := frHeld.Disp(4).Index(region, 8)
	all, each, others, behind, wait, note := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.a.Bind(e.breaking)
	e.noteable()
	e.a.Mov(32, x86.R(region), frDepth)
	e.findBreak(region, e.outside)
	e.a.Cmp(32, x86.R(regGoing), x86.R(regMask))
	e.a.Jcc(x86.E, all)

	e.a.Cmp(64, e.imageFor(false), x86.Imm(0))
	e.a.Jcc(x86.E, e.outside)
	e.a.Andn(32, next, regGoing, x86.R(regMask))
	e.ready(next, inner)
	e.a.Lea(32, regTo, x86.At(regFrom, 1))
	e.a.Jmp(wait)

	e.a.Bind(all)
	e.a.Mov(32, x86.R(inner), frDepth)
	e.a.Bind(each)
	e.a.Dec(32, x86.R(inner))
	e.a.Cmp(32, x86.R(inner), x86.R(region))
	e.a.Jcc(x86.E, behind)
	e.a.Mov(32, x86.R(next), frHeld.Index(inner, 8))
	e.a.Cmp(32, frTokens.Disp(4).Index(inner, 8), x86.Imm(toOther))
	e.a.Jcc(x86.E, others)
	e.a.Mov(32, x86.R(kind), waiting) // the policy handles a join, for lanes that did not break
	e.a.Or(32, x86.R(kind), x86.R(regGoing))
	e.a.Andn(32, next, kind, x86.R(next))
	e.a.Jcc(x86.E, each)
	e.a.Jmp(e.outside)

	e.a.Bind(behind)
	e.a.Mov(32, x86.R(next), frHeld.Index(region, 8))
	e.ready(next, kind)
	e.a.Mov(32, x86.R(kind), x86.Imm(int64(engine.Met)))
	e.a.Mov(32, x86.R(regTo), frTokens.Disp(4).Index(region, 8))
	e.leaveAll(inner)
	e.a.Jmp(note)

	e.a.Bind(others)
	e.ready(next, kind)
	e.a.Mov(32, x86.R(regTo), frTokens.Index(inner, 8))
	e.a.Inc(32, x86.R(regTo))
	e.leaveAll(inner)

	e.a.Bind(wait)
	e.wait(waiting, regGoing, engine.Broke)

	e.a.Bind(note)
	listener{e}.noteMove(x86.R8, x86.R(regGoing), x86.R(next), engine.Straight)
	e.a.Inc(64, x86.R(regSteps))
	e.a.Dec(64, x86.At(regIssues, 8).Index(regFrom, 8))
	e.a.Mov(32, x86.R(regGoing), x86.R(next))
	e.a.Mov(32, x86.R(regDoors), x86.Imm(int64(unsafe.Offsetof(image{}.entries))))
	e.a.Jmp(over)
}

// wait adds lanes to the lanes that wait in a region. The kind of the move is first if no lanes
// waited before, else the next kind.
func (e *emitter) wait(waiting x86.Operand, lanes x86.Reg, first engine.MoveKind) {
	e.a.Mov(32, x86.R(regKind), x86.Imm(int64(first)+1))
	e.a.Cmp(32, waiting, x86.Imm(1)) // carry: none
	e.a.Sbb(32, x86.R(regKind), x86.Imm(0))
	e.a.Or(32, waiting, x86.R(lanes))
}

// leaveAll counts that all lanes take the break, and closes regions from the inner one on.
func (e *emitter) leaveAll(inner x86.Reg) {
	e.a.Mov(32, frDepth, x86.R(inner))
	e.a.Mov(64, x86.R(inner), frTaken)
	e.a.Inc(64, x86.At(inner, 0).Index(regFrom, 8))
}

// emitOver emits the routine that notes a move, and goes on with other lanes. The entry e.going,
// after the note, needs regGoing, regTo and regDoors.
func (e *emitter) emitOver(over x86.Label) {
	n, in, at := x86.R8, x86.R11, x86.R8
	e.a.Bind(over)
	e.a.Mov(32, x86.R(at), frMoved)
	e.addMove(at, x86.R(regFrom), x86.R(regSteps), x86.R(regKind))
	e.a.Bind(e.going)
	e.a.Mov(32, frMask, x86.R(regGoing))
	e.a.Popcnt(32, n, x86.R(regGoing))
	e.a.Mov(64, x86.R(x86.R10), frTakenOf.Index(n, 8))
	e.a.Mov(64, frTaken, x86.R(x86.R10))
	e.a.Mov(64, x86.R(x86.R10), frIssuesOf.Index(n, 8))
	e.a.Mov(64, frIssues, x86.R(x86.R10))
	e.a.Inc(64, x86.At(x86.R10, 0).Index(regTo, 8))
	e.halvesOf(x86.R(regGoing), x86.RCX, x86.R8)
	e.a.Mov(32, frHalves, x86.R(x86.RCX))
	if e.Level == vector.AVX2 {
		for part := range e.Level.Parts() {
			m := e.FromMemory(frMask, part)
			e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: e.width, D: uint8(m), RM: lanesAt(int32(part) * e.bytes)})
			e.FreeMask(m)
		}
	}

	some := e.a.NewLabel()
	e.a.Mov(64, x86.R(in), e.imageFor(false))
	e.a.Cmp(32, x86.R(regGoing), x86.Imm(-1))
	e.a.Jcc(x86.NE, some)
	e.a.Mov(64, x86.R(in), e.imageFor(true))
	e.a.Bind(some)
	e.a.Mov(64, x86.R(regDoors), x86.At(in, 0).Index(regDoors, 1))
	e.a.Mov(32, x86.R(regTo), x86.At(regDoors, 0).Index(regTo, 4))
	e.a.Mov(64, frTarget, x86.R(regTo))
	e.a.Mov(64, frSteps, x86.R(regSteps))
	e.a.JmpTo(x86.At(in, int32(unsafe.Offsetof(image{}.start))))
}

// addMove adds a move to the list, which has room at an offset, for the lanes in EAX.
func (e *emitter) addMove(offset x86.Reg, at, steps, kind x86.Operand) {
	for _, f := range []struct {
		field uintptr
		from  x86.Operand
	}{
		{unsafe.Offsetof(engine.Move{}.At), at}, {unsafe.Offsetof(engine.Move{}.Lanes), x86.R(regGoing)},
		{unsafe.Offsetof(engine.Move{}.Steps), steps}, {unsafe.Offsetof(engine.Move{}.Kind), kind},
	} {
		e.a.Mov(32, frMoves.Disp(int32(f.field)).Index(offset, 1), f.from)
	}
	e.a.Add(32, frMoved, x86.Imm(moveBytes))
}
