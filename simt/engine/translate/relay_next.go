package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

// The next warp of a relay.

// emitNext emits the choice of the next warp, and of the next pass. At over, the schedule goes on.
func (e *emitter) emitNext(next, over x86.Label) {
	ax, cx, dx := x86.R(x86.RAX), x86.R(x86.RCX), x86.R(x86.RDX)
	run, others, pass := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.a.Bind(next)
	e.a.Mov(32, ax, reTodo)
	e.a.Test(32, ax, ax)
	e.a.Jcc(x86.NE, run)

	e.a.Mov(64, dx, reEnd)
	e.dueBefore(run, over)
	e.a.Mov(64, dx, reUntil)
	e.a.Cmp(64, dx, reEnd)
	e.a.Jcc(x86.NE, pass)
	e.a.Cmp(64, dx, reLast)
	e.a.Jcc(x86.AE, over)
	e.a.Add(64, dx, reTurn)
	e.a.Cmp(64, dx, reLast)
	e.a.Cmovcc(64, x86.A, x86.RDX, reLast)
	e.a.Mov(64, reUntil, dx)
	e.a.Mov(64, cx, reBrief)
	e.a.Cmp(64, cx, reEnd)
	e.a.Jcc(x86.BE, pass) // the brief pass is over, or there was none
	e.a.Cmp(64, dx, cx)
	e.a.Cmovcc(64, x86.A, x86.RDX, cx)
	e.a.Bind(pass)
	e.a.Mov(64, reEnd, dx)
	e.a.Jmp(next)

	e.a.Bind(run)
	e.a.Tzcnt(32, regWarp, ax)
	e.a.Mov(32, cx, reWarps)
	e.a.Bt(32, cx, x86.R(regWarp))
	e.a.Jcc(x86.AE, over) // no carry
	e.a.Mov(32, dx, reAt)
	if e.full {
		e.a.Cmp(32, reLanes, x86.Imm(-1))
		e.a.Jcc(x86.NE, others)
		e.goOnWhole(over)
	}
	e.a.Bind(others)
	e.goOnWith(over)

	e.a.Bind(over)
	e.a.Mov(32, frExit, x86.Imm(int64(exitOver)))
	e.a.Jmp(e.out)
}

// dueBefore puts in EAX, and in Relay.Todo, the ready warps that have not reached the time in RDX,
// and goes to run if there are any. EAX is 0 before. If no warp is ready, it goes to over.
func (e *emitter) dueBefore(run, over x86.Label) {
	ax, cx, each, late := x86.R(x86.RAX), x86.R(x86.RCX), e.a.NewLabel(), e.a.NewLabel()
	e.a.Mov(32, cx, reHeld)
	e.a.Andn(32, x86.RCX, x86.RCX, reAlive)
	e.a.Jcc(x86.E, over)
	e.a.Bind(each)
	e.a.Tzcnt(32, regWarp, cx)
	e.a.Cmp(64, reTime, x86.R(x86.RDX))
	e.a.Jcc(x86.AE, late)
	e.a.Bts(32, ax, x86.R(regWarp))
	e.a.Bind(late)
	e.a.Blsr(32, x86.RCX, cx)
	e.a.Jcc(x86.NE, each)
	e.a.Mov(32, reTodo, ax)
	e.a.Test(32, ax, ax)
	e.a.Jcc(x86.NE, run)
}

// goOnWhole goes on with the warp in regWarp, all of whose lanes run, at the instruction in RDX.
// The warps to come are in EAX.
func (e *emitter) goOnWhole(over x86.Label) {
	ax, cx := x86.R(x86.RAX), x86.R(x86.RCX)
	e.a.Mov(64, cx, e.imageFor(true))
	e.a.Mov(64, cx, x86.At(x86.RCX, int32(unsafe.Offsetof(image{}.entries))))
	e.a.Mov(32, cx, x86.At(x86.RCX, 0).Index(x86.RDX, 4))
	e.a.Test(32, cx, cx)
	e.a.Jcc(x86.E, over)
	e.a.Mov(64, frTarget, cx)
	e.a.Blsr(32, x86.RAX, ax)
	e.a.Mov(32, reTodo, ax)
	e.a.Inc(64, x86.At(regIssues, 0).Index(x86.RDX, 8))
	e.takeOver()
	e.a.Jmp(e.start)
}

// goOnWith is goOnWhole for lanes for which this is not the code.
func (e *emitter) goOnWith(over x86.Label) {
	ax, cx, known := x86.R(x86.RAX), x86.R(x86.RCX), e.a.NewLabel()
	e.a.Mov(64, cx, e.imageFor(true))
	e.a.Cmp(32, reLanes, x86.Imm(-1))
	e.a.Jcc(x86.E, known)
	e.a.Mov(64, cx, e.imageFor(false))
	e.a.Bind(known)
	e.a.Test(64, cx, cx)
	e.a.Jcc(x86.E, over)
	e.a.Mov(64, cx, x86.At(x86.RCX, int32(unsafe.Offsetof(image{}.entries))))
	e.a.Cmp(32, x86.At(x86.RCX, 0).Index(x86.RDX, 4), x86.Imm(0))
	e.a.Jcc(x86.E, over)
	e.a.Popcnt(32, x86.RCX, reLanes)
	e.a.Cmp(64, frIssuesOf.Index(x86.RCX, 8), x86.Imm(0))
	e.a.Jcc(x86.E, over)
	e.a.Blsr(32, x86.RAX, ax)
	e.a.Mov(32, reTodo, ax)
	e.takeOver()
	e.a.Xor(32, x86.R(regSteps), x86.R(regSteps))
	e.a.Mov(32, x86.R(regGoing), reLanes)
	e.a.Mov(32, x86.R(regTo), reAt)
	e.a.Mov(32, x86.R(regDoors), x86.Imm(int64(unsafe.Offsetof(image{}.entries))))
	e.a.Jmp(e.going)
}

// takeOver fills in the frame for the warp in regWarp: see Engine.begin.
func (e *emitter) takeOver() {
	ax, dx := x86.R(x86.RAX), x86.R(x86.RDX)
	listener{e}.noteTurn()
	e.a.Mov(64, frWarp, x86.R(regWarp))
	e.a.Mov(64, ax, reTime)
	e.a.Mov(64, frClock, ax)
	e.a.Mov(64, dx, reEnd)
	e.a.Sub(64, dx, ax)
	e.a.Mov(64, frRoom, dx)
	e.a.Mov(64, frSteps, x86.Imm(0))
	if e.p.Overwrites() {
		e.a.Mov(32, x86.R(x86.RCX), reFresh)
		e.a.Xor(32, ax, ax)
		e.a.Bt(32, x86.R(x86.RCX), x86.R(regWarp))
		e.a.Cmovcc(32, x86.B, x86.RAX, x86.R(x86.RCX))
		e.a.Mov(32, frHeeds, ax)
	}
	e.a.Mov(32, frDeepest, x86.Imm(0))
	e.a.Mov(32, ax, x86.Imm(mostTokens))
	e.a.Cmp(32, ax, reRegions)
	e.a.Cmovcc(32, x86.A, x86.RAX, reRegions)
	e.a.Mov(32, frMostDepth, ax)
	e.a.Mov(64, ax, reTells)
	e.a.Mov(64, frTells, ax)
	e.a.Mov(64, ax, x86.R(regWarp))
	e.a.Imul(64, x86.RAX, frRegsBytes)
	e.a.Add(64, ax, frRegsOf)
	e.a.Mov(64, frRegs, ax)
	e.a.ImulImm(64, x86.RAX, x86.R(regWarp), int32(unsafe.Sizeof(lane.Flags{})))
	e.a.Add(64, ax, frFlagsOf)
	e.a.Mov(64, frFlags, ax)
	if e.p.Kernel.Local > 0 {
		e.a.Mov(64, ax, x86.R(regWarp))
		e.a.Imul(64, x86.RAX, frLocalBytes)
		e.a.Add(64, ax, frLocalOf)
		e.a.Mov(64, frLocal, ax)
	}
	e.a.Mov(32, x86.R(x86.RCX), reDepth)
	e.a.Mov(32, frDepth, x86.R(x86.RCX))
	e.a.Mov(32, reDepth, x86.Imm(0))
	e.eachRegion(func(region, parked x86.Operand) {
		e.a.Mov(64, ax, parked)
		e.a.Mov(64, region, ax)
	})
}
