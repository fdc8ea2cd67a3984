package tags

import (
	"jacquard/simt"
	"jacquard/tesla"
)

// Step carries an instruction through the tags of a warp. all says that all its lanes that have not
// ended execute it. It returns the operands, which are of the registers before.
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

// step is an instruction whose result is looked for.
type step struct {
	*State
	in    *tesla.Instruction
	t     *[3]Tag // of the sources
	carry Tag     // of the condition register it takes in
	n     *simt.Operands
}

// rules are those of the operations that have a better one than step.plainly.
var rules = map[tesla.Op]func(step) Tag{
	tesla.OpMov:            func(x step) Tag { return join(x.t[:]...) },
	tesla.OpIAdd:           step.add,
	tesla.OpIMul:           func(x step) Tag { return product(x.in, x.t) },
	tesla.OpIMad:           step.mad,
	tesla.OpShl:            step.shl,
	tesla.OpShr:            step.shr,
	tesla.OpLogic:          func(x step) Tag { return logic(x.in, x.t) },
	tesla.OpCvt:            func(x step) Tag { return converted(x.in, x.t[0]) },
	tesla.OpVote:           func(x step) Tag { return uniformOr(x.conds[x.in.Guard.Reg&3]) }, // it looks at what others have as guard
	tesla.OpMovFromSpecial: step.anything,
	tesla.OpAtom:           step.anything,
	tesla.OpLdLocal:        step.anything,
	tesla.OpQuadOp:         step.anything,
	tesla.OpTexAuto:        step.fetch,
	tesla.OpTexBias:        step.fetch,
	tesla.OpTexFetch:       step.fetch,
	tesla.OpTexLod:         step.fetch,
	tesla.OpTexSize:        step.fetch,
}

// result returns the tag of what in computes from sources with tags t.
func (s *State) result(in *tesla.Instruction, t *[3]Tag, n *simt.Operands) Tag {
	x := step{State: s, in: in, t: t, n: n}
	if in.CarryIn != tesla.NoCond {
		x.carry = s.conds[in.CarryIn.Index()&3]
	}
	if rule, ok := rules[in.Op]; ok {
		return rule(x)
	}
	return x.plainly()
}

// plainly is the rule of an operation whose lanes do the same with the same.
func (x step) plainly() Tag { return uniformOr(join(x.t[:]...), x.carry) }

func (x step) anything() Tag { return Unknown }

// wraps reports whether sums are those of 32-bit words: neither saturated nor with a carry of the
// lane's own.
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

// fetch counts the coordinates. The level of detail and what else decides is not followed.
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

// product returns the tag of a product of 16 or 24 bits: that of a Split factor is its lower half,
// or with the uniform bits above it, and does not wrap.
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

// logic returns the tag of a bitwise operation: what keeps a whole Split register or its lower half
// is known.
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
		return Split // below 2^15: its sign does not matter
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
