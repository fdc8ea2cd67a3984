package tags

import (
	"jacquard/simt"
	"jacquard/tesla"
)

// Step carries an instruction through the tags of a warp. all says that all its lanes that have not ended execute
// it. It returns the operands, which are of the registers before.
func (s *State) Step(in *tesla.Instruction, e *simt.Effects, all bool) (n simt.Operands) {
	words := 1
	if in.Op == tesla.OpStGlobal || in.Op == tesla.OpStLocal || in.Op == tesla.OpStShared || in.Op == tesla.OpAtom || in.Op == tesla.OpRed {
		words = (sizeOf(in.Type) + 3) / 4
	}
	var t [3]Tag
	for i := range in.Src {
		t[i] = s.read(&in.Src[i], words, &n)
	}
	result := s.result(in, &t, &n)
	if in.Lanes != 15 && in.Op == tesla.OpMov && in.Size == 8 {
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

// result returns the tag of what in computes from sources with tags t.
func (s *State) result(in *tesla.Instruction, t *[3]Tag, n *simt.Operands) Tag {
	sum := join(t[:]...)
	carry := Uniform
	if in.CarryIn != tesla.NoCond {
		carry = s.conds[in.CarryIn&3]
	}
	plain := in.Mods&tesla.Sat == 0 && carry == Uniform
	switch in.Op {
	case tesla.OpMov:
		return sum
	case tesla.OpIAdd:
		if plain && sizeOf(in.Type) == 4 {
			return added(t[0], t[1])
		}
	case tesla.OpIMul:
		return product(in, t)
	case tesla.OpIMad:
		if plain {
			return added(product(in, t), t[2])
		}
	case tesla.OpShl:
		if sizeOf(in.Type) == 4 && t[1] == Uniform && t[0] != Uniform {
			return max(t[0], Affine)
		}
	case tesla.OpShr:
		if o := &in.Src[1]; sizeOf(in.Type) == 4 && t[0] == Split && o.Kind == tesla.Imm && o.Value == 16 {
			return Uniform
		}
	case tesla.OpLogic:
		return logic(in, t)
	case tesla.OpCvt:
		return converted(in, t[0])
	case tesla.OpVote:
		return uniformOr(s.conds[in.Guard.Reg&3]) // what it looks at is where other instructions have their guard
	case tesla.OpMovFromSpecial, tesla.OpAtom, tesla.OpLdLocal, tesla.OpQuadOp:
		return Unknown
	case tesla.OpTexAuto, tesla.OpTexBias, tesla.OpTexFetch, tesla.OpTexLod, tesla.OpTexSize:
		coordinates := s.span(int(in.Dst.Index), int(in.Tex.Coords))
		n.Reads++
		count(coordinates, &n.ReadsUniform, &n.ReadsAffine)
		return Unknown // the level of detail and what else decides is not followed
	}
	return uniformOr(sum, carry)
}

// added returns the tag of a sum or difference of 32 bits.
func added(a, b Tag) Tag {
	if t := join(a, b); t == Uniform {
		return t
	}
	return max(join(a, b), Affine)
}

// product returns the tag of a product of 16 or 24 bits: that of a Split factor is its lower half, or with the
// uniform bits above it, and does not wrap.
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

// logic returns the tag of a bitwise operation: what keeps a whole Split register or its lower half is known.
func logic(in *tesla.Instruction, t *[3]Tag) Tag {
	const lower = 0xffff
	a, b := &in.Src[0], &in.Src[1]
	switch {
	case join(t[0], t[1]) == Uniform:
		return Uniform
	case sizeOf(in.Type) != 4 || a.Not || b.Not:
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
	case sizeOf(in.From) == 4 && sizeOf(in.Type) == 4:
		return t
	case t == Split && sizeOf(in.From) == 2 && sizeOf(in.Type) >= 2:
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

// sizeOf returns the bytes of a value of type t.
func sizeOf(t tesla.Type) int {
	switch t {
	case tesla.U8, tesla.S8, tesla.U8W, tesla.S8W:
		return 1
	case tesla.B16, tesla.U16, tesla.S16, tesla.F16:
		return 2
	case tesla.B64, tesla.U64, tesla.S64, tesla.F64:
		return 8
	case tesla.B128:
		return 16
	}
	return 4
}
