package verify

import (
	"fmt"
	"strings"

	"jacquard/fpu"
)

var convertOps = []string{"i2i", "i2f", "f2i", "f2f", "i2f64", "f2i64", "f2f64"}

// kinds are the types of a conversion by their name in the vectors.
var kinds = func() map[string]fpu.Kind {
	m := map[string]fpu.Kind{}
	for _, k := range []fpu.Kind{
		fpu.U8, fpu.S8, fpu.U8W, fpu.S8W, fpu.U16, fpu.S16, fpu.U32, fpu.S32,
		fpu.U64, fpu.S64, fpu.F16, fpu.F32, fpu.F64,
	} {
		m[k.String()] = k
	}
	return m
}()

// parseConversion reads "destination source [rounding] [abs] [neg] [sat]".
func parseConversion(r *Row) (fpu.Conversion, error) {
	var c fpu.Conversion
	if len(r.Mods) < 2 {
		return c, fmt.Errorf("%s: want destination and source types, not %q", r.Op, r.Mods)
	}
	for i, k := range []*fpu.Kind{&c.To, &c.From} {
		kind, ok := kinds[r.Mods[i]]
		if !ok {
			return c, fmt.Errorf("%s: unknown type %q", r.Op, r.Mods[i])
		}
		*k = kind
	}
	for _, m := range r.Mods[2:] {
		name, integral := strings.CutSuffix(m, "i")
		round, isRound := rounds[name]
		switch {
		case isRound:
			c.Round, c.Integral = round, integral
		case m == "abs":
			c.Abs = true
		case m == "neg":
			c.Neg = true
		case m == "sat":
			c.Sat = true
		default:
			return c, modError(r, m)
		}
	}
	if !c.Valid() {
		return c, fmt.Errorf("%s: no instruction converts %s to %s", r.Op, c.From, c.To)
	}
	return c, nil
}
