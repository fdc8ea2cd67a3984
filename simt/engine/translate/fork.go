package translate

import (
	"jacquard/simt/engine"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// findForks maps the index of each fork's branch to the fork's announcement.
func (e *emitter) findForks() {
	e.forkOf = map[int32]*program.Op{}
	for i := range e.p.Code {
		if k := e.p.Code[i].Fork; k != nil && k.Meet != 0 {
			e.forkOf[k.At] = &e.p.Code[i]
		}
	}
}

// fork returns the label for divergent lanes at u: code that runs both sides, or away if u begins
// no fork. EAX has the lanes that take the branch.
func (e *emitter) fork(u *program.Op, away x86.Label) x86.Label {
	announced := e.forkOf[u.At]
	if announced == nil || !e.translates(announced.Fork.At+1, announced.Fork.End()) ||
		!e.translates(announced.Fork.Other, announced.Fork.Meet) {
		return away
	}
	both := e.a.NewLabel()
	e.aside(func() {
		e.a.Bind(both)
		e.bothSides(announced, away)
	})
	return both
}

// translates reports whether all instructions of a piece of straight code, which touches registers
// only, have translations.
func (e *emitter) translates(from, to int32) bool {
	for i := from; i < to; i++ {
		u := &e.p.Code[i]
		f := translations[u.Ins.Op]
		if f == nil || !e.readable(u) || e.watched && u.Ins.Op == tesla.OpVote { // a hook wants to know of votes
			return false
		}
		trial := e.newTrial()
		trial.inSide, trial.sideLanes = true, frSide
		trial.prepare(u)
		if !f(trial, u) {
			return false
		}
	}
	return true
}

// bothSides runs both sides of the fork that was announced at u. The code leaves before the branch
// if another region is the innermost, if lanes of the region are elsewhere, or if the turn may end
// on the way.
func (e *emitter) bothSides(u *program.Op, away x86.Label) {
	k := u.Fork
	ax, cx, dx := x86.R(x86.RAX), x86.R(x86.RCX), x86.R(x86.RDX)
	e.a.Mov(32, cx, frMoved)
	e.a.Cmp(32, cx, x86.Imm(mostMoves*moveBytes))
	e.a.Jcc(x86.AE, away)
	e.a.Mov(32, dx, frDepth)
	e.a.Cmp(32, dx, frMostDepth) // the other side waits on the policy's stack
	e.a.Jcc(x86.AE, away)
	e.a.Sub(32, dx, x86.Imm(1))
	e.a.Jcc(x86.B, away)
	e.a.Cmp(32, frTokens.Index(x86.RDX, 8), x86.Imm(int64(u.At)))
	e.a.Jcc(x86.NE, away)
	e.a.Cmp(32, frHeld.Index(x86.RDX, 8), x86.R(regMask))
	e.a.Jcc(x86.NE, away)
	e.a.Lea(64, x86.R8, x86.At(regSteps, k.Most))
	e.a.Cmp(64, x86.R(x86.R8), frRoom)
	e.a.Jcc(x86.A, away)

	e.a.Inc(64, x86.R(regSteps))
	e.addMove(x86.RCX, x86.Imm(int64(u.At)), x86.R(regSteps), x86.Imm(int64(engine.Forked)))
	known := e.a.NewLabel()
	e.a.Add(32, dx, x86.Imm(2)) // the other side waits on the policy's stack
	e.a.Cmp(32, dx, frDeepest)
	e.a.Jcc(x86.BE, known)
	e.a.Mov(32, frDeepest, dx)
	e.a.Bind(known)
	e.a.Dec(64, x86.At(regIssues, 8*(k.At+1)))
	e.a.Inc(64, x86.At(regIssues, 8*k.Meet))
	e.a.Add(64, x86.R(regSteps), x86.Imm(int64(k.SideSteps())))

	e.a.Mov(32, frSide, ax)
	at := func(i int32) x86.Operand { return x86.Imm(int64(i)) }
	l := listener{e}
	l.note(x86.RCX, cut{end: at(k.At), next: at(k.Other), executed: ax, lanes: ax})
	e.a.Xor(32, ax, x86.R(regMask))
	e.a.Mov(32, frOther, ax)
	e.restore()
	first := -k.SideSteps()
	e.side(k.Other, k.Meet, frSide, first)
	l.noteSide(cut{end: at(k.Meet), next: at(k.At + 1), executed: at(0), lanes: ax, kind: engine.Vetoed})
	e.side(k.At+1, k.End(), frOther, first+k.Meet-k.Other+1)
	l.noteSide(cut{end: at(k.Other - 1), next: at(k.Meet), executed: ax, lanes: x86.R(regMask)})
	e.Mode(vector.ModeFloat)
	e.edge(int(k.Meet))
	e.forget()
}

// side translates straight code for some of the lanes that run. The first instruction issues ahead
// steps after those that regSteps counts.
func (e *emitter) side(from, to int32, lanes x86.Operand, ahead int32) {
	e.inSide, e.sideLanes = true, lanes
	for i := from; i < to; i++ {
		u := &e.p.Code[i]
		e.index = int(i)
		e.step()
		e.prepare(u)
		translations[u.Ins.Op](e, u)
		e.countOff(u)
		keeper{listener{e}}.keep(u, ahead+i-from)
	}
	e.inSide, e.guarded = false, false
}

// restore loads registers as e.cells says, in the cold part, where registers hold nothing.
func (e *emitter) restore() {
	for i := range e.cells {
		if c := &e.cells[i]; c.row != noRow {
			e.Take(vector.Vec(i))
			e.cache.at[c.row][c.part] = uint8(i) + 1
		}
	}
	e.Assume(vector.ModeFloat)
}
