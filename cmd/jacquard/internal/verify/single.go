package verify

import (
	"fmt"

	"jacquard/fpu"
)

var doubleOps = []string{"dadd", "dmul", "dfma", "dmin", "dmax", "dset"}

var singleOps = []string{"fadd", "fmul", "fmad", "fmin", "fmax", "fset", "fslct", "quadop"}

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
