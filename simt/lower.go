package simt

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// event is the control event of an instruction, 0 for none.
type event = branch.EventKind

// lowerer turns instructions into uops of one program.
type lowerer struct {
	p    *Program
	k    *lane.Kernels // the program's
	rows map[rowDef]int32
}

// lowering lists, for every operation, what makes it executable.
// A test checks that the list is complete.
var lowering = map[tesla.Op]func(*lowerer, *uop, *tesla.Instruction){
	tesla.OpMov:            lowerMov,
	tesla.OpMovFromCond:    lowerMovFromCond,
	tesla.OpMovFromAddr:    lowerMovFromAddr,
	tesla.OpMovFromSpecial: lowerMovFromSpecial,
	tesla.OpMovToCond:      lowerMovToCond,
	tesla.OpShlToAddr:      lowerShlToAddr,
	tesla.OpAddAddr:        lowerAddAddr,

	tesla.OpLdConst:  lowerLoad(spaceConst),
	tesla.OpLdShared: lowerLoad(spaceShared),
	tesla.OpLdLocal:  lowerLoad(spaceLocal),
	tesla.OpLdGlobal: lowerLoad(spaceGlobal),
	tesla.OpStShared: lowerStore(spaceShared),
	tesla.OpStLocal:  lowerStore(spaceLocal),
	tesla.OpStGlobal: lowerStore(spaceGlobal),
	tesla.OpRed:      lowerAtomic,
	tesla.OpAtom:     lowerAtomic,

	tesla.OpIAdd:  lowerIAdd,
	tesla.OpIMul:  lowerIMul,
	tesla.OpIMad:  lowerIMad,
	tesla.OpISad:  lowerISad,
	tesla.OpISet:  lowerISet,
	tesla.OpIMax:  lowerMinMax(func(k *lane.Kernels) (u, s lane.Binary) { return k.MaxU, k.MaxS }),
	tesla.OpIMin:  lowerMinMax(func(k *lane.Kernels) (u, s lane.Binary) { return k.MinU, k.MinS }),
	tesla.OpShl:   lowerShift,
	tesla.OpShr:   lowerShift,
	tesla.OpLogic: lowerLogic,
	tesla.OpCvt:   lowerCvt,

	tesla.OpFAdd:   lowerFAdd,
	tesla.OpFMul:   lowerFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FMulRN, k.FMulRZ }),
	tesla.OpFMax:   lowerFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FMax, k.FMax }),
	tesla.OpFMin:   lowerFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FMin, k.FMin }),
	tesla.OpFMad:   lowerFMad,
	tesla.OpFSet:   lowerFSet,
	tesla.OpSlct:   lowerSlct,
	tesla.OpQuadOp: lowerQuadOp,
	tesla.OpRcp:    lowerSFU(func(k *lane.Kernels) lane.Unary { return k.Rcp }),
	tesla.OpRsqrt:  lowerSFU(func(k *lane.Kernels) lane.Unary { return k.Rsqrt }),
	tesla.OpLg2:    lowerSFU(func(k *lane.Kernels) lane.Unary { return k.Lg2 }),
	tesla.OpSin:    lowerSFU(func(k *lane.Kernels) lane.Unary { return k.Sin }),
	tesla.OpCos:    lowerSFU(func(k *lane.Kernels) lane.Unary { return k.Cos }),
	tesla.OpEx2:    lowerSFU(func(k *lane.Kernels) lane.Unary { return k.Ex2 }),
	tesla.OpPreSin: lowerSFU(func(k *lane.Kernels) lane.Unary { return k.PreSin }),
	tesla.OpPreEx2: lowerSFU(func(k *lane.Kernels) lane.Unary { return k.PreEx2 }),

	tesla.OpDAdd: lowerDouble(execDAdd),
	tesla.OpDMul: lowerDouble(execDMul),
	tesla.OpDFma: lowerDouble(execDFma),
	tesla.OpDMin: lowerDouble(execDMin),
	tesla.OpDMax: lowerDouble(execDMax),
	tesla.OpDSet: lowerDSet,

	tesla.OpTexFetch:    lowerTexture(execTexFetch),
	tesla.OpTexAuto:     lowerTexture(execTexSample),
	tesla.OpTexBias:     lowerTexture(execTexSample),
	tesla.OpTexLod:      lowerTexture(execTexSample),
	tesla.OpTexSize:     lowerTexture(execTexSize),
	tesla.OpTexPrep:     lowerUnsupported("cube textures are not modelled"),
	tesla.OpTexQueryLod: lowerUnsupported("queries of the level of detail are not modelled"),
	tesla.OpTexCSAA:     lowerUnsupported("coverage sampling is not modelled"),
	tesla.OpTexGather:   lowerUnsupported("texture gather is not modelled"),

	tesla.OpNop:         lowerNop,
	tesla.OpPmEvent:     lowerNop,
	tesla.OpBrkpt:       lowerNop,
	tesla.OpVote:        lowerVote,
	tesla.OpBra:         lowerControl(branch.Branch),
	tesla.OpBraIndirect: lowerIndirect,
	tesla.OpCall:        lowerControl(branch.Call),
	tesla.OpRet:         lowerControl(branch.Return),
	tesla.OpPreRet:      lowerControl(branch.PreReturn),
	tesla.OpBreakAddr:   lowerControl(branch.BreakAddr),
	tesla.OpBreak:       lowerControl(branch.Break),
	tesla.OpJoinAt:      lowerControl(branch.JoinAt),
	tesla.OpQuadOn:      lowerControl(branch.QuadOn),
	tesla.OpQuadPop:     lowerControl(branch.QuadPop),
	tesla.OpBar:         lowerBar,
	tesla.OpTrap:        lowerTrap,
}

func (l *lowerer) lower(u *uop, in *tesla.Instruction) {
	u.cdst, u.cin, u.arith = in.CDst.Index(), in.CarryIn.Index(), in.Arith
	u.marker = in.Marker
	u.control = in.Marker != tesla.MarkerNone
	u.width = 32
	f, known := lowering[in.Op]
	if why := illegal(in); why != "" || !known {
		l.refuse(u, FaultIllegalInstruction, why)
		return
	}
	if in.Op != tesla.OpVote && in.Guard.Cond != tesla.CondAlways {
		u.guarded, u.guard = true, in.Guard
	}
	l.noteAddrs(in)
	f(l, u, in)
	l.applyModes(u, in)
	u.unfinished = u.clamp || u.fl != nil || u.dst.mode == dstLow || u.dst.mode == dstHigh
	if u.exec == nil && !u.control {
		u.exec = execNothing
	}
}

// noteAddrs collects the address registers that an instruction names.
func (l *lowerer) noteAddrs(in *tesla.Instruction) {
	for _, o := range [...]*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.Kind == tesla.AddrReg {
			l.p.addrs |= 1 << (o.Index & 7)
		}
		l.p.addrs |= 1 << (o.Base & 7)
	}
}

// row returns the number of the launch-wide row that holds d.
func (l *lowerer) row(d rowDef) int32 {
	if i, ok := l.rows[d]; ok {
		return i
	}
	if l.rows == nil {
		l.rows = map[rowDef]int32{}
	}
	i := int32(len(l.p.rows))
	l.rows[d] = i
	l.p.rows = append(l.p.rows, d)
	return i
}

// word returns the number of the word of s[] that is d.
func (l *lowerer) word(d wordDef) int32 {
	i := slices.Index(l.p.words, d)
	if i < 0 {
		i = len(l.p.words)
		l.p.words = append(l.p.words, d)
	}
	return int32(i)
}

// source lowers operand o as source i. signed says how a 16-bit operand is extended; mods
// false leaves Neg and Abs to the operation.
func (l *lowerer) source(u *uop, i int, o *tesla.Operand, signed, mods bool) {
	s := source{signed: signed, index: int32(o.Index), bank: o.Index, offset: o.Value, typ: o.Type}
	if mods {
		if o.Abs {
			s.fix |= fixAbs
		}
		if o.Neg {
			s.fix |= fixNeg
		}
	}
	if o.Not {
		s.fix |= fixNot
	}
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		s.mode = srcReg
		if int(o.Index) >= l.p.Kernel.Registers { // reads 0
			s.mode, s.index = srcRow, l.row(rowDef{bank: -1, fix: s.fix})
		}
	case tesla.Half:
		s.mode, s.index = srcLow, int32(o.Index/2)
		if o.Index%2 == 1 {
			s.mode = srcHigh
		}
	case tesla.Imm:
		s.mode = srcRow
		s.index = l.row(rowDef{bank: -1, value: o.Value, fix: s.fix, signed: signed && u.width == 16})
	case tesla.Const:
		s.half = u.width == 16
		s.mode = srcConstAt
		if o.Base == 0 && !o.Post {
			s.mode = srcRow
			s.index = l.row(rowDef{bank: int8(o.Index), typ: o.Type, offset: o.Value, fix: s.fix, signed: signed && mem.Size(o.Type) == 2})
		} else {
			s.at = l.addressing(o)
		}
	case tesla.Shared:
		s.half = u.width == 16
		s.mode = srcSharedAt
		if o.Base == 0 && !o.Post {
			s.mode = srcShared
			s.index = l.word(wordDef{offset: o.Value, typ: o.Type, half: s.half, signed: signed, fix: s.fix})
			s.whole = mem.Size(o.Type) == 4 && o.Value%4 == 0
		} else {
			s.at = l.addressing(o)
		}
	}
	u.src[i] = s
}

// dest lowers the destination. Registers the kernel does not own swallow what is written.
func (l *lowerer) dest(u *uop, o *tesla.Operand) {
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		u.dst = dest{dstReg, int32(o.Index)}
	case tesla.Half:
		u.dst = dest{dstLow, int32(o.Index / 2)}
		if o.Index%2 == 1 {
			u.dst.mode = dstHigh
		}
	}
	if int(u.dst.index) >= l.p.Kernel.Registers {
		u.dst = dest{}
	}
}

// flagged reports whether in writes a $c, and notes the rule if so.
func (u *uop) flagged(in *tesla.Instruction, rule flagFunc) {
	if in.CDst != tesla.NoCond {
		u.fl = rule
	}
}

func execNothing(*Block, *uop, *lane.Sel) bool { return true }

func lowerUnsupported(why string) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, _ *tesla.Instruction) { l.refuse(u, FaultUnsupported, why) }
}
