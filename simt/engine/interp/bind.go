package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// op is an instruction with the functions and kernels that execute it. The lowered instruction is
// the engine's own copy: some operands change for kernels that fetch them in another way.
type op struct {
	exec execFunc // what it does to registers and memory; nil if nothing
	program.Op

	unfinished bool // the result is to be clamped, moved or looked at for flags

	k1    lane.Unary
	k2    lane.Binary
	k3    lane.Ternary
	flags flagFunc // flags of the result; nil if none are written or exec sets them itself

	product    lane.Binary // multiply-add: the first step
	compare    lane.Comparison
	wide       func(d, a lane.Rows64, f []lane.Flags, s *lane.Sel) // conversions with a 64-bit side
	cvtFlags   func(f []lane.Flags, r lane.Rows, s *lane.Sel)
	shiftFlags func(f []lane.Flags, a, n lane.Rows, width int, s *lane.Sel)
}

// execFunc carries out an instruction for the lanes of s. It reports false after setting
// Raised; then nothing of the faulting warp's instruction has happened.
type execFunc func(eng *Engine, u *op, s *lane.Sel) bool

// flagFunc replaces the flags of $c u.CDst by those of the result in d.
type flagFunc func(eng *Engine, u *op, d lane.Rows, s *lane.Sel)

// binder gives the Ops of one program their functions and kernels.
type binder struct {
	p *program.Program
	k *lane.Kernels
}

// binding lists, for every operation that does something, what executes it.
// A test checks that the list is complete.
var binding = map[tesla.Op]func(*binder, *op){
	tesla.OpMov:            bindMov,
	tesla.OpMovFromCond:    bindExec(execMovFromCond),
	tesla.OpMovFromAddr:    bindExec(execMovFromAddr),
	tesla.OpMovFromSpecial: bindExec(execMovFromSpecial),
	tesla.OpMovToCond:      bindExec(execMovToCond),
	tesla.OpShlToAddr:      bindExec(execShlToAddr),
	tesla.OpAddAddr:        bindExec(execAddAddr),

	tesla.OpLdConst:  bindAccess(execLoad),
	tesla.OpLdShared: bindLoadShared,
	tesla.OpLdLocal:  bindAccess(execLoad),
	tesla.OpLdGlobal: bindAccess(execLoad),
	tesla.OpStShared: bindStoreShared,
	tesla.OpStLocal:  bindAccess(execStore),
	tesla.OpStGlobal: bindAccess(execStore),
	tesla.OpRed:      bindAccess(execAtomic),
	tesla.OpAtom:     bindAccess(execAtomic),

	tesla.OpIAdd:  bindIAdd,
	tesla.OpIMul:  bindIMul,
	tesla.OpIMad:  bindIMad,
	tesla.OpISad:  bindISad,
	tesla.OpISet:  bindISet,
	tesla.OpIMax:  bindMinMax(func(k *lane.Kernels) (u, s lane.Binary) { return k.MaxU, k.MaxS }),
	tesla.OpIMin:  bindMinMax(func(k *lane.Kernels) (u, s lane.Binary) { return k.MinU, k.MinS }),
	tesla.OpShl:   bindShift,
	tesla.OpShr:   bindShift,
	tesla.OpLogic: bindLogic,
	tesla.OpCvt:   bindCvt,

	tesla.OpFAdd:   bindFAdd,
	tesla.OpFMul:   bindFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FMulRN, k.FMulRZ }),
	tesla.OpFMax:   bindFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FMax, k.FMax }),
	tesla.OpFMin:   bindFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FMin, k.FMin }),
	tesla.OpFMad:   bindFMad,
	tesla.OpFSet:   bindFSet,
	tesla.OpSlct:   bindSlct,
	tesla.OpQuadOp: bindQuadOp,
	tesla.OpRcp:    bindSFU(func(k *lane.Kernels) lane.Unary { return k.Rcp }),
	tesla.OpRsqrt:  bindSFU(func(k *lane.Kernels) lane.Unary { return k.Rsqrt }),
	tesla.OpLg2:    bindSFU(func(k *lane.Kernels) lane.Unary { return k.Lg2 }),
	tesla.OpSin:    bindSFU(func(k *lane.Kernels) lane.Unary { return k.Sin }),
	tesla.OpCos:    bindSFU(func(k *lane.Kernels) lane.Unary { return k.Cos }),
	tesla.OpEx2:    bindSFU(func(k *lane.Kernels) lane.Unary { return k.Ex2 }),
	tesla.OpPreSin: bindSFU(func(k *lane.Kernels) lane.Unary { return k.PreSin }),
	tesla.OpPreEx2: bindSFU(func(k *lane.Kernels) lane.Unary { return k.PreEx2 }),

	tesla.OpDAdd: bindDouble(execDAdd),
	tesla.OpDMul: bindDouble(execDMul),
	tesla.OpDFma: bindDouble(execDFma),
	tesla.OpDMin: bindDouble(execDMin),
	tesla.OpDMax: bindDouble(execDMax),
	tesla.OpDSet: bindExec(execDSet),

	tesla.OpTexFetch: bindExec(execTexFetch),
	tesla.OpTexAuto:  bindExec(execTexSample),
	tesla.OpTexBias:  bindExec(execTexSample),
	tesla.OpTexLod:   bindExec(execTexSample),
	tesla.OpTexSize:  bindExec(execTexSize),

	tesla.OpNop:         bindExec(execNothing),
	tesla.OpPmEvent:     bindExec(execNothing),
	tesla.OpBrkpt:       bindExec(execNothing),
	tesla.OpVote:        bindExec(execVote),
	tesla.OpBraIndirect: bindExec(execIndirect),
	tesla.OpTrap:        bindExec(execTrap),
}

// bind binds one instruction.
func (b *binder) bind(u *op) {
	switch {
	case !u.Acts:
		return
	case u.OffCode:
		u.exec = execOffCode
		return
	case u.Refusal != nil:
		u.exec = execRefused
		return
	}
	binding[u.Ins.Op](b, u)
	b.applyModes(u)
	u.unfinished = u.Clamp || u.flags != nil || u.Dst.Mode == program.DstLow || u.Dst.Mode == program.DstHigh
}

func bindExec(exec execFunc) func(*binder, *op) { return func(_ *binder, u *op) { u.exec = exec } }

// flagged has the flags of the result follow a rule, if the instruction writes a $c.
func (u *op) flagged(rule flagFunc) {
	if u.CDst != program.NoCond {
		u.flags = rule
	}
}
