package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// special translates a special function, which writes no flags.
func (e *emitter) special(u *program.Op) bool {
	if m := e.p.Kernel.Modes; m.SatNaNZero {
		return false
	}
	f := map[tesla.Op]func([2]vector.Vec) [2]vector.Vec{
		tesla.OpRcp: e.Rcp, tesla.OpRsqrt: e.Rsqrt, tesla.OpLg2: e.Lg2,
		tesla.OpSin: e.Sin, tesla.OpCos: e.Cos, tesla.OpEx2: e.Ex2,
	}[u.Ins.Op]
	e.begin(u)
	for part := 0; part < int(rowBytes/e.bytes); part += 2 {
		e.step()
		d := f([2]vector.Vec{e.vector(u, 0, part), e.vector(u, 0, part+1)})
		e.freeTemporaries()
		e.result(u, part, d[0])
		e.result(u, part+1, d[1])
	}
	return true
}

// reduce translates the reduction before a special function.
func (e *emitter) reduce(u *program.Op) bool {
	f := e.PreSin
	if u.Ins.Op == tesla.OpPreEx2 {
		f = e.PreEx2
	}
	e.begin(u)
	e.parts(func(part int) { e.result(u, part, f(e.vector(u, 0, part))) })
	return true
}

// clock translates the move of the clock to a register.
func (e *emitter) clock(u *program.Op) bool {
	if u.Ins.Src[0].Index != program.SpecialClock || e.inSide {
		return false
	}
	e.begin(u)
	e.parts(func(part int) {
		e.a.Mov(32, x86.R(x86.RAX), frClock)
		e.a.Add(32, x86.R(x86.RAX), x86.R(regSteps))
		if e.pending > 0 {
			e.a.Add(32, x86.R(x86.RAX), x86.Imm(int64(e.pending)))
		}
		e.result(u, part, e.fromGeneral(x86.RAX))
	})
	return true
}

// vote translates a vote: the guard field is data.
func (e *emitter) vote(u *program.Op) bool {
	e.cond(u.Ins.Guard.Reg, uint8(u.Ins.Guard.Cond))
	s := x86.R(vector.RegS)
	e.a.And(32, x86.R(x86.RAX), e.running())
	e.a.Xor(32, s, s)
	if u.Ins.Vote == tesla.VoteAny {
		e.a.Cmp(32, s, x86.R(x86.RAX)) // carry: some
	} else {
		e.a.Xor(32, x86.R(x86.RAX), e.running())
		e.a.Cmp(32, x86.R(x86.RAX), x86.Imm(1)) // carry: all
	}
	e.a.Sbb(32, s, s)
	e.a.Mov(32, x86.R(vector.RegZ), s)
	e.a.Not(32, x86.R(vector.RegZ))
	e.putFlags(u, "zs")
	return true
}

// moveFromCondition translates the move of flags to a register, one bit per flag.
func (e *emitter) moveFromCondition(u *program.Op) bool {
	e.begin(u)
	e.parts(func(part int) {
		var d vector.Vec
		for i := range int32(4) {
			m := e.FromMemory(x86.At(regFlags, int32(u.CIn)*int32(machine.FlagStep)+4*i), part)
			all := e.Expand(m)
			e.FreeMask(m)
			bit := e.And(all, e.Literal(1<<i))
			e.Free(all)
			if i == 0 {
				d = bit
				continue
			}
			sum := e.Or(d, bit)
			e.Free(d, bit)
			d = sum
		}
		e.result(u, part, d)
	})
	return true
}

// moveToCondition translates the move of a register to flags.
func (e *emitter) moveToCondition(u *program.Op) bool {
	e.begin(u)
	e.parts(func(part int) {
		v, zero := e.vector(u, 0, part), e.temporary(e.Constant(0))
		for i, to := range []x86.Reg{vector.RegZ, vector.RegS, vector.RegC, vector.RegO} {
			top := e.ShlBy(v, uint32(31-i))
			e.Collect(e.CompareS(top, zero, 1), part, to)
			e.Free(top)
		}
	})
	e.putFlags(u, "zsco")
	return true
}
