package verify

import "jacquard/fpu"

var doubleOps = []string{"dadd", "dmul", "dfma", "dmin", "dmax", "dset"}

func (m *floatMods) operand64(i int, v Value) uint64 {
	return fpu.Modify64(v.Bits, m.abs[i], m.neg[i])
}

func evalDouble(r *Row) (outcome, error) {
	if r.Op == "dset" {
		cond, m, err := parseCompare(r)
		if err != nil {
			return outcome{}, err
		}
		return compared(fpu.Compare64(m.operand64(0, r.A), m.operand64(1, r.B))&cond != 0), nil
	}
	m, err := parseFloatMods(r, r.Mods)
	if err != nil {
		return outcome{}, err
	}
	a, b, c := m.operand64(0, r.A), m.operand64(1, r.B), m.operand64(2, r.C)
	var v uint64
	switch r.Op {
	case "dadd":
		v = fpu.Add64(a, b, m.round)
	case "dmul":
		v = fpu.Mul64(a, b, m.round)
	case "dfma":
		v = fpu.Fma64(a, b, c, m.round)
	case "dmin":
		v = fpu.Min64(a, b)
	case "dmax":
		v = fpu.Max64(a, b)
	}
	return withFlags(v, uint8(fpu.Flags64(v))), nil
}
