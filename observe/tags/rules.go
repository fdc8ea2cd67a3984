package tags

import (
	"jacquard/simt"
	"jacquard/tesla"
)

// Step applies an instruction to the tags of a warp. all says that all its live lanes execute it.
// Step returns the operands, counted with the tags of sources before the instruction.
func (s *State) Step(in *tesla.Instruction, e *simt.Effects, all bool) (n simt.Operands) {
	var t [3]Tag
	for i := range in.Src {
		t[i] = s.read(&in.Src[i], &n)
	}
	result := s.result(in, &t, &n)
	if in.Idle != 0 {
		all = false // only some lanes of each four
	}
	for i := range in.Src {
		if o := &in.Src[i]; o.Post && !all {
			s.addrs[o.Base&7] = Unknown
		}
	}
	s.write(in, e, result, all, &n)
	return n
}

// step is an instruction with the tags of its sources.
type step struct {
	*State
	in    *tesla.Instruction
	t     *[3]Tag // of the sources
	carry Tag     // of the condition register that it reads
	n     *simt.Operands
}

// rules has the operations with a better rule than step.plainly.
var rules = map[tesla.Op]func(step) Tag{
	tesla.OpMov:   func(x step) Tag { return join(x.t[:]...) },
	tesla.OpIAdd:  step.add,
	tesla.OpIMul:  func(x step) Tag { return product(x.in, x.t) },
	tesla.OpIMad:  step.mad,
	tesla.OpShl:   step.shl,
	tesla.OpShr:   step.shr,
	tesla.OpLogic: func(x step) Tag { return logic(x.in, x.t) },
	tesla.OpCvt:   func(x step) Tag { return converted(x.in, x.t[0]) },
	// OpVote reads the guards of other lanes.
	tesla.OpVote: func(x step) Tag { return uniformOr(x.conds[x.in.Guard.Reg&3]) },
}

// result returns the tag of the result of in; t are the tags of its sources.
func (s *State) result(in *tesla.Instruction, t *[3]Tag, n *simt.Operands) Tag {
	x := step{State: s, in: in, t: t, n: n}
	if in.CarryIn != tesla.NoCond {
		x.carry = s.conds[in.CarryIn.Index()&3]
	}
	if rule, ok := rules[in.Op]; ok {
		return rule(x)
	}
	switch {
	case in.Op.Class() == tesla.ClassTexture:
		return x.fetch()
	case in.Op.DependsOnLane():
		return Unknown
	}
	return x.plainly()
}

// plainly is the rule of an operation that computes the same from the same operands in every lane.
func (x step) plainly() Tag { return uniformOr(join(x.t[:]...), x.carry) }

// wraps reports whether sums wrap at 32 bits: neither saturated nor with a carry per lane.
func (x step) wraps() bool { return x.in.Mods&tesla.Sat == 0 && x.carry == Uniform }

func (x step) add() Tag {
	if x.wraps() && x.in.Type.Bytes() == 4 {
		return added(x.t[0], x.t[1])
	}
	return x.plainly()
}

func (x step) mad() Tag {
	if x.wraps() {
		return added(product(x.in, x.t), x.t[2])
	}
	return x.plainly()
}

func (x step) shl() Tag {
	if x.in.Type.Bytes() == 4 && x.t[1] == Uniform && x.t[0] != Uniform {
		return max(x.t[0], Affine)
	}
	return x.plainly()
}

func (x step) shr() Tag {
	if o := &x.in.Src[1]; x.in.Type.Bytes() == 4 && x.t[0] == Split && o.Kind == tesla.Imm && o.Value == 16 {
		return Uniform
	}
	return x.plainly()
}

// fetch counts the coordinates. It does not follow the level of detail and other operands.
func (x step) fetch() Tag {
	coordinates := x.span(int(x.in.Dst.Index), int(x.in.Tex.Coords))
	x.n.Reads++
	count(coordinates, &x.n.ReadsUniform, &x.n.ReadsAffine)
	return Unknown
}

// added returns the tag of a sum or difference of 32 bits.
func added(a, b Tag) Tag {
	if t := join(a, b); t == Uniform {
		return t
	}
	return max(join(a, b), Affine)
}

// product returns the tag of a product of 16 or 24 bits. Split times Uniform is Affine: neither the
// lower half, nor 24 bits with uniform upper bits, wrap.
func product(in *tesla.Instruction, t *[3]Tag) Tag {
	a, b := t[0], t[1]
	switch {
	case join(a, b) == Uniform:
		return Uniform
	case join(a, b) == Split && min(a, b) == Uniform && in.Mods&tesla.High == 0:
		return Affine
	}
	return Unknown
}

// logic returns the tag of a bitwise operation. It knows operations that keep a Split register or
// its lower half.
func logic(in *tesla.Instruction, t *[3]Tag) Tag {
	const lower = 0xffff
	a, b := &in.Src[0], &in.Src[1]
	switch {
	case join(t[0], t[1]) == Uniform:
		return Uniform
	case in.Type.Bytes() != 4 || a.Not || b.Not:
		return Unknown
	case in.Logic == tesla.And && t[0] == Split && b.Kind == tesla.Imm && b.Value == lower,
		in.Logic == tesla.And && t[1] == Split && a.Kind == tesla.Imm && a.Value == lower:
		return Split
	case in.Logic == tesla.Pass:
		return t[1]
	}
	return Unknown
}

// converted returns the tag of a conversion: integers that keep their values keep their tags.
func converted(in *tesla.Instruction, t Tag) Tag {
	o := &in.Src[0]
	switch {
	case t == Uniform:
		return Uniform
	case !integer(in.From) || !integer(in.Type) || in.Mods&tesla.Sat != 0 || o.Neg || o.Abs || o.Not:
		return Unknown
	case in.From.Bytes() == 4 && in.Type.Bytes() == 4:
		return t
	case t == Split && in.From.Bytes() == 2 && in.Type.Bytes() >= 2:
		return Split // below 2^15, so not negative
	}
	return Unknown
}

func integer(t tesla.Type) bool {
	switch t {
	case tesla.U16, tesla.S16, tesla.B16, tesla.U32, tesla.S32, tesla.B32:
		return true
	}
	return false
}
