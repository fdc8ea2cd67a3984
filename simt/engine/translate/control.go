package translate

import (
	"jacquard/simt/branch"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// control translates a control instruction. Code goes on past the instruction if the turn is not
// over, the policy need not be told, and all lanes go one way.
func (e *emitter) control(u *program.Op) {
	e.Mode(vector.ModeFloat)
	e.count()
	joins := u.Marker == tesla.MarkerJoin && u.Event == 0 && !u.MayFault && !(e.watched && u.Acts)
	if u.Acts && !joins || u.Marker == tesla.MarkerExit || !u.Acts && u.Skippable() == 0 || e.arrives(u) {
		if !e.exit(u) {
			e.never(u)
		}
		e.enterNext()
		e.alone(u)
		return
	}
	away := e.leave(exitControl)
	e.a.Cmp(64, x86.R(regSteps), frRoom)
	e.a.Jcc(x86.AE, away)
	listener{e}.room(func() x86.Label { return e.leave(exitFull) })
	switch {
	case joins:
		e.join(u, away)
	case u.Event == branch.JoinAt || u.Event == branch.BreakAddr:
		e.announce(u, away)
	case u.Event == branch.Call && u.To >= 0 && !e.stops:
		e.enterFunction(u, away)
		return
	default:
		listener{e}.tells(u)
		if u.Event == branch.Branch && u.Guarded && u.To >= 0 {
			e.a.Jcc(x86.NE, listener{e}.unlessTaken(u, away))
		} else {
			e.a.Jcc(x86.NE, away)
		}
		if u.Event == branch.Branch || u.Event == branch.Break || u.Event == branch.Return {
			e.branch(u, away)
		} else {
			e.pending++
		}
	}
	e.reenter(int(u.At) + 1)
}

// alone makes an entry for what a control instruction does besides its event.
func (e *emitter) alone(u *program.Op) {
	if !u.Acts || u.MayFault || u.Refusal != nil || translations[u.Ins.Op] == nil || !e.readable(u) {
		return
	}
	e.cold = append(e.cold, func() {
		label := e.a.NewLabel()
		e.a.Bind(label)
		e.acts[u.At] = label
		e.index, e.pending = int(u.At), 0
		e.Assume(vector.ModeFloat)
		why := exitDone
		if !e.tried(u) {
			why = exitSlow
		}
		e.Mode(vector.ModeFloat)
		e.saveAll()
		e.forget()
		e.leaveAt(int(u.At), why)
	})
}

// never leaves at an instruction that only the schedule executes.
func (e *emitter) never(u *program.Op) {
	e.saveAll()
	e.forget()
	e.loop = nil
	if e.arrives(u) {
		e.a.Mov(32, x86.R(x86.RCX), x86.Imm(int64(u.At)))
		e.a.Jmp(e.arriving)
	} else {
		e.leaveAt(int(u.At), exitControl)
	}
}

// branch translates a branch, a break or a return.
func (e *emitter) branch(u *program.Op, away x86.Label) {
	if u.Event != branch.Branch || u.To < 0 {
		leave := e.leaveFunction
		switch {
		case u.Event == branch.Break:
			leave = e.leaveRegion
		case u.Event == branch.Branch: // to no instruction
			leave = func(_ *program.Op, away x86.Label) { e.a.Jmp(away) }
		case e.relays() && !e.quads && !e.calls:
			leave = e.returnFromKernel
		}
		if !u.Guarded {
			leave(u, away)
			e.afterJump()
			return
		}
		e.cond(u.Guard.Reg, uint8(u.Guard.Cond))
		e.a.And(32, x86.R(x86.RAX), x86.R(regMask))
		some := e.a.NewLabel()
		e.a.Jcc(x86.NE, some)
		e.aside(func() {
			e.a.Bind(some)
			e.a.Cmp(32, x86.R(x86.RAX), x86.R(regMask))
			e.a.Jcc(x86.NE, e.breakOff(u, false, away))
			leave(u, away)
		})
		e.noneTakes(u)
		return
	}
	if !u.Guarded {
		e.jump(u, away)
		e.afterJump()
		return
	}
	e.cond(u.Guard.Reg, uint8(u.Guard.Cond))
	some, none := e.a.NewLabel(), e.a.NewLabel()
	e.a.And(32, x86.R(x86.RAX), x86.R(regMask))
	if !e.backward(u) {
		e.a.Jcc(x86.NE, some)
		part := e.fork(u, e.part(u, away))
		e.aside(func() {
			e.a.Bind(some)
			e.a.Cmp(32, x86.R(x86.RAX), x86.R(regMask))
			e.a.Jcc(x86.NE, part)
			e.jump(u, away)
		})
		e.noneTakes(u)
		return
	}
	// A backward branch is usually taken.
	e.a.Jcc(x86.E, none)
	e.a.Cmp(32, x86.R(x86.RAX), x86.R(regMask))
	e.a.Jcc(x86.NE, e.part(u, away))
	e.keepState(func() { e.jump(u, away) })
	e.a.Bind(none)
	e.noneTakes(u)
}

func (e *emitter) backward(u *program.Op) bool { return u.To <= u.At }

// keepState emits code that ends with a jump, and restores the state of registers.
func (e *emitter) keepState(f func()) {
	state, pending := e.cells, e.pending
	f()
	e.cells, e.pending = state, pending
}

// aside emits code that ends with a jump, in the cold part, in the present state.
func (e *emitter) aside(f func()) {
	state, pending, at, l := e.cells, e.pending, e.index, e.loop
	e.cold = append(e.cold, func() {
		e.cells, e.pending, e.index, e.loop = state, pending, at, l
		f()
		e.blank()
		e.loop = nil
	})
}

// jump takes branch u with all lanes.
func (e *emitter) jump(u *program.Op, away x86.Label) {
	low, high := min(u.At, u.To), max(u.At, u.To)
	// The policy must be asked at frame.stop, so the code leaves if the branch leads past it.
	if e.stops && high-low > 1 {
		e.a.Mov(32, x86.R(x86.RAX), frStop)
		e.a.Sub(32, x86.R(x86.RAX), x86.Imm(int64(low)+1))
		e.a.Cmp(32, x86.R(x86.RAX), x86.Imm(int64(high-low-1)))
		e.a.Jcc(x86.B, away)
	}
	e.a.Inc(64, x86.R(regSteps))
	e.a.Inc(32, frBranches)
	if u.To != u.At+1 {
		e.a.Dec(64, x86.At(regIssues, 8*(u.At+1)))
		e.a.Inc(64, x86.At(regIssues, 8*u.To))
	}
	e.a.Mov(64, x86.R(x86.RAX), frTaken)
	e.a.Inc(64, x86.At(x86.RAX, 8*u.At))
	listener{e}.noteCut(u, u.To, x86.R(regMask))
	e.edge(int(u.To))
}

// noneTakes goes on after a branch that no lane takes.
func (e *emitter) noneTakes(u *program.Op) {
	e.a.Mov(64, x86.R(x86.RAX), frNotTaken)
	e.a.Inc(64, x86.At(x86.RAX, 8*u.At))
	if u.Event == branch.Branch {
		e.a.Inc(32, frBranches)
	}
	listener{e}.noteCut(u, u.At+1, x86.Imm(0))
	e.pending++
}

// afterJump begins code that nothing falls through to.
func (e *emitter) afterJump() {
	e.forget()
	e.loop, e.pending = nil, 0
	e.enterNext()
}

// cond computes the lanes for which a condition holds on a condition register in EAX; idle lanes
// hold anything. It changes ECX too. See lane.Condition.
func (e *emitter) cond(reg, cond uint8) {
	switch {
	case e.plainCond(reg, cond):
	case e.plainCond(reg, cond^0x0f): // the complement
		e.a.Not(32, x86.R(x86.RAX))
	default: // invalid: it holds for no lane
		e.a.Xor(32, x86.R(x86.RAX), x86.R(x86.RAX))
	}
}

// plainCond is cond for one condition of each complementary pair. For other conditions it reports
// false, and emits nothing.
func (e *emitter) plainCond(reg, cond uint8) bool {
	flags := func(i int32) x86.Operand {
		return x86.At(regFlags, int32(reg)*int32(machine.FlagStep)+4*i)
	}
	z, s, c, o := flags(0), flags(1), flags(2), flags(3)
	ax, cx := x86.R(x86.RAX), x86.R(x86.RCX)
	switch cond {
	case 0x00: // always
		e.a.Mov(32, ax, x86.Imm(-1))
	case 0x01: // l
		e.a.Mov(32, cx, z)
		e.a.Andn(32, x86.RAX, x86.RCX, s)
		e.a.Xor(32, ax, o)
	case 0x02: // e
		e.a.Mov(32, cx, s)
		e.a.Andn(32, x86.RAX, x86.RCX, z)
	case 0x03: // le
		e.a.Mov(32, ax, z)
		e.a.Or(32, ax, o)
		e.a.Xor(32, ax, s)
	case 0x08: // u
		e.a.Mov(32, ax, z)
		e.a.And(32, ax, s)
	case 0x09: // lu
		e.a.Mov(32, ax, s)
		e.a.Xor(32, ax, o)
	case 0x0a: // eu
		e.a.Mov(32, ax, z)
	case 0x0b: // leu
		e.a.Mov(32, ax, s)
		e.a.Xor(32, ax, o)
		e.a.Or(32, ax, z)
	case 0x10: // o
		e.a.Mov(32, ax, o)
	case 0x11: // c
		e.a.Mov(32, ax, c)
	case 0x12: // a
		e.a.Mov(32, cx, z)
		e.a.Andn(32, x86.RAX, x86.RCX, c)
	case 0x13: // s
		e.a.Mov(32, ax, s)
	default:
		return false
	}
	return true
}
