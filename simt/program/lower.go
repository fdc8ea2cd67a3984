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

// operation lowers the parts of an instruction that depend on its operation.
type operation func(*lowerer, *Op, *tesla.Instruction)

// classes maps a class to the function that resolves its operands.
var classes = [tesla.Classes]operation{
	tesla.ClassMove:     values,
	tesla.ClassInteger:  values,
	tesla.ClassFloat:    floats,
	tesla.ClassSpecial:  floats,
	tesla.ClassDouble:   result, // the sources of doubles are register pairs, and need no lowering
	tesla.ClassConvert:  convert,
	tesla.ClassConstant: access(SpaceConst),
	tesla.ClassShared:   access(SpaceShared),
	tesla.ClassLocal:    access(SpaceLocal),
	tesla.ClassGlobal:   access(SpaceGlobal),
	tesla.ClassAtomic:   access(SpaceGlobal),
	tesla.ClassTexture:  texture,
	tesla.ClassBarrier:  barrier,
}

// exceptions lists the operations that their class does not describe.
var exceptions = map[tesla.Op]operation{
	tesla.OpShl:  shift,
	tesla.OpShr:  shift,
	tesla.OpSlct: floats,

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
	tesla.OpTrap:        trap,
}

// operationOf returns the function that lowers an operation, nil if the device has no such
// operation. A test checks that all operations are known.
func operationOf(op tesla.Op) operation {
	if f := exceptions[op]; f != nil {
		return f
	}
	return classes[op.Class()]
}

func (l *lowerer) lower(u *Op, in *tesla.Instruction) {
	u.CDst, u.CIn, u.Arith = in.CDst.Index(), in.CarryIn.Index(), in.Arith
	u.Marker = in.Marker
	u.Control = in.Marker != tesla.MarkerNone
	u.Width, u.Acts = 32, true
	f := operationOf(in.Op)
	if why := illegal(in); why != "" || f == nil {
		l.refuse(u, false, why)
		return
	}
	if in.Op.Guarded() && in.Guard.Cond != tesla.CondAlways {
		u.Guarded, u.Guard = true, in.Guard
	}
	l.p.Addresses |= 1 // $a0, for memory operands without an address register
	for a := range in.Uses().Union(in.Defs()).Addresses() {
		l.p.Addresses |= 1 << a
	}
	f(l, u, in)
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

// nothing lowers an instruction without an effect. With a marker it is only a control event.
func nothing(_ *lowerer, u *Op, _ *tesla.Instruction) { u.Acts = !u.Control }

// result lowers an instruction whose destination alone needs resolving.
func result(l *lowerer, u *Op, in *tesla.Instruction) { l.dest(u, &in.Dst) }

// control lowers an instruction that is only a control event.
func control(e branch.EventKind) operation {
	return func(_ *lowerer, u *Op, _ *tesla.Instruction) { u.Control, u.Event, u.Acts = true, e, false }
}

// indirect lowers the branch through constant memory of GT21x.
func indirect(l *lowerer, u *Op, in *tesla.Instruction) {
	u.Control, u.MayFault, u.Event = true, true, branch.Branch
	u.Addr = addressing(&in.Src[0])
}

// barrier lowers the barrier in the form of all compilers: arrive and wait.
// Unverified: the count field; a full barrier has 0xfff there, and every other value is taken to
// mean all warps too.
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

// floats lowers an operation on f32 sources.
func floats(l *lowerer, u *Op, in *tesla.Instruction) {
	for i := range in.Src {
		l.source(u, i, &in.Src[i], false, true)
	}
	l.dest(u, &in.Dst)
	u.Clamp = in.Mods&tesla.Sat != 0
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
