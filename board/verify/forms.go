package verify

import (
	"fmt"
	"strings"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// form is the instruction that does what a row says, without its operands: their
// modifiers are in in.Src, their places are chosen later.
type form struct {
	in       tesla.Instruction
	flags    bool // it can write a condition register
	count    bool // the second operand is a constant within the instruction
	zeroWins bool // under the mode bit MUL_ZERO_WINS
}

// conditions are the comparisons by their name in the vectors.
var conditions = func() map[string]tesla.Cmp {
	m := map[string]tesla.Cmp{}
	for c := range tesla.Cmp(16) {
		m[c.String()] = c
	}
	return m
}()

// rounds are the rounding modes by name; "i" after one asks for an integral value.
var rounds = named(tesla.RN, tesla.RM, tesla.RP, tesla.RZ)

var integerTypes = named(tesla.B16, tesla.B32, tesla.U16, tesla.S16, tesla.U32, tesla.S32, tesla.U24, tesla.S24)

// integer reads the types and modifiers of an integer operation.
func (f *form) integer(r *Row) error {
	types := 0
	for _, m := range r.Mods {
		t, isType := integerTypes[m]
		cond, isCond := conditions[m]
		switch {
		case isType:
			f.in.Type = t
			if types < 2 && (t == tesla.U16 || t == tesla.S16) && (f.in.Op == tesla.OpIMul || f.in.Op == tesla.OpIMad) {
				f.in.Src[types].As = t
			}
			types++
		case isCond && f.in.Op == tesla.OpISet:
			f.in.Cmp = cond & 7 // integers are never unordered
		case m == "sat":
			f.in.Mods |= tesla.Sat
		case m == "high":
			f.in.Mods |= tesla.High
		case m == "shcnt":
			f.count = true
		case m == "not1":
			f.in.Src[0].Not = true
		case m == "not2":
			f.in.Src[1].Not = true
		default:
			return modError(r, m)
		}
	}
	if types == 0 {
		return fmt.Errorf("%s: no type among the modifiers %q", r.Op, r.Mods)
	}
	if as := f.in.Src[0].As; as != tesla.TypeNone {
		switch f.in.Op {
		case tesla.OpIMul:
			f.in.Type = tesla.B16
		case tesla.OpIMad:
			f.in.Src[1].As = as
		}
	}
	return nil
}

// float reads the modifiers of an operation on floats; the condition of a comparison comes first.
func (f *form) float(r *Row) error {
	mods := r.Mods
	f.in.Type = tesla.F32
	switch f.in.Op {
	case tesla.OpQuadOp:
		return f.quad(r)
	case tesla.OpSlct:
		f.in.Type = tesla.B32
	case tesla.OpFSet, tesla.OpDSet:
		if len(mods) == 0 {
			return fmt.Errorf("%s: no condition", r.Op)
		}
		cond, ok := conditions[mods[0]]
		if !ok {
			return fmt.Errorf("%s: unknown condition %q", r.Op, mods[0])
		}
		f.in.Cmp, mods = cond, mods[1:]
	}
	if f.in.Op.Class() == tesla.ClassDouble {
		f.in.Type = tesla.F64
	}
	for _, m := range mods {
		round, isRound := rounds[m]
		name, source := m[:len(m)-1], int(m[len(m)-1]-'1')
		switch {
		case isRound:
			f.in.Round = round
		case m == "sat":
			f.in.Mods = tesla.Sat
		case m == "zerowins":
			f.zeroWins = true
		case name == "abs" && source < len(f.in.Src):
			f.in.Src[source].Abs = true
		case name == "neg" && source < len(f.in.Src):
			f.in.Src[source].Neg = true
		default:
			return modError(r, m)
		}
	}
	return nil
}

var quadOps = named(tesla.Add, tesla.Sub, tesla.SubR, tesla.Mov2)

func (f *form) quad(r *Row) error {
	if len(r.Mods) != 1 {
		return fmt.Errorf("%s: want one modifier, not %q", r.Op, r.Mods)
	}
	op, ok := quadOps[r.Mods[0]]
	if !ok {
		return modError(r, r.Mods[0])
	}
	f.in.Quad = [4]tesla.Arith{op, op, op, op}
	return nil
}

// conversionTypes are the types of a conversion by their name in the vectors.
var conversionTypes = func() map[string]tesla.Type {
	m := map[string]tesla.Type{}
	for t, k := range lane.Kinds {
		m[k.String()] = t
	}
	return m
}()

// conversion reads "destination source [rounding] [abs] [neg] [sat]".
func (f *form) conversion(r *Row) error {
	if len(r.Mods) < 2 {
		return fmt.Errorf("%s: want destination and source types, not %q", r.Op, r.Mods)
	}
	for i, t := range []*tesla.Type{&f.in.Type, &f.in.From} {
		known, ok := conversionTypes[r.Mods[i]]
		if !ok {
			return fmt.Errorf("%s: unknown type %q", r.Op, r.Mods[i])
		}
		*t = known
	}
	x := &f.in.Src[0]
	for _, m := range r.Mods[2:] {
		name, integral := strings.CutSuffix(m, "i")
		round, isRound := rounds[name]
		switch {
		case isRound:
			f.in.Round = round
			if integral {
				f.in.Mods |= tesla.Integral
			}
		case m == "abs":
			x.Abs = true
		case m == "neg":
			x.Neg = true
		case m == "sat":
			f.in.Mods |= tesla.Sat
		default:
			return modError(r, m)
		}
	}
	if !lane.Converts(f.in.Type, f.in.From, f.in.Round, f.in.Mods&tesla.Integral != 0, x.Abs, x.Neg, f.in.Mods&tesla.Sat != 0) {
		return fmt.Errorf("%s: no instruction converts %s to %s", r.Op, r.Mods[1], r.Mods[0])
	}
	return nil
}

// special reads the modifiers of a special function. They write no condition register.
func (f *form) special(r *Row) error {
	f.flags, f.in.Type = false, tesla.F32
	for _, m := range r.Mods {
		switch m {
		case "abs":
			f.in.Src[0].Abs = true
		case "neg":
			f.in.Src[0].Neg = true
		case "sat":
			f.in.Mods = tesla.Sat
		default:
			return modError(r, m)
		}
	}
	return nil
}

var atomicTypes = named(tesla.B32, tesla.U32, tesla.S32, tesla.B64, tesla.U64)

// atomic reads the type of an atomic.
func (f *form) atomic(r *Row) error {
	if len(r.Mods) != 1 {
		return fmt.Errorf("%s: want one type, not %q", r.Op, r.Mods)
	}
	t, ok := atomicTypes[r.Mods[0]]
	if !ok {
		return fmt.Errorf("%s: unknown type %q", r.Op, r.Mods[0])
	}
	f.flags, f.in.Type = false, t
	return nil
}
