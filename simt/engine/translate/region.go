package translate

import (
	"unsafe"

	"jacquard/simt/branch"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
)

// announce opens a region, unless the policy ignores regions.
func (e *emitter) announce(u *program.Op, away x86.Label) {
	done := e.a.NewLabel()
	listener{e}.tells(u)
	e.a.Jcc(x86.E, done)
	to := int32(toJoin)
	if u.Event == branch.BreakAddr {
		if to = u.To; to < 0 {
			e.a.Jmp(away)
		}
	}
	e.openRegion(u, to, away)
	e.a.Bind(done)
	e.pending++
}

// openRegion puts a token for all lanes of the warp on the list of regions.
func (e *emitter) openRegion(u *program.Op, to int32, away x86.Label) {
	e.a.Mov(32, x86.R(x86.RAX), frDepth)
	e.a.Cmp(32, x86.R(x86.RAX), frMostDepth)
	e.a.Jcc(x86.AE, away)
	e.a.Mov(32, frTokens.Index(x86.RAX, 8), x86.Imm(int64(u.At)))
	e.a.Mov(32, frTokens.Disp(4).Index(x86.RAX, 8), x86.Imm(int64(to)))
	e.a.Mov(32, frHeld.Index(x86.RAX, 8), x86.R(regMask))
	e.a.Mov(32, frHeld.Disp(4).Index(x86.RAX, 8), x86.Imm(0))
	e.deepen(x86.RAX)
}

// deepen counts an opened region; depth has the number of regions before.
func (e *emitter) deepen(depth x86.Reg) {
	e.a.Inc(32, x86.R(depth))
	e.a.Mov(32, frDepth, x86.R(depth))
	e.raise(frDeepest, depth)
}

// raise makes a number at least as large as a register.
func (e *emitter) raise(least x86.Operand, to x86.Reg) {
	known := e.a.NewLabel()
	e.a.Cmp(32, x86.R(to), least)
	e.a.Jcc(x86.BE, known)
	e.a.Mov(32, least, x86.R(to))
	e.a.Bind(known)
}

// enterFunction calls a function with all lanes.
func (e *emitter) enterFunction(u *program.Op, away x86.Label) {
	e.openRegion(u, toCaller, away)
	e.a.Inc(64, x86.R(regSteps))
	if u.To != u.At+1 {
		e.a.Dec(64, x86.At(regIssues, 8*(u.At+1)))
		e.a.Inc(64, x86.At(regIssues, 8*u.To))
	}
	listener{e}.noteCut(u, u.To, x86.R(regMask))
	e.edge(int(u.To))
	e.afterJump()
}

// leaveFunction returns with all lanes from a function that the code called itself.
func (e *emitter) leaveFunction(u *program.Op, away x86.Label) {
	e.a.Mov(32, x86.R(x86.RAX), frDepth)
	e.a.Sub(32, x86.R(x86.RAX), x86.Imm(1))
	e.a.Jcc(x86.B, away)
	e.a.Cmp(32, frHeld.Index(x86.RAX, 8), x86.R(regMask))
	e.a.Jcc(x86.NE, away)
	e.a.Cmp(32, frTokens.Disp(4).Index(x86.RAX, 8), x86.Imm(toCaller))
	e.a.Jcc(x86.NE, away)
	e.a.MovSX(64, x86.RCX, 32, frTokens.Index(x86.RAX, 8))
	e.a.Inc(32, x86.R(x86.RCX))
	e.takeWay(u)
}

// join closes a region of all its lanes, and executes the instruction that carries the marker.
func (e *emitter) join(u *program.Op, away x86.Label) {
	done := e.a.NewLabel()
	listener{e}.tells(u)
	e.a.Jcc(x86.E, done)
	e.a.Mov(32, x86.R(x86.RAX), frDepth)
	e.a.Sub(32, x86.R(x86.RAX), x86.Imm(1))
	e.a.Jcc(x86.B, away)
	e.a.Cmp(32, frHeld.Index(x86.RAX, 8), x86.R(regMask))
	e.a.Jcc(x86.NE, e.apart(u, away))
	e.a.Cmp(32, frTokens.Disp(4).Index(x86.RAX, 8), x86.Imm(toJoin))
	e.a.Jcc(x86.NE, away)
	e.a.Mov(32, frDepth, x86.R(x86.RAX))
	e.a.Bind(done)
	e.joins[u.At] = e.a.NewLabel()
	e.enterFrom(e.joins[u.At])
	if u.Acts {
		e.straight(u)
		e.alone(u)
	}
	e.pending++
}

// leaveRegion takes a break with all lanes of a region in which none waits. Other breaks go
// to breakOff.
func (e *emitter) leaveRegion(u *program.Op, away x86.Label) {
	next := e.a.NewLabel()
	apart := e.breakOff(u, true, away)
	e.a.Mov(32, x86.R(x86.RAX), frDepth)
	e.a.Bind(next)
	e.a.Sub(32, x86.R(x86.RAX), x86.Imm(1))
	e.a.Jcc(x86.B, away)
	e.a.Cmp(32, frHeld.Index(x86.RAX, 8), x86.R(regMask))
	e.a.Jcc(x86.NE, apart)
	e.a.MovSX(64, x86.RCX, 32, frTokens.Disp(4).Index(x86.RAX, 8))
	e.a.Test(32, x86.R(x86.RCX), x86.R(x86.RCX))
	e.a.Jcc(x86.S, next)
	e.takeWay(u)
}

// takeWay closes the regions from EAX on, and goes on with all lanes at the instruction in RCX, to
// which u leads.
func (e *emitter) takeWay(u *program.Op) {
	e.a.Mov(32, frDepth, x86.R(x86.RAX))
	e.saveCopy(&e.cells)
	listener{e}.note(x86.RAX, cut{end: x86.Imm(int64(u.At)), next: x86.R(x86.RCX), executed: x86.R(regMask), lanes: x86.Imm(0)})
	e.a.Inc(64, x86.R(regSteps))
	e.a.Dec(64, x86.At(regIssues, 8*(u.At+1)))
	e.a.Inc(64, x86.At(regIssues, 0).Index(x86.RCX, 8))
	e.a.Mov(64, x86.R(x86.RAX), frTaken)
	e.a.Inc(64, x86.At(x86.RAX, 8*u.At))
	e.a.Mov(64, x86.R(x86.RAX), e.imageFor(e.full))
	e.a.Mov(64, x86.R(x86.RAX), x86.At(x86.RAX, int32(unsafe.Offsetof(image{}.entries))))
	e.a.Mov(32, x86.R(x86.RCX), x86.At(x86.RAX, 0).Index(x86.RCX, 4))
	e.a.Lea(64, x86.RAX, e.start.Addr())
	e.a.Add(64, x86.R(x86.RAX), x86.R(x86.RCX))
	e.a.JmpTo(x86.R(x86.RAX))
}

// imageFor returns the operand of the image for warps with all lanes, or with some.
func (e *emitter) imageFor(full bool) x86.Operand {
	return frImages.Disp(8 * int32(variant{full, e.stops, e.watched}.number()))
}

// part returns the label for lanes that part at branch u: the taken lanes, in EAX, go on, and the
// others wait on the list of regions.
func (e *emitter) part(u *program.Op, away x86.Label) x86.Label {
	if e.stops {
		return away
	}
	part := e.a.NewLabel()
	e.aside(func() {
		e.a.Bind(part)
		e.saveCopy(&e.cells)
		e.a.Mov(32, x86.R(x86.RCX), x86.Imm(int64(u.At)))
		e.a.Mov(32, x86.R(x86.RDX), x86.Imm(int64(u.To)))
		e.a.Jmp(e.parting)
	})
	return part
}

// apart returns the label for join u if some lanes of the innermost region, whose place is in RAX,
// are elsewhere.
func (e *emitter) apart(u *program.Op, away x86.Label) x86.Label {
	if e.stops {
		return away
	}
	apart := e.a.NewLabel()
	e.aside(func() {
		e.a.Bind(apart)
		e.saveCopy(&e.cells)
		e.a.Mov(32, x86.R(x86.RCX), x86.Imm(int64(u.At)))
		e.a.Jmp(e.meeting)
	})
	return apart
}

// breakOff returns the label for lanes that take break u of a region with other lanes: all lanes
// that run, or else the lanes in EAX.
func (e *emitter) breakOff(u *program.Op, all bool, away x86.Label) x86.Label {
	if e.stops || u.Event != branch.Break {
		return away
	}
	off := e.a.NewLabel()
	e.aside(func() {
		e.a.Bind(off)
		e.saveCopy(&e.cells)
		if all {
			e.a.Mov(32, x86.R(x86.RAX), x86.R(regMask))
		}
		e.a.Mov(32, x86.R(x86.RCX), x86.Imm(int64(u.At)))
		e.a.Jmp(e.breaking)
	})
	return off
}
