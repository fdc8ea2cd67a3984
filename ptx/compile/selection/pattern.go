package selection

import (
	"slices"

	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// forms says what operands an operation takes besides registers.
type forms struct {
	shared bool // source 0 in s[]
	konst  bool // source 1 in c[]
	imm    bool // source 1 an immediate of 32 bits
	still  bool // source 1 in c[] without an address register: source 0 has the only one
}

// put fills in the operands of an instruction.
func put(in *code.Instr, d operand, src ...operand) {
	in.In.Dst, in.Dst = d.t, d.c
	for i, o := range src {
		in.In.Src[i], in.Src[i] = o.t, o.c
	}
}

// two returns the operands of an operation on a and b in the best form. swapped says that they
// changed places, which swap allows.
func (s *selector) two(a, b *ir.Value, f forms, swap bool) (x, y operand, swapped bool) {
	if swap && s.better(b, a, f) {
		a, b, swapped = b, a, true
	}
	x = s.first(a, f)
	return x, s.second(b, f.after(x)), swapped
}

// after returns the kinds of operand that an operation takes beside source 0: no immediate beside
// an operand in s[], or the register of zeros, that the immediate form does not reach.
func (f forms) after(x operand) forms {
	f.still = f.still || x.t.Kind == tesla.Shared
	switch {
	case x.t.Kind == tesla.Shared && (x.c.Base != 0 || x.t.Value/uint32(x.t.Type.Bytes()) > shortReach),
		x.t.Kind == tesla.Reg && x.c.Regs[0] == 0:
		f.imm = false
	}
	return f
}

// better reports whether an operation should read a first and b second rather than the other way.
func (s *selector) better(a, b *ir.Value, f forms) bool { return s.gain(a, b, f) > s.gain(b, a, f) }

// gain counts the moves that folding saves.
func (s *selector) gain(a, b *ir.Value, f forms) int {
	n := 0
	if f.shared && s.isShared(a) {
		n++
	}
	if (f.imm && b.Op == ir.Const) || f.konst && s.isConst(b) {
		n++
	}
	return n
}

func (s *selector) isShared(v *ir.Value) bool {
	_, ok := s.shared(v, tesla.B32)
	return ok
}

func (s *selector) isConst(v *ir.Value) bool {
	_, ok := s.constant(v)
	return ok
}

// first returns source 0.
func (s *selector) first(v *ir.Value, f forms) operand {
	if f.shared {
		if o, ok := s.shared(v, tesla.B32); ok {
			s.take(v)
			return o
		}
	}
	return s.register(v)
}

// second returns source 1.
func (s *selector) second(v *ir.Value, f forms) operand {
	if f.imm && v.Op == ir.Const {
		return immediate(uint32(v.Imm))
	}
	if f.konst {
		if o, ok := s.constant(v); ok && !(f.still && o.c.Base != 0) {
			s.take(v)
			return o
		}
	}
	return s.register(v)
}

// single returns a value that only v uses, in the same block, and that is made by one of ops.
func (s *selector) single(v *ir.Value, ops ...ir.Op) bool {
	return slices.Contains(ops, v.Op) && s.uses[v.ID] == 1 && s.at != nil && v.Block == s.at.Block &&
		!s.taken[v.ID] && s.flags[v.ID] == 0
}

// value selects the instructions of a value.
func (s *selector) value(v *ir.Value) {
	switch v.Op {
	case ir.Add, ir.Sub, ir.AddC:
		s.sum(v)
	case ir.Mul16:
		s.mul16(v)
	case ir.Mul24, ir.Mul24Hi:
		s.mul24(v)
	case ir.Min, ir.Max:
		s.minMax(v)
	case ir.Sad:
		s.sad(v)
	case ir.And, ir.Or, ir.Xor, ir.Not:
		if v.Kind == ir.Pred {
			s.compare(v)
			return
		}
		s.logic(v)
	case ir.Shl, ir.ShrU, ir.ShrS:
		s.shift(v)
	case ir.ZExt8, ir.ZExt16, ir.SExt8, ir.SExt16, ir.Abs, ir.Clamp:
		s.extension(v)
	case ir.ICmp, ir.FCmp, ir.DCmp:
		s.compare(v)
	case ir.ISet, ir.FSet, ir.DSet:
		s.set(v)
	case ir.Select, ir.PredSet:
		s.choose(v)
	case ir.Vote:
		s.vote(v)
	case ir.Locked: // the load sets the flags
	default:
		s.other(v)
	}
}

func (s *selector) other(v *ir.Value) {
	switch v.Op {
	case ir.FAdd, ir.FMul:
		s.arithmetic(v)
	case ir.FMad:
		s.fmad(v)
	case ir.FMin, ir.FMax:
		s.floatMinMax(v)
	case ir.FNeg, ir.FAbs, ir.FSat, ir.Cvt:
		s.convert(v)
	case ir.FSlct:
		s.slct(v)
	case ir.Rcp, ir.Rsqrt, ir.Lg2, ir.Sin, ir.Cos, ir.Ex2, ir.PreSin, ir.PreEx2:
		s.function(v)
	case ir.DAdd, ir.DMul, ir.DFma, ir.DMin, ir.DMax:
		s.double(v)
	case ir.DNeg, ir.DAbs:
		s.convert(v)
	case ir.Load, ir.Param, ir.Header:
		s.fetch(v)
	case ir.Store:
		s.store(v)
	case ir.Atom, ir.Red:
		s.atom(v)
	case ir.Tex:
		s.tex(v)
	case ir.Shl16, ir.AddrTo:
		s.address(v)
	default:
		s.special(v)
	}
}
