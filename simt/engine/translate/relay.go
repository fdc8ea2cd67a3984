package translate

import (
	"unsafe"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Code that goes from warp to warp: see engine.Relay. Rows are in memory.

// relays reports whether the code does so.
func (e *emitter) relays() bool { return !e.stops }

// arrives reports whether u is a barrier that the code knows.
func (e *emitter) arrives(u *program.Op) bool {
	return e.relays() && u.Event == branch.Arrive && u.Marker == tesla.MarkerNone && u.Ins.Barrier.ID == 0
}

// Registers of the routines.
const (
	regNext  = x86.RCX // the warp's next instruction
	regWarp  = x86.R8
	regRelay = x86.R9
)

// relayAt returns the operand of a field of the relay.
func relayAt(offset uintptr) x86.Operand { return x86.At(regRelay, int32(offset)) }

// ofWarp returns the operand of a warp's element of a list in the relay.
func ofWarp(list uintptr, size uint8) x86.Operand { return relayAt(list).Index(regWarp, size) }

var (
	reTime    = ofWarp(unsafe.Offsetof(engine.Relay{}.Time), 8)
	reAt      = ofWarp(unsafe.Offsetof(engine.Relay{}.At), 4)
	reTells   = ofWarp(unsafe.Offsetof(engine.Relay{}.Tells), 8)
	reRegions = ofWarp(unsafe.Offsetof(engine.Relay{}.Regions), 4)
	reRan     = ofWarp(unsafe.Offsetof(engine.Relay{}.Ran), 8)
	reDeepest = ofWarp(unsafe.Offsetof(engine.Relay{}.Deepest), 4)
	reLanes   = ofWarp(unsafe.Offsetof(engine.Relay{}.Lanes), 4)
	reDepth   = ofWarp(unsafe.Offsetof(engine.Relay{}.Depth), 4)
	reLive    = ofWarp(unsafe.Offsetof(engine.Relay{}.Live), 4)
	reWhole   = ofWarp(unsafe.Offsetof(engine.Relay{}.Whole), 4)

	reWarps   = relayAt(unsafe.Offsetof(engine.Relay{}.Warps))
	reCount   = relayAt(unsafe.Offsetof(engine.Relay{}.Count))
	reAlive   = relayAt(unsafe.Offsetof(engine.Relay{}.Alive))
	reMeet    = relayAt(unsafe.Offsetof(engine.Relay{}.Meet))
	reOdd     = relayAt(unsafe.Offsetof(engine.Relay{}.Odd))
	reFresh   = relayAt(unsafe.Offsetof(engine.Relay{}.Fresh))
	reHeld    = relayAt(unsafe.Offsetof(engine.Relay{}.Held))
	reTodo    = relayAt(unsafe.Offsetof(engine.Relay{}.Todo))
	reTouched = relayAt(unsafe.Offsetof(engine.Relay{}.Touched))
	reMoved   = relayAt(unsafe.Offsetof(engine.Relay{}.Moved))
	reFewer   = relayAt(unsafe.Offsetof(engine.Relay{}.Fewer))
	reEnded   = relayAt(unsafe.Offsetof(engine.Relay{}.Ended))
	reEnd     = relayAt(unsafe.Offsetof(engine.Relay{}.End))
	reUntil   = relayAt(unsafe.Offsetof(engine.Relay{}.Until))
	reBrief   = relayAt(unsafe.Offsetof(engine.Relay{}.Brief))
	reLast    = relayAt(unsafe.Offsetof(engine.Relay{}.Last))
	reTurn    = relayAt(unsafe.Offsetof(engine.Relay{}.Turn))
)

// emitRelay emits the code before a control instruction that is not passed, which is in regNext.
func (e *emitter) emitRelay() {
	next := e.a.NewLabel()
	e.a.Bind(e.ending)
	if e.relays() {
		e.a.Cmp(64, x86.R(regSteps), frRoom)
		e.a.Jcc(x86.B, e.outside)
		e.mayPark()
		e.park()
		e.a.Jmp(next)
		e.emitHeed(next)
	}
	for _, way := range []struct {
		label x86.Label
		why   uint32
	}{{e.outside, exitControl}, {e.noting, exitFull}} {
		e.a.Bind(way.label)
		e.a.Mov(32, frAt, x86.R(regNext))
		e.a.Mov(32, frExit, x86.Imm(int64(way.why)))
		e.a.Jmp(e.out)
	}
	if e.relays() {
		open := e.a.NewLabel()
		e.emitArrival(next)
		e.a.Bind(open)
		over := e.a.NewLabel()
		e.openBarrier(next, over)
		e.emitExit(next, open)
		e.emitNext(next, over)
	}
}

// emitHeed ends the turn of a warp before the instruction in regNext, which overwrites.
func (e *emitter) emitHeed(next x86.Label) {
	e.a.Bind(e.heeding)
	e.mayPark()
	e.park()
	e.a.Mov(32, x86.R(x86.RAX), reFresh)
	e.a.Btr(32, x86.R(x86.RAX), x86.R(regWarp))
	e.a.Mov(32, reFresh, x86.R(x86.RAX))
	e.a.Jmp(next)
}

// mayPark goes outside if there is no relay, or if the schedule has to do more: if too many regions
// are open, or if lanes wait that only the policy knows.
func (e *emitter) mayPark() {
	e.a.Cmp(32, frDepth, x86.Imm(mostParked))
	e.a.Jcc(x86.A, e.outside)
	e.mayRelay()
}

// mayEnd is mayPark for a warp that exits: lanes that wait go on. There are none if all lanes of
// the outermost region exit.
func (e *emitter) mayEnd() {
	none := e.a.NewLabel()
	e.a.Cmp(32, frDepth, x86.Imm(0))
	e.a.Jcc(x86.E, none)
	e.a.Cmp(32, frHeld, x86.R(regMask))
	e.a.Jcc(x86.NE, e.outside)
	e.a.Bind(none)
	e.mayRelay()
}

func (e *emitter) mayRelay() {
	e.a.Mov(64, x86.R(regRelay), frRelay)
	e.a.Test(64, x86.R(regRelay), x86.R(regRelay))
	e.a.Jcc(x86.E, e.outside)
	e.noteable()
	listener{e}.room(func() x86.Label { return e.outside })
	if !e.full {
		e.a.Mov(32, x86.R(x86.RAX), reWarps)
		e.a.Mov(32, x86.R(regWarp), frWarp)
		e.a.Bt(32, x86.R(x86.RAX), x86.R(regWarp))
		e.a.Jcc(x86.AE, e.outside) // no carry
	}
}

// park ends the turn of the warp before the instruction in regNext.
func (e *emitter) park() {
	ax, cx, moves, noted := x86.R(x86.RAX), x86.R(x86.RCX), e.a.NewLabel(), e.a.NewLabel()
	e.a.Dec(32, x86.R(regNext))
	listener{e}.note(x86.R10, cut{end: x86.R(regNext), next: x86.Imm(0), executed: x86.R(regMask), lanes: x86.Imm(0), kind: engine.TurnEnds})
	e.a.Inc(32, x86.R(regNext))
	e.a.Mov(32, x86.R(regWarp), frWarp)
	e.a.Mov(64, ax, frClock)
	e.a.Add(64, ax, x86.R(regSteps))
	e.a.Mov(64, reTime, ax)
	e.a.Mov(32, reAt, x86.R(regNext))
	e.a.Dec(64, x86.At(regIssues, 0).Index(regNext, 8))
	e.a.Mov(32, x86.R(x86.RDX), frMoved)
	if e.full {
		e.a.Cmp(32, x86.R(x86.RDX), frMovedFrom)
		e.a.Jcc(x86.NE, moves)
		e.a.Mov(32, ax, reMoved)
		e.a.Bt(32, ax, x86.R(regWarp))
		e.a.Jcc(x86.B, moves) // carry
		e.a.Add(64, reRan, x86.R(regSteps))
		e.a.Jmp(noted)
		e.a.Bind(moves)
	}
	e.a.Mov(32, ax, x86.R(regMask))
	e.addMove(x86.RDX, x86.R(regWarp), x86.R(regSteps), x86.Imm(int64(engine.Parked)))
	e.a.Mov(32, ax, frMoved)
	e.a.Mov(32, frMovedFrom, ax)
	e.include(reMoved)
	e.a.Bind(noted)
	e.include(reTouched)
	e.a.Mov(32, ax, frDeepest)
	e.raise(reDeepest, x86.RAX)
	e.a.Mov(32, reLanes, x86.R(regMask))
	e.a.Mov(32, cx, frDepth)
	e.a.Mov(32, reDepth, cx)
	e.eachRegion(func(region, parked x86.Operand) {
		e.a.Mov(64, ax, region)
		e.a.Mov(64, parked, ax)
	})
}

// eachRegion emits code for the fields of every region of the warp in regWarp: in the frame and
// where it waits. There are as many as ECX says. The code may change RAX.
func (e *emitter) eachRegion(f func(region, parked x86.Operand)) {
	const place = x86.RDX
	done, next := e.a.NewLabel(), e.a.NewLabel()
	e.a.Test(32, x86.R(x86.RCX), x86.R(x86.RCX))
	e.a.Jcc(x86.E, done)
	e.a.ImulImm(64, place, x86.R(regWarp), int32(unsafe.Sizeof(parked{})))
	e.a.Add(64, x86.R(place), x86.R(regFrame))
	e.a.Bind(next)
	e.a.Dec(32, x86.R(x86.RCX))
	waits := x86.At(place, int32(unsafe.Offsetof(frame{}.parked)))
	f(frTokens.Index(x86.RCX, 8), waits.Disp(int32(unsafe.Offsetof(parked{}.tokens))).Index(x86.RCX, 8))
	f(frHeld.Index(x86.RCX, 8), waits.Disp(int32(unsafe.Offsetof(parked{}.held))).Index(x86.RCX, 8))
	e.a.Test(32, x86.R(x86.RCX), x86.R(x86.RCX))
	e.a.Jcc(x86.NE, next)
	e.a.Bind(done)
}

// include adds the warp to a set, which then is in EAX.
func (e *emitter) include(set x86.Operand) {
	e.a.Mov(32, x86.R(x86.RAX), set)
	e.a.Bts(32, x86.R(x86.RAX), x86.R(regWarp))
	e.a.Mov(32, set, x86.R(x86.RAX))
}

// emitArrival emits the arrival of a warp at the barrier in regNext. If the barrier opens, the code
// that opens it follows.
func (e *emitter) emitArrival(next x86.Label) {
	ax, whole := x86.R(x86.RAX), e.a.NewLabel()
	e.a.Bind(e.arriving)
	e.a.Cmp(64, x86.R(regSteps), frRoom)
	e.a.Jcc(x86.AE, e.ending)
	e.mayPark()
	if !e.full { // the schedule has a word for lanes that miss the barrier
		e.a.Cmp(32, x86.R(regMask), reLive)
		e.a.Jcc(x86.NE, e.outside)
	}
	e.a.Inc(64, x86.R(regSteps))
	e.a.Inc(32, x86.R(regNext))
	e.park()
	if !e.full {
		e.a.Cmp(32, x86.R(regMask), reWhole)
		e.a.Jcc(x86.E, whole)
		e.a.Inc(32, reFewer)
		e.a.Bind(whole)
	}
	e.include(reHeld)
	e.a.Cmp(32, ax, reAlive)
	e.a.Jcc(x86.NE, next)
}

// emitExit emits the end of a warp by the instruction in regNext. A barrier opens if all others
// wait; else the code for the next warp follows.
func (e *emitter) emitExit(next, open x86.Label) {
	ax, cx := x86.R(x86.RAX), x86.R(x86.RCX)
	e.a.Bind(e.exiting)
	e.a.Mov(64, x86.R(regRelay), frRelay) // an access may have changed it
	e.a.Mov(32, frDepth, x86.Imm(0))
	e.a.Inc(64, x86.R(regSteps))
	e.a.Inc(32, x86.R(regNext))
	e.park()
	e.include(reEnded)
	e.a.Mov(32, ax, reAlive)
	e.a.Btr(32, ax, x86.R(regWarp))
	e.a.Mov(32, reAlive, ax)
	e.a.Mov(32, cx, reHeld)
	e.a.Test(32, cx, cx)
	e.a.Jcc(x86.E, next)
	e.a.Cmp(32, ax, cx)
	e.a.Jcc(x86.E, open)
}

// exit ends the warp at u, after the other effects of u. It reports false, before it emits
// anything, if u is left to the schedule.
func (e *emitter) exit(u *program.Op) bool {
	if !e.relays() || e.quads || e.watched && u.Acts || u.Marker != tesla.MarkerExit || u.MayFault || u.Refusal != nil || u.Event != 0 || u.Acts && !e.newTrial().tried(u) {
		return false
	}
	e.saveAll()
	e.forget()
	e.loop = nil
	e.a.Mov(32, x86.R(regNext), x86.Imm(int64(u.At)))
	e.a.Cmp(64, x86.R(regSteps), frRoom)
	e.a.Jcc(x86.AE, e.ending)
	e.mayEnd()
	if u.Acts {
		e.last = true
		e.tried(u)
		e.last = false
		e.Mode(vector.ModeFloat)
		e.saveAll()
		e.forget()
		e.a.Mov(32, x86.R(regNext), x86.Imm(int64(u.At)))
	}
	e.a.Jmp(e.exiting)
	return true
}

// returnFromKernel ends the warp at return u, which all lanes that run take. It leaves the code if
// others wait.
func (e *emitter) returnFromKernel(u *program.Op, _ x86.Label) {
	e.saveCopy(&e.cells)
	e.a.Mov(32, x86.R(regNext), x86.Imm(int64(u.At)))
	e.mayEnd()
	e.a.Mov(64, x86.R(x86.RAX), frTaken)
	e.a.Inc(64, x86.At(x86.RAX, 8*u.At))
	e.a.Jmp(e.exiting)
}

// openBarrier opens the barrier at which all warps wait: see schedule's openBarriers. It goes to over
// if the opening is odd.
func (e *emitter) openBarrier(next, over x86.Label) {
	latest, left, at, time := x86.R10, x86.R11, x86.RCX, x86.RDX
	max, each, same, none, met := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.a.Xor(32, x86.R(latest), x86.R(latest))
	e.a.Mov(32, x86.R(regWarp), reCount)
	e.a.Bind(max)
	e.a.Dec(32, x86.R(regWarp))
	e.a.Cmp(64, x86.R(latest), reTime)
	e.a.Cmovcc(64, x86.B, latest, reTime)
	e.a.Test(32, x86.R(regWarp), x86.R(regWarp))
	e.a.Jcc(x86.NE, max)

	e.a.Mov(32, x86.R(left), reAlive)
	e.a.Tzcnt(32, regWarp, x86.R(left))
	e.a.Mov(32, x86.R(at), reAt)
	e.a.Mov(32, frAt, x86.R(at))
	e.a.Bind(each)
	e.a.Tzcnt(32, regWarp, x86.R(left))
	e.a.Mov(32, x86.R(at), reAt)
	e.a.Cmp(32, x86.R(at), frAt)
	e.a.Jcc(x86.E, same)
	e.a.Or(32, reOdd, x86.Imm(1))
	e.a.Bind(same)
	e.a.Mov(64, x86.R(time), x86.R(latest))
	e.a.Sub(64, x86.R(time), reTime)
	e.a.Mov(64, reTime, x86.R(latest))
	e.a.Mov(64, x86.R(x86.RAX), frWaited)
	e.a.Add(64, x86.At(x86.RAX, -8).Index(at, 8), x86.R(time))
	e.a.Blsr(32, left, x86.R(left))
	e.a.Jcc(x86.NE, each)

	e.a.Mov(32, reHeld, x86.Imm(0))
	e.a.Mov(32, reTodo, x86.Imm(0))
	if e.p.Overwrites() {
		e.a.Mov(32, reFresh, x86.Imm(0))
	}
	e.a.Lea(64, x86.RAX, x86.At(latest, engine.BriefRounds))
	e.a.Mov(64, reBrief, x86.R(x86.RAX))
	e.a.Cmp(64, x86.R(x86.RAX), reUntil)
	e.a.Cmovcc(64, x86.A, x86.RAX, reUntil)
	e.a.Mov(64, reEnd, x86.R(x86.RAX))
	e.a.Cmp(64, x86.R(latest), x86.R(x86.RAX))
	e.a.Jcc(x86.AE, none)
	e.a.Mov(32, x86.R(x86.RAX), reAlive)
	e.a.Mov(32, reTodo, x86.R(x86.RAX))
	e.a.Bind(none)
	e.a.Mov(32, x86.R(x86.RAX), reAlive)
	e.a.Cmp(32, x86.R(x86.RAX), reMeet)
	e.a.Jcc(x86.E, met)
	e.a.Or(32, reOdd, x86.Imm(1))
	e.a.Bind(met)
	e.a.Cmp(32, reOdd, x86.Imm(1))
	e.a.Jcc(x86.NE, next)
	e.a.Jmp(over)
}
