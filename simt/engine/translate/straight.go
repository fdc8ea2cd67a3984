package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// translation translates an instruction for the lanes of emitter.lanes. It reports false, before it
// emits anything, if the interpreter has to execute the instruction.
type translation func(e *emitter, u *program.Op) bool

// translations has the operations that have code.
var translations = map[tesla.Op]translation{
	tesla.OpNop:         (*emitter).nothing,
	tesla.OpMov:         (*emitter).move,
	tesla.OpMovFromAddr: (*emitter).moveFromAddress,
	tesla.OpShlToAddr:   (*emitter).shiftToAddress,
	tesla.OpAddAddr:     (*emitter).addAddress,
	tesla.OpIAdd:        (*emitter).add,
	tesla.OpIMul:        (*emitter).multiply,
	tesla.OpIMad:        (*emitter).multiplyAdd,
	tesla.OpISad:        (*emitter).absoluteDifference,
	tesla.OpIMin:        (*emitter).extreme,
	tesla.OpIMax:        (*emitter).extreme,
	tesla.OpShl:         (*emitter).shift,
	tesla.OpShr:         (*emitter).shift,
	tesla.OpLogic:       (*emitter).logic,
	tesla.OpISet:        (*emitter).compareIntegers,
	tesla.OpCvt:         (*emitter).convert,

	tesla.OpMovFromCond: (*emitter).moveFromCondition,
	tesla.OpMovToCond:   (*emitter).moveToCondition,
	tesla.OpVote:        (*emitter).vote,

	tesla.OpMovFromSpecial: (*emitter).clock,

	tesla.OpRcp:    (*emitter).special,
	tesla.OpRsqrt:  (*emitter).special,
	tesla.OpLg2:    (*emitter).special,
	tesla.OpSin:    (*emitter).special,
	tesla.OpCos:    (*emitter).special,
	tesla.OpEx2:    (*emitter).special,
	tesla.OpPreSin: (*emitter).reduce,
	tesla.OpPreEx2: (*emitter).reduce,

	tesla.OpDAdd: (*emitter).doubleBinary,
	tesla.OpDMul: (*emitter).doubleBinary,
	tesla.OpDMin: (*emitter).doubleBinary,
	tesla.OpDMax: (*emitter).doubleBinary,
	tesla.OpDFma: (*emitter).doubleFma,
	tesla.OpDSet: (*emitter).doubleCompare,

	tesla.OpFAdd: (*emitter).floatAdd,
	tesla.OpFMul: (*emitter).floatMultiply,
	tesla.OpFMad: (*emitter).floatMultiplyAdd,
	tesla.OpFMin: (*emitter).floatExtreme,
	tesla.OpFMax: (*emitter).floatExtreme,
	tesla.OpFSet: (*emitter).floatCompare,
	tesla.OpSlct: (*emitter).floatSelect,

	tesla.OpLdConst:  (*emitter).access,
	tesla.OpLdLocal:  (*emitter).access,
	tesla.OpStLocal:  (*emitter).access,
	tesla.OpLdGlobal: (*emitter).access,
	tesla.OpStGlobal: (*emitter).access,
	tesla.OpLdShared: (*emitter).access,
	tesla.OpStShared: (*emitter).access,

	tesla.OpTexFetch: (*emitter).lookUp,
	tesla.OpTexAuto:  (*emitter).lookUp,
	tesla.OpTexBias:  (*emitter).lookUp,
	tesla.OpTexLod:   (*emitter).lookUp,
}

// nothing translates an instruction that does nothing.
func (e *emitter) nothing(u *program.Op) bool {
	e.begin(u)
	return true
}

// straight translates an instruction that is no control instruction.
// It reports false if the interpreter executes the instruction.
func (e *emitter) straight(u *program.Op) bool {
	if e.tried(u) {
		return true
	}
	e.slow()
	return false
}

// tried translates u, and reports whether it has a translation. If not, the emitted code does no
// harm.
func (e *emitter) tried(u *program.Op) bool {
	f := translations[u.Ins.Op]
	e.prepare(u)
	ok := f != nil && e.readable(u) && f(e, u)
	if ok {
		e.stepAddresses(u)
		e.countWords(u)
		e.countOff(u) // at the end: the interpreter counts what code leaves to it
	}
	e.freeTemporaries()
	e.endAccess()
	e.guarded = false
	return ok
}

// prepare makes u the present instruction.
func (e *emitter) prepare(u *program.Op) {
	e.guarded, e.lanes = u.Guarded || e.inSide, e.running()
	if u.Guarded {
		e.lanes = frGuard
	}
}

// countOff counts the lanes for which the guard of u does not hold.
func (e *emitter) countOff(u *program.Op) {
	if !u.Guarded {
		return
	}
	e.a.Mov(32, x86.R(x86.RAX), frGuard)
	e.a.Xor(32, x86.R(x86.RAX), e.running())
	e.a.Popcnt(32, x86.RAX, x86.R(x86.RAX))
	e.a.Mov(64, x86.R(x86.RCX), frOff)
	e.a.Add(64, x86.At(x86.RCX, 8*u.At), x86.R(x86.RAX))
	listener{e}.notePartial(u)
}

// running is the lanes that run.
func (e *emitter) running() x86.Operand {
	if e.inSide {
		return e.sideLanes
	}
	return x86.R(regMask)
}

// begin starts the code of u. With a guard, it computes the lanes.
func (e *emitter) begin(u *program.Op) {
	if u.Guarded {
		e.cond(u.Guard.Reg, uint8(u.Guard.Cond))
		e.a.And(32, x86.R(x86.RAX), e.running())
		e.a.Mov(32, frGuard, x86.R(x86.RAX))
	}
	for i := range u.Src {
		if m := u.Src[i].Mode; m == program.SrcSharedAt || m == program.SrcConstAt {
			e.operandAt(u, i)
		}
	}
}

// readable reports whether code can read the operands of u.
func (e *emitter) readable(u *program.Op) bool {
	memory := 0
	for i := range u.Src {
		switch x := &u.Src[i]; x.Mode {
		case program.SrcSharedAt, program.SrcConstAt:
			if memory++; memory > 1 {
				return false
			}
		}
	}
	return true
}

// parts calls f for each part of a row.
func (e *emitter) parts(f func(part int)) {
	for part := range int(rowBytes / e.bytes) {
		e.step()
		f(part)
		e.freeTemporaries()
	}
}

// result stores a part of the result of u, whose register the caller owns, as its destination
// wants.
func (e *emitter) result(u *program.Op, part int, v vector.Vec) {
	if u.Clamp {
		c := e.FSat(v)
		e.Free(v)
		v = c
	}
	e.keep(u, part, v)
}

// keep is result for a clamped vector.
func (e *emitter) keep(u *program.Op, part int, v vector.Vec) {
	row := int(u.Dst.Index)
	switch u.Dst.Mode {
	case program.DstReg:
		e.assign(row, part, v)
	case program.DstLow, program.DstHigh:
		insert := e.InsertLow
		if u.Dst.Mode == program.DstHigh {
			insert = e.InsertHigh
		}
		d := insert(e.get(row, part), v)
		e.Free(v)
		e.assign(row, part, d)
	default:
		e.Free(v)
	}
}

// op is an operation on a vector and a source, into a new vector.
func (e *emitter) op(op x86.VOp, a vector.Vec, b vector.Source) vector.Vec {
	d := e.Vec()
	e.a.V(x86.Ins{Op: op, L: e.width, D: uint8(d), S: uint8(a), RM: operand(b)})
	return d
}

// copy is a new vector with the words of a source.
func (e *emitter) copy(a vector.Source) vector.Vec {
	d := e.Vec()
	e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: e.width, D: uint8(d), RM: operand(a)})
	return d
}

// operand is a source as the assembler takes it.
func operand(s vector.Source) x86.Operand {
	if v, ok := s.(vector.Vec); ok {
		return x86.V(uint8(v))
	}
	return x86.Operand(s.(vector.Mem))
}
