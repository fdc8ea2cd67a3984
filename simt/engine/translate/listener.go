package translate

import (
	"unsafe"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// listener is an emitter of code for those who are told: policies, hooks and recorders.
type listener struct{ *emitter }

// tells compares what the policy wants to be told of u with branch.TellNever.
func (e listener) tells(u *program.Op) {
	e.a.Mov(64, x86.R(x86.RAX), frTells)
	e.a.Cmp(8, x86.At(x86.RAX, u.At), x86.Imm(int64(branch.TellNever)))
}

// unlessTaken returns the label of code that takes branch u with all lanes, if the policy need not
// be told then. RAX is frame.tells.
func (e listener) unlessTaken(u *program.Op, away x86.Label) x86.Label {
	label := e.a.NewLabel()
	e.aside(func() {
		e.a.Bind(label)
		e.a.Cmp(8, x86.At(x86.RAX, u.At), x86.Imm(int64(branch.TellUnlessTaken)))
		e.a.Jcc(x86.NE, away)
		e.cond(u.Guard.Reg, uint8(u.Guard.Cond))
		e.a.And(32, x86.R(x86.RAX), x86.R(regMask))
		e.a.Cmp(32, x86.R(x86.RAX), x86.R(regMask))
		e.a.Jcc(x86.NE, away)
		e.jump(u, away)
	})
	return label
}

// wants compares what listeners want to know of u with nothing.
func (e listener) wants(u *program.Op, what int64) {
	e.a.Mov(64, x86.R(x86.RCX), frWatch)
	e.a.Test(8, x86.At(x86.RCX, u.At), x86.Imm(what))
}

// tellBefore leaves before the present instruction if the hook wants to know what it accesses.
func (e listener) tellBefore(u *program.Op) {
	if !e.watched || !u.TouchesMemory() && u.Ins.Op != tesla.OpVote {
		return
	}
	e.wants(u, wantsBefore)
	label := e.a.NewLabel()
	e.a.Jcc(x86.NE, label)
	e.atRest(label, func() {
		e.a.Mov(32, frAt, x86.Imm(int64(u.At)))
		e.a.Mov(32, frExit, x86.Imm(int64(exitBefore)))
		e.a.Jmp(e.out)
	})
	e.told[u.At] = e.a.NewLabel()
	e.enterFrom(e.told[u.At])
}

// notePartial notes the lanes of frame.guard, which execute u, if others run too. RAX has the number
// of these.
func (e listener) notePartial(u *program.Op) {
	if !e.watched {
		return
	}
	done := e.a.NewLabel()
	e.a.Test(32, x86.R(x86.RAX), x86.R(x86.RAX))
	e.a.Jcc(x86.E, done)
	e.a.Mov(32, x86.R(x86.RAX), frGuard)
	e.noteCut(u, u.At+1, x86.R(x86.RAX))
	e.a.Bind(done)
}

// noteCut notes that straight code of lanes ends with u, which some of them execute, and that the
// lanes go on at an index. Only RCX changes.
func (e listener) noteCut(u *program.Op, next int32, executed x86.Operand) {
	e.note(x86.RCX, cut{end: x86.Imm(int64(u.At)), next: x86.Imm(int64(next)), executed: executed, lanes: x86.Imm(0)})
}

// noteMove notes that lanes part or meet at the instruction in regFrom. The lanes that go on come to
// the instruction in regTo. Only the scratch register changes.
func (e listener) noteMove(scratch x86.Reg, executed, lanes x86.Operand, kind engine.CutKind) {
	e.note(scratch, cut{end: x86.R(regFrom), next: x86.R(regTo), executed: executed, lanes: lanes, kind: kind})
}

// noteSide is note for a side of a fork. RAX, which the cut may name, has the lanes of the other side.
func (e listener) noteSide(c cut) {
	if e.watched {
		e.a.Mov(32, x86.R(x86.RAX), frOther)
		e.note(x86.RCX, c)
	}
}

// cut is an engine.Cut in registers and immediates; end is the index of the last instruction.
type cut struct {
	end, next, executed, lanes x86.Operand
	kind                       engine.CutKind
}

// note notes a cut, if a recorder is there. Only the scratch register changes.
func (e listener) note(scratch x86.Reg, c cut) {
	if !e.watched {
		return
	}
	e.record(scratch, func(to func(field uintptr) x86.Operand) {
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.End)), c.end)
		e.a.Inc(32, to(unsafe.Offsetof(engine.Cut{}.End)))
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Next)), c.next)
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Executed)), c.executed)
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Lanes)), c.lanes)
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Kind)), x86.Imm(int64(c.kind)))
	})
}

// record adds a cut, whose fields fill writes, if a recorder is there.
func (e listener) record(scratch x86.Reg, fill func(to func(field uintptr) x86.Operand)) {
	done := e.a.NewLabel()
	e.a.Mov(64, x86.R(scratch), frCut)
	e.a.Test(64, x86.R(scratch), x86.R(scratch))
	e.a.Jcc(x86.E, done)
	fill(func(field uintptr) x86.Operand { return x86.At(scratch, int32(field)) })
	e.a.Add(64, frCut, x86.Imm(int64(unsafe.Sizeof(engine.Cut{}))))
	e.a.Bind(done)
}

// noteTurn notes that the turn of the warp in regWarp begins: see emitter.takeOver.
func (e listener) noteTurn() {
	if !e.watched {
		return
	}
	ax := x86.R(x86.RAX)
	e.record(x86.R10, func(to func(field uintptr) x86.Operand) {
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Kind)), x86.Imm(int64(engine.TurnBegins)))
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Warp)), x86.R(regWarp))
		e.a.Mov(64, ax, reTime)
		e.a.Mov(64, to(unsafe.Offsetof(engine.Cut{}.Time)), ax)
		e.a.Mov(64, ax, frKept)
		e.a.Mov(64, to(unsafe.Offsetof(engine.Cut{}.Kept)), ax)
		e.a.Mov(32, ax, reAt)
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Next)), ax)
		e.a.Mov(32, ax, reLanes)
		e.a.Mov(32, to(unsafe.Offsetof(engine.Cut{}.Lanes)), ax)
	})
}

// room goes to full before a control instruction if there is no room for the cuts and the values up
// to the next one. RAX changes.
func (e listener) room(full func() x86.Label) {
	if !e.watched {
		return
	}
	e.a.Mov(64, x86.R(x86.RAX), frCut)
	e.a.Cmp(64, x86.R(x86.RAX), frMostCut)
	away := full()
	e.a.Jcc(x86.AE, away)
	e.a.Mov(64, x86.R(x86.RAX), frKept)
	e.a.Cmp(64, x86.R(x86.RAX), frMostKept)
	e.a.Jcc(x86.AE, away)
}
