package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
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

func bindMov(b *binder, u *op) {
	u.exec, u.k1 = exec1, b.k.Move
	if u.Ins.Idle != 0 {
		u.exec = execMovLanes
	}
}

func bindAccess(exec execFunc) func(*binder, *op) {
	return func(_ *binder, u *op) {
		u.exec = exec
		if u.Space == program.SpaceUnmapped {
			u.exec = execNoWindow
		}
	}
}

func bindLoadShared(_ *binder, u *op) {
	u.exec = execLoad
	if u.Ins.Mods&tesla.Lock != 0 {
		u.exec = execLoadLock
	}
}

func bindStoreShared(_ *binder, u *op) {
	u.exec = execStore
	if u.Ins.Mods&tesla.Unlock != 0 {
		u.exec = execStoreUnlock
	}
}

// adder prepares u for Engine.add. It reports whether the kernel in u.k2 is all there
// is to it, with the operands swapped for subr.
func (b *binder) adder(u *op) (alone bool) {
	u.k2 = b.k.Add
	if u.Arith == tesla.Sub || u.Arith == tesla.SubR {
		u.k2 = b.k.Sub
	}
	return !u.Sat && u.CDst == program.NoCond && u.Arith != tesla.AddC
}

func bindIAdd(b *binder, u *op) {
	u.exec = execIAdd
	if b.adder(u) {
		u.exec = exec2
		if u.Arith == tesla.SubR {
			u.Src[0], u.Src[1] = u.Src[1], u.Src[0]
		}
	}
}

// factors returns the kernel that multiplies two factors.
func (b *binder) factors(u *op) lane.Binary {
	t, high := u.Ins.Type, u.Ins.Mods&tesla.High != 0
	switch {
	case program.WidthOf(t) == 16:
		return b.k.Mul
	case t == tesla.S24 && high:
		return b.k.Mul24HiS
	case t == tesla.S24:
		return b.k.Mul24LoS
	case high:
		return b.k.Mul24HiU
	default:
		return b.k.Mul24LoU
	}
}

// halves reports whether both factors are unsigned halves of registers that the kernel
// owns. If so, the sources become the whole registers, for a kernel that knows which half.
func (b *binder) halves(u *op) (aHigh, bHigh, ok bool) {
	for i := range 2 {
		x := &u.Src[i]
		if x.Mode != program.SrcLow && x.Mode != program.SrcHigh || x.Signed || int(x.Index) >= b.p.Kernel.Registers {
			return false, false, false
		}
	}
	aHigh, bHigh = u.Src[0].Mode == program.SrcHigh, u.Src[1].Mode == program.SrcHigh
	u.Src[0].Mode, u.Src[1].Mode = program.SrcReg, program.SrcReg
	return aHigh, bHigh, true
}

func bindIMul(b *binder, u *op) {
	u.exec, u.k2 = exec2, b.factors(u)
	if aHigh, bHigh, ok := b.halves(u); ok {
		u.k2 = b.k.MulHalves(aHigh, bHigh)
	}
	u.flagged(resultFlags)
}

func bindIMad(b *binder, u *op) {
	u.product = b.factors(u)
	u.exec = execIMad
	if b.adder(u) && u.Arith == tesla.Add && program.WidthOf(u.Ins.Type) == 16 {
		u.exec, u.k3 = exec3, b.k.MulAdd
		if aHigh, bHigh, ok := b.halves(u); ok {
			u.k3 = b.k.MulAddHalves(aHigh, bHigh)
		}
	}
}

func bindISad(b *binder, u *op) {
	b.adder(u)
	u.exec, u.product = execIMad, b.k.AbsDiffU
	if program.IsSigned(u.Ins.Type) {
		u.product = b.k.AbsDiffS
	}
}

func bindMinMax(kernels func(k *lane.Kernels) (unsigned, signed lane.Binary)) func(*binder, *op) {
	return func(b *binder, u *op) {
		unsigned, signed := kernels(b.k)
		u.exec, u.k2 = exec2, unsigned
		if program.IsSigned(u.Ins.Type) {
			u.k2 = signed
		}
		u.flagged(resultFlags)
	}
}

func bindLogic(b *binder, u *op) {
	u.exec = exec2
	u.flagged(resultFlags)
	switch u.Ins.Logic {
	case tesla.And:
		u.k2 = b.k.And
	case tesla.Or:
		u.k2 = b.k.Or
	case tesla.Xor:
		u.k2 = b.k.Xor
	default:
		// The first operand is fetched all the same: it may fault, or move its address register.
		u.k2 = func(d, _, second lane.Rows, s *lane.Sel) { b.k.Move(d, second, s) }
	}
}

func bindShift(b *binder, u *op) {
	u.k2, u.shiftFlags = b.k.Shl, b.k.ShlFlags
	if u.Ins.Op == tesla.OpShr {
		u.k2, u.shiftFlags = b.k.ShrU, b.k.ShrUFlags
		if program.IsSigned(u.Ins.Type) {
			u.k2, u.shiftFlags = b.k.ShrS, b.k.ShrSFlags
		}
	}
	u.exec = exec2
	if u.CDst != program.NoCond {
		u.exec = execShift
	}
}

func bindISet(b *binder, u *op) {
	u.exec, u.compare = execSet, b.k.CompareU
	if program.IsSigned(u.Ins.Type) {
		u.compare = b.k.CompareS
	}
}

// bindFloat2 binds an operation on two f32 sources, with its kernels for rounding to
// nearest and towards zero: the only modes there are.
func bindFloat2(kernels func(k *lane.Kernels) (nearest, zero lane.Binary)) func(*binder, *op) {
	return func(b *binder, u *op) {
		nearest, zero := kernels(b.k)
		u.exec, u.k2 = exec2, nearest
		if u.Ins.Round == tesla.RZ {
			u.k2 = zero
		}
		u.flagged(floatFlags)
	}
}

// bindFAdd has a subtraction do what changing a source's sign would.
func bindFAdd(b *binder, u *op) {
	bindFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FAddRN, k.FAddRZ })(b, u)
	if u.Ins.Round == tesla.RZ {
		return
	}
	for i := range 2 {
		if unsign(&u.Src[i]) {
			u.Src[0], u.Src[1] = u.Src[1-i], u.Src[i]
			u.k2 = b.k.FSubRN
			return
		}
	}
}

// unsign takes from a source that its sign is changed, and reports whether there was anything to
// take. In a launch-wide row it costs nothing.
func unsign(x *program.Source) bool {
	if x.Mode == program.SrcRow || x.Fix&program.FixNeg == 0 {
		return false
	}
	x.Fix &^= program.FixNeg
	return true
}

// bindFMad has another kernel change a sign.
func bindFMad(b *binder, u *op) {
	switch {
	case unsign(&u.Src[2]):
		u.k3 = b.k.FMsub
	case unsign(&u.Src[0]) || unsign(&u.Src[1]):
		u.k3 = b.k.FNmad
	default:
		u.k3 = b.k.FMad
	}
	u.exec = exec3
	u.flagged(floatFlags)
}

func bindFSet(b *binder, u *op) { u.exec, u.compare = execSet, b.k.FCompare }

func bindSlct(b *binder, u *op) {
	u.exec, u.k3 = exec3, b.k.FSlct
	u.flagged(func(eng *Engine, u *op, d lane.Rows, s *lane.Sel) { eng.lanes.FSlctFlags(eng.Flags[u.CDst], d, s) })
}

// bindSFU binds a special function. They write no flags.
func bindSFU(kernel func(k *lane.Kernels) lane.Unary) func(*binder, *op) {
	return func(b *binder, u *op) { u.exec, u.k1 = exec1, kernel(b.k) }
}

func bindQuadOp(_ *binder, u *op) {
	u.exec = execQuadOp
	u.flagged(floatFlags)
}

// bindDouble binds an operation whose sources and result are doubles.
func bindDouble(compute func(eng *Engine, u *op, d lane.Rows64, s *lane.Sel)) func(*binder, *op) {
	return bindExec(func(eng *Engine, u *op, s *lane.Sel) bool {
		d := eng.wideScratch(tmpData)
		compute(eng, u, d, s)
		if u.CDst != program.NoCond {
			eng.lanes.DFlags(eng.Flags[u.CDst], d, s)
		}
		eng.storeWide(u, d, s)
		return true
	})
}

func bindCvt(b *binder, u *op) {
	in := u.Ins
	x, sat, integral := &in.Src[0], in.Mods&tesla.Sat != 0, in.Mods&tesla.Integral != 0
	if program.IsWide(in.Type) || program.IsWide(in.From) {
		u.exec = execCvtWide
		u.wide, _ = b.k.CvtKernel64(in.Type, in.From, in.Round, integral, x.Abs, x.Neg, sat)
		return
	}
	u.exec = exec1
	u.k1, _ = b.k.CvtKernel(in.Type, in.From, in.Round, integral, x.Abs, x.Neg, sat)
	if u.CDst != program.NoCond {
		u.cvtFlags, _ = b.k.CvtFlags(in.Type)
		u.flags = func(eng *Engine, u *op, d lane.Rows, s *lane.Sel) { u.cvtFlags(eng.Flags[u.CDst], d, s) }
	}
}

// applyModes replaces what u executes if a mode bit asks for other arithmetic.
func (b *binder) applyModes(u *op) {
	k, in := &b.p.Kernel, u.Ins
	if k.Modes.MulZeroWins && in.Op == tesla.OpFMul {
		u.k2 = lane.FMulZeroWins(in.Round)
	}
	if !k.Modes.SatNaNZero || k.Arch < tesla.SM12 || in.Mods&tesla.Sat == 0 {
		return
	}
	switch in.Op {
	case tesla.OpFAdd, tesla.OpFMul, tesla.OpFMad, tesla.OpEx2:
		u.exec, u.Clamp = execSatNaNZero, false
	case tesla.OpCvt:
		if kernel := u.k1; kernel != nil {
			u.k1 = func(d, a lane.Rows, s *lane.Sel) { convertNaNToZero(kernel, in.From, d, a, s) }
		}
	}
}

func execNothing(*Engine, *op, *lane.Sel) bool { return true }

// execOffCode is what is behind the end of the code, and everywhere else where no
// instruction starts.
func execOffCode(eng *Engine, u *op, s *lane.Sel) bool {
	return eng.Raise(machine.FaultInvalidPC, int(s.Warp[0]), s.Mask[0], offCode(u.PC))
}

func execRefused(eng *Engine, u *op, s *lane.Sel) bool {
	return eng.Raise(machine.RefusedKind(u.Refusal), int(s.Warp[0]), s.Mask[0], u.Refusal.Reason)
}

func execTrap(eng *Engine, _ *op, s *lane.Sel) bool {
	return eng.Raise(machine.FaultTrap, int(s.Warp[0]), s.Mask[0], "")
}
