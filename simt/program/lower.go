package program

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// lowerer turns instructions into Ops of one program.
type lowerer struct {
	p    *Program
	rows map[Row]int32
}

// operation lowers what is particular to an operation.
type operation func(*lowerer, *Op, *tesla.Instruction)

// lowering lists, for every operation, how its operands are resolved.
// A test checks that the list is complete.
var lowering = map[tesla.Op]operation{
	tesla.OpMov:            move,
	tesla.OpMovFromCond:    moveFromCond,
	tesla.OpMovFromAddr:    result,
	tesla.OpMovFromSpecial: result,
	tesla.OpMovToCond:      moveToCond,
	tesla.OpShlToAddr:      shiftToAddr,
	tesla.OpAddAddr:        addToAddr,

	tesla.OpLdConst:  load(SpaceConst),
	tesla.OpLdShared: load(SpaceShared),
	tesla.OpLdLocal:  load(SpaceLocal),
	tesla.OpLdGlobal: load(SpaceGlobal),
	tesla.OpStShared: store(SpaceShared),
	tesla.OpStLocal:  store(SpaceLocal),
	tesla.OpStGlobal: store(SpaceGlobal),
	tesla.OpRed:      atomic,
	tesla.OpAtom:     atomic,

	tesla.OpIAdd:  add,
	tesla.OpIMul:  product,
	tesla.OpIMad:  productAndSum,
	tesla.OpISad:  differenceAndSum,
	tesla.OpISet:  integers,
	tesla.OpIMax:  integers,
	tesla.OpIMin:  integers,
	tesla.OpShl:   shift,
	tesla.OpShr:   shift,
	tesla.OpLogic: integers,
	tesla.OpCvt:   convert,

	tesla.OpFAdd:   floats(2),
	tesla.OpFMul:   floats(2),
	tesla.OpFMax:   floats(2),
	tesla.OpFMin:   floats(2),
	tesla.OpFMad:   floats(3),
	tesla.OpFSet:   floats(2),
	tesla.OpSlct:   floats(3),
	tesla.OpQuadOp: quad,
	tesla.OpRcp:    floats(1),
	tesla.OpRsqrt:  floats(1),
	tesla.OpLg2:    floats(1),
	tesla.OpSin:    floats(1),
	tesla.OpCos:    floats(1),
	tesla.OpEx2:    floats(1),
	tesla.OpPreSin: floats(1),
	tesla.OpPreEx2: floats(1),

	tesla.OpDAdd: result, // the sources of doubles are register pairs as they are
	tesla.OpDMul: result,
	tesla.OpDFma: result,
	tesla.OpDMin: result,
	tesla.OpDMax: result,
	tesla.OpDSet: result,

	tesla.OpTexFetch:    texture,
	tesla.OpTexAuto:     texture,
	tesla.OpTexBias:     texture,
	tesla.OpTexLod:      texture,
	tesla.OpTexSize:     texture,
	tesla.OpTexPrep:     unsupported("cube textures are not modelled"),
	tesla.OpTexQueryLod: unsupported("queries of the level of detail are not modelled"),
	tesla.OpTexCSAA:     unsupported("coverage sampling is not modelled"),
	tesla.OpTexGather:   unsupported("texture gather is not modelled"),

	tesla.OpNop:         nothing,
	tesla.OpPmEvent:     nothing,
	tesla.OpBrkpt:       nothing,
	tesla.OpVote:        asItIs,
	tesla.OpBra:         control(branch.Branch),
	tesla.OpBraIndirect: indirect,
	tesla.OpCall:        control(branch.Call),
	tesla.OpRet:         control(branch.Return),
	tesla.OpPreRet:      control(branch.PreReturn),
	tesla.OpBreakAddr:   control(branch.BreakAddr),
	tesla.OpBreak:       control(branch.Break),
	tesla.OpJoinAt:      control(branch.JoinAt),
	tesla.OpQuadOn:      control(branch.QuadOn),
	tesla.OpQuadPop:     control(branch.QuadPop),
	tesla.OpBar:         barrier,
	tesla.OpTrap:        trap,
}

func (l *lowerer) lower(u *Op, in *tesla.Instruction) {
	u.CDst, u.CIn, u.Arith = in.CDst.Index(), in.CarryIn.Index(), in.Arith
	u.Marker = in.Marker
	u.Control = in.Marker != tesla.MarkerNone
	u.Width, u.Acts = 32, true
	f, known := lowering[in.Op]
	if why := illegal(in); why != "" || !known {
		l.refuse(u, false, why)
		return
	}
	if in.Op != tesla.OpVote && in.Guard.Cond != tesla.CondAlways {
		u.Guarded, u.Guard = true, in.Guard
	}
	l.noteAddresses(in)
	f(l, u, in)
}

// noteAddresses collects the address registers that an instruction names.
func (l *lowerer) noteAddresses(in *tesla.Instruction) {
	for _, o := range [...]*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.Kind == tesla.AddrReg {
			l.p.Addresses |= 1 << (o.Index & 7)
		}
		l.p.Addresses |= 1 << (o.Base & 7)
	}
}

// refuse makes u fault.
func (l *lowerer) refuse(u *Op, unsupported bool, why string) {
	u.stop()
	u.Refusal = &Refusal{u.PC, unsupported, why}
}

func unsupported(why string) operation {
	return func(l *lowerer, u *Op, _ *tesla.Instruction) { l.refuse(u, true, why) }
}

func asItIs(*lowerer, *Op, *tesla.Instruction) {}

// nothing lowers an instruction that does nothing. With a marker it is a control event alone.
func nothing(_ *lowerer, u *Op, _ *tesla.Instruction) { u.Acts = !u.Control }

// result lowers an instruction of which only the destination needs resolving.
func result(l *lowerer, u *Op, in *tesla.Instruction) { l.dest(u, &in.Dst) }

// control lowers an instruction that is nothing but a control event.
func control(e branch.EventKind) operation {
	return func(_ *lowerer, u *Op, _ *tesla.Instruction) { u.Control, u.Event, u.Acts = true, e, false }
}

// indirect lowers the branch through constant memory of GT21x.
func indirect(l *lowerer, u *Op, in *tesla.Instruction) {
	u.Control, u.MayFault, u.Event = true, true, branch.Branch
	u.Addr = l.addressing(&in.Src[0])
}

// barrier lowers the barrier in the form all compilers use: arrive and wait.
// Unverified: the count field; a full barrier has 0xfff there, and every other value is
// taken to mean all warps too.
func barrier(l *lowerer, u *Op, in *tesla.Instruction) {
	if !in.Barrier.Inc || !in.Barrier.Wait {
		l.refuse(u, true, "a barrier that does not both arrive and wait is not modelled")
		return
	}
	u.Control, u.Event, u.Acts = true, branch.Arrive, false
}

func trap(_ *lowerer, u *Op, _ *tesla.Instruction) { u.stop() }

func texture(l *lowerer, u *Op, in *tesla.Instruction) {
	if in.Tex.Cube {
		l.refuse(u, true, "cube textures are not modelled")
		return
	}
	u.Memory = true
}

func move(l *lowerer, u *Op, in *tesla.Instruction) {
	u.Width = WidthOf(in.Type)
	l.source(u, 0, &in.Src[0], false, false)
	l.dest(u, &in.Dst)
}

func moveFromCond(l *lowerer, u *Op, in *tesla.Instruction) {
	l.dest(u, &in.Dst)
	u.CIn = in.Src[0].Index
}

func moveToCond(l *lowerer, u *Op, in *tesla.Instruction) { l.source(u, 0, &in.Src[0], false, false) }

func shiftToAddr(l *lowerer, u *Op, in *tesla.Instruction) {
	l.source(u, 0, &in.Src[0], false, false)
	l.source(u, 1, &in.Src[1], false, false)
}

func addToAddr(l *lowerer, u *Op, in *tesla.Instruction) { l.source(u, 1, &in.Src[1], false, false) }

// floats lowers an operation on some f32 sources.
func floats(sources int) operation {
	return func(l *lowerer, u *Op, in *tesla.Instruction) {
		for i := range sources {
			l.source(u, i, &in.Src[i], false, true)
		}
		l.dest(u, &in.Dst)
		switch in.Op {
		case tesla.OpFSet, tesla.OpSlct: // their modifiers are none of the result
		default:
			u.Clamp = in.Mods&tesla.Sat != 0
		}
	}
}

func quad(l *lowerer, u *Op, in *tesla.Instruction) {
	l.source(u, 0, &in.Src[0], false, false)
	l.source(u, 1, &in.Src[1], false, false)
	l.dest(u, &in.Dst)
}

// IsWide reports whether a value of type t takes a register pair.
func IsWide(t tesla.Type) bool { return t == tesla.U64 || t == tesla.S64 || t == tesla.F64 }

func convert(l *lowerer, u *Op, in *tesla.Instruction) {
	x := &in.Src[0]
	wide := IsWide(in.Type) || IsWide(in.From)
	ok := lane.Converts(in.Type, in.From, in.Round, in.Mods&tesla.Integral != 0, x.Abs, x.Neg, in.Mods&tesla.Sat != 0)
	if !ok {
		l.refuse(u, false, "no instruction converts between these types")
		return
	}
	l.dest(u, &in.Dst)
	if !wide {
		u.Width = WidthOf(in.From)
	}
	if !IsWide(in.From) {
		l.source(u, 0, x, false, false)
	}
}
