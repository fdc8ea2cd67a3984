package verify

import (
	"fmt"

	"jacquard/fpu"
)

var singleOps = []string{"fadd", "fmul", "fmad", "fmin", "fmax", "fset", "fslct", "quadop"}

const (
	sign32 = 1 << 31
	ones32 = 1<<32 - 1
)

// conditions are the comparisons by their name in the vectors.
var conditions = map[string]fpu.Relation{
	"never": 0, "l": 1, "e": 2, "le": 3, "g": 4, "lg": 5, "ge": 6, "lge": 7,
	"u": 8, "lu": 9, "eu": 10, "leu": 11, "gu": 12, "lgu": 13, "geu": 14, "always": 15,
}

// rounds are the rounding modes by name; "i" after one asks for an integral value.
var rounds = map[string]fpu.Round{"rn": fpu.RN, "rm": fpu.RM, "rp": fpu.RP, "rz": fpu.RZ}

// floatMods are the modifiers that say how operands and results of an arithmetic
// instruction are treated.
type floatMods struct {
	abs, neg [3]bool
	round    fpu.Round
	sat      bool
	zeroWins bool
}

func parseFloatMods(r *Row, mods []string) (m floatMods, err error) {
	for _, s := range mods {
		round, isRound := rounds[s]
		switch {
		case isRound:
			m.round = round
		case s == "sat":
			m.sat = true
		case s == "zerowins":
			m.zeroWins = true
		case len(s) == 4 && s[3] >= '1' && s[3] <= '3' && s[:3] == "abs":
			m.abs[s[3]-'1'] = true
		case len(s) == 4 && s[3] >= '1' && s[3] <= '3' && s[:3] == "neg":
			m.neg[s[3]-'1'] = true
		default:
			return m, modError(r, s)
		}
	}
	return m, nil
}

// operand32 returns operand i of v after its modifiers, absolute value first.
func (m *floatMods) operand32(i int, v Value) uint32 {
	x := uint32(v.Bits)
	if m.abs[i] {
		x &^= sign32
	}
	if m.neg[i] {
		x ^= sign32
	}
	return x
}

func evalSingle(r *Row) (outcome, error) {
	switch r.Op {
	case "fset":
		return compareSingle(r)
	case "quadop":
		return evalQuad(r)
	}
	m, err := parseFloatMods(r, r.Mods)
	if err != nil {
		return outcome{}, err
	}
	a, b, c := m.operand32(0, r.A), m.operand32(1, r.B), m.operand32(2, r.C)
	var v uint32
	switch r.Op {
	case "fadd":
		v = fpu.Add(a, b, m.round)
	case "fmul":
		v = fpu.Mul(a, b, m.round)
		if m.zeroWins {
			v = fpu.MulZeroWins(a, b, m.round)
		}
	case "fmad":
		v = fpu.Mad(a, b, c)
	case "fmin":
		v = fpu.Min(a, b)
	case "fmax":
		v = fpu.Max(a, b)
	case "fslct":
		v = fpu.Select(a, b, c)
		return withFlags(uint64(v), uint8(fpu.FlagsSelect(v))), nil
	}
	if m.sat {
		v = fpu.Sat(v)
	}
	return withFlags(uint64(v), uint8(fpu.FlagsOf(v))), nil
}

func compareSingle(r *Row) (outcome, error) {
	cond, m, err := parseCompare(r)
	if err != nil {
		return outcome{}, err
	}
	return compared(fpu.Compare(m.operand32(0, r.A), m.operand32(1, r.B))&cond != 0), nil
}

// parseCompare reads the modifiers of a comparison: the condition comes first.
func parseCompare(r *Row) (fpu.Relation, floatMods, error) {
	if len(r.Mods) == 0 {
		return 0, floatMods{}, fmt.Errorf("%s: no condition", r.Op)
	}
	cond, ok := conditions[r.Mods[0]]
	if !ok {
		return 0, floatMods{}, fmt.Errorf("%s: unknown condition %q", r.Op, r.Mods[0])
	}
	m, err := parseFloatMods(r, r.Mods[1:])
	return cond, m, err
}

// compared is the outcome of a compare-and-set instruction.
func compared(holds bool) outcome {
	if holds {
		return withFlags(ones32, uint8(fpu.Sign))
	}
	return withFlags(0, uint8(fpu.Zero))
}

// evalQuad evaluates a quad operation: a is the value of the chosen lane, b the lane's own.
func evalQuad(r *Row) (outcome, error) {
	if len(r.Mods) != 1 {
		return outcome{}, fmt.Errorf("%s: want one modifier, not %q", r.Op, r.Mods)
	}
	a, b := uint32(r.A.Bits), uint32(r.B.Bits)
	switch r.Mods[0] {
	case "add":
	case "sub":
		b ^= sign32
	case "subr":
		a ^= sign32
	case "mov2":
		a = 0
	default:
		return outcome{}, modError(r, r.Mods[0])
	}
	v := fpu.Add(a, b, fpu.RN)
	return withFlags(uint64(v), uint8(fpu.FlagsOf(v))), nil
}
