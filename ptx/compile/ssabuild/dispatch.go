package ssabuild

import (
	"strings"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// instruction builds an instruction that does not end a section. A guarded one that only computes is
// followed by a choice between the new and the old value; another stands in a block of its own.
func (b *builder) instruction(in *ptx.Instr) {
	switch {
	case in.Guard.Pred == nil:
		b.plain(in)
	case computes(in.Op):
		b.chosen(in)
	default:
		b.guarded(in)
	}
}

// computes reports whether an operation does nothing but compute, in all threads without harm.
func computes(op ptx.Op) bool {
	switch op {
	case ptx.OpMov, ptx.OpAdd, ptx.OpSub, ptx.OpMul, ptx.OpMad, ptx.OpMul24, ptx.OpMad24, ptx.OpAnd, ptx.OpOr,
		ptx.OpXor, ptx.OpNot, ptx.OpShl, ptx.OpShr, ptx.OpNeg, ptx.OpAbs, ptx.OpMin, ptx.OpMax, ptx.OpCvt,
		ptx.OpSelp, ptx.OpFma, ptx.OpRcp, ptx.OpRsqrt:
		return true
	}
	return false
}

// change is an assignment, with the old value of the variable.
type change struct {
	x   variable
	old *ir.Value
}

// chosen builds an instruction and chooses between its results and the old values.
func (b *builder) chosen(in *ptx.Instr) {
	p := b.guard(in)
	b.changes = []change{}
	b.plain(in)
	changes := b.changes
	b.changes = nil
	if in.Mods&ptx.CarryOut != 0 {
		b.carry = nil
	}
	for _, c := range changes {
		now := b.get(c.x)
		if now.Kind == ir.Pred {
			kept := b.add(ir.And, ir.Pred, b.add(ir.Not, ir.Pred, p), c.old)
			b.set(c.x, b.add(ir.Or, ir.Pred, b.add(ir.And, ir.Pred, p, now), kept))
			continue
		}
		b.set(c.x, b.do(ir.Select, p, now, c.old))
	}
}

// guarded builds an instruction in a block of its own.
func (b *builder) guarded(in *ptx.Instr) {
	then, after := b.f.NewBlock(), b.f.NewBlock()
	b.ssa.grow(len(b.f.Blocks))
	b.at.Line = b.line
	b.at.Branch(b.guard(in), then, after)
	b.seal(then)
	b.at, b.carry = then, nil
	b.plain(in)
	if b.at != nil {
		b.at.Jump(after)
	}
	b.seal(after)
	b.at, b.carry = after, nil
}

// always builds the instructions that one function builds for all types. It reports whether in is
// one.
func (b *builder) always(in *ptx.Instr) bool {
	if in.Op == ptx.OpLop3 && in.Bool != ptx.NoBool {
		b.lop3Predicate(in)
		return true
	}
	switch in.Op {
	case ptx.OpAddc, ptx.OpSubc:
		b.sum(in)
	case ptx.OpMadc:
		b.mul(in)
	case ptx.OpMul24, ptx.OpMad24:
		b.mul24(in)
	case ptx.OpSad:
		b.sad(in)
	case ptx.OpAnd, ptx.OpOr, ptx.OpXor, ptx.OpNot:
		b.logic(in)
	case ptx.OpCnot:
		b.cnot(in)
	case ptx.OpShl, ptx.OpShr:
		b.shift(in)
	case ptx.OpSetp:
		b.setp(in)
	case ptx.OpSet:
		b.setInstr(in)
	case ptx.OpSelp:
		b.selp(in)
	case ptx.OpSlct:
		b.slct(in)
	case ptx.OpMov:
		b.mov(in)
	case ptx.OpCvt:
		b.convert(in)
	case ptx.OpCvta:
		b.cvta(in)
	case ptx.OpIsspacep:
		b.isspacep(in)
	case ptx.OpLd, ptx.OpLdu:
		b.load(in)
	case ptx.OpSt:
		b.store(in)
	case ptx.OpAtom, ptx.OpRed:
		b.atom(in)
	case ptx.OpTex:
		b.tex(in)
	case ptx.OpBar:
		b.bar(in)
	case ptx.OpMembar, ptx.OpFence:
		b.fence(in)
	case ptx.OpVote, ptx.OpShfl, ptx.OpMatch, ptx.OpRedux, ptx.OpActiveMask:
		b.together(in)
	case ptx.OpCall:
		b.callInstr(in)
	case ptx.OpRcp, ptx.OpSqrt, ptx.OpRsqrt, ptx.OpSin, ptx.OpCos, ptx.OpLg2:
		b.function(in)
	case ptx.OpCopysign:
		b.copysign(in)
	case ptx.OpDiv, ptx.OpRem:
		b.div(in)
	case ptx.OpVabsdiff, ptx.OpVadd, ptx.OpVmad, ptx.OpVmax, ptx.OpVmin, ptx.OpVset, ptx.OpVshl,
		ptx.OpVshr, ptx.OpVsub:
		b.video(in)
	case ptx.OpVabsdiff2, ptx.OpVabsdiff4, ptx.OpVadd2, ptx.OpVadd4, ptx.OpVavrg2, ptx.OpVavrg4,
		ptx.OpVmax2, ptx.OpVmax4, ptx.OpVmin2, ptx.OpVmin4, ptx.OpVset2, ptx.OpVset4, ptx.OpVsub2,
		ptx.OpVsub4:
		b.videoLanes(in)
	case ptx.OpCp:
		b.copyAsync(in)
	case ptx.OpCreatePolicy: // for hints, which caches of these devices do not take
		b.assign(&in.Args[0], in.Type, b.word(0), b.word(0))
	case ptx.OpPmevent, ptx.OpPrefetch, ptx.OpPrefetchu, ptx.OpNanosleep, ptx.OpBrkpt, ptx.OpApplyPriority, ptx.OpDiscard,
		ptx.OpGridDepControl, ptx.OpSetMaxNReg: // advice
	default:
		return false
	}
	return true
}

// integer builds the integer instructions that floats build otherwise. It reports whether in is one.
func (b *builder) integer(in *ptx.Instr) bool {
	if in.Type == ptx.U16x2 || in.Type == ptx.S16x2 {
		b.pairs(in)
		return true
	}
	switch in.Op {
	case ptx.OpAdd, ptx.OpSub:
		b.sum(in)
	case ptx.OpMul, ptx.OpMad:
		b.mul(in)
	case ptx.OpMin, ptx.OpMax:
		b.minMax(in)
	case ptx.OpNeg, ptx.OpAbs:
		b.negAbs(in)
	default:
		return false
	}
	return true
}

// plain builds an instruction without its guard.
func (b *builder) plain(in *ptx.Instr) {
	if in.Type == ptx.B128 { // the library alone may know it
		b.missing(in)
		return
	}
	if b.refused(in) {
		return
	}
	if b.always(in) {
		return
	}
	switch {
	case arithmetic(in.Op) && halfOf(in.Type) != nil:
		b.floats16(in)
	case arithmetic(in.Op) && isFloat(in.Type):
		b.float(in)
	case b.integer(in):
	default:
		b.missing(in)
	}
}

// arithmetic reports whether an operation exists for several kinds of numbers.
func arithmetic(op ptx.Op) bool {
	switch op {
	case ptx.OpAdd, ptx.OpSub, ptx.OpMul, ptx.OpMad, ptx.OpFma, ptx.OpMin, ptx.OpMax, ptx.OpNeg, ptx.OpAbs,
		ptx.OpEx2, ptx.OpTanh:
		return true
	}
	return false
}

// mov builds mov: of a value, an address, a vector, or the parts of a value. A vector register that
// is named as a whole stands for the list of its elements.
func (b *builder) mov(in *ptx.Instr) {
	if in.Type == ptx.Pred {
		b.set(b.first(in.Args[0].Var), b.predicate(&in.Args[1]))
		return
	}
	if in.Vector > 1 {
		b.loaded(in, b.stored(in))
		return
	}
	to, from := listed(in.Args[0]), listed(in.Args[1])
	lo, hi := b.both(&from, in.Type)
	b.assign(&to, b.typeOf(in.Type), lo, hi)
}

// div builds div and rem. Powers of two need no division.
func (b *builder) div(in *ptx.Instr) {
	if b.typeOf(in.Type) == ptx.F32 {
		b.divFloat(in)
		return
	}
	if in.Type == ptx.U32 || in.Type == ptx.U16 {
		y := b.value(&in.Args[2], in.Type)
		if c, ok := y.IsConst(); ok && c != 0 && c&(c-1) == 0 {
			b.divPower(in, uint32(c))
			return
		}
	}
	b.missing(in)
}

// divPower divides by a power of two.
func (b *builder) divPower(in *ptx.Instr, c uint32) {
	x := b.extended(&in.Args[1], in.Type)
	if in.Op == ptx.OpRem {
		b.result(in, b.do(ir.And, x, b.word(c-1)))
		return
	}
	n := uint32(0)
	for c>>n != 1 {
		n++
	}
	b.result(in, b.do(ir.ShrU, x, b.word(n)))
}

// divFloat builds the divisions of f32.
func (b *builder) divFloat(in *ptx.Instr) {
	if in.Mods&ptx.Approx == 0 {
		b.divisions++
	}
	if b.mapped(in.Type) {
		out := b.call("div_full_f32", []*ir.Value{b.value(&in.Args[1], in.Type), b.value(&in.Args[2], in.Type)}, 1)
		b.assign(&in.Args[0], ptx.F32, out[0], nil)
		return
	}
	if in.Mods&ptx.Approx == 0 {
		b.missing(in)
		return
	}
	x, y := b.value(&in.Args[1], ptx.F32), b.value(&in.Args[2], ptx.F32)
	b.assign(&in.Args[0], ptx.F32, b.do(ir.FMul, x, b.do(ir.Rcp, y)), nil)
}

// libraryName returns the name of the library's function for an instruction.
func (b *builder) libraryName(in *ptx.Instr) string {
	parts := []string{in.Op.String()}
	if in.Mode != ptx.NoMode {
		parts = append(parts, in.Mode.String())
	}
	for _, m := range []struct {
		mod  ptx.Mods
		name string
	}{{ptx.LoHalf, "lo"}, {ptx.HiHalf, "hi"}, {ptx.Approx, "approx"}, {ptx.Full, "full"}, {ptx.Left, "l"}, {ptx.Right, "r"}, {ptx.Wrap, "wrap"}, {ptx.Clamp, "clamp"}, {ptx.Shiftamt, "shiftamt"}} {
		if in.Mods&m.mod != 0 {
			parts = append(parts, m.name)
		}
	}
	if in.Round != ptx.NoRound {
		parts = append(parts, in.Round.String())
	}
	if in.Mods&ptx.Sat != 0 && !isFloat(in.Type) {
		parts = append(parts, "sat")
	}
	const upper = ptx.Approx | ptx.Ftz // of an f64, whose upper word alone counts
	if in.Op == ptx.OpRsqrt && in.Mods&upper == upper && b.typeOf(in.Type) == ptx.F64 {
		parts = append(parts, "ftz")
	}
	switch in.Op {
	case ptx.OpAtom, ptx.OpRed:
		parts = append(parts, in.Space.String(), in.Atom.String())
	case ptx.OpRedux:
		parts = append(parts, in.Atom.String())
	}
	if in.Bool != ptx.NoBool {
		parts = append(parts, in.Bool.String())
	}
	parts = append(parts, b.typeOf(in.Type).String())
	if in.From != ptx.NoType && !mixed(in) {
		parts = append(parts, b.typeOf(in.From).String())
	}
	return strings.Join(parts, "_")
}
