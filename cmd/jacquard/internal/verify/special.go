package verify

import (
	"jacquard/fpu"
	"jacquard/sfu"
)

var specialOps = []string{"rcp", "rsqrt", "lg2", "sin", "cos", "ex2", "presin", "preex2"}

var specialMods = set("abs", "neg", "sat")

func evalSpecial(r *Row) (outcome, error) {
	if err := checkMods(r, specialMods); err != nil {
		return outcome{}, err
	}
	x := uint32(r.A.Bits)
	if r.has("abs") {
		x &^= sign32
	}
	if r.has("neg") {
		x ^= sign32
	}
	var v uint32
	switch r.Op {
	case "rcp":
		v = sfu.Rcp(x)
	case "rsqrt":
		v = sfu.Rsqrt(x)
	case "lg2":
		v = sfu.Lg2(x)
	case "sin":
		v = sfu.Sin(x)
	case "cos":
		v = sfu.Cos(x)
	case "ex2":
		v = sfu.Ex2(x)
	case "presin":
		v = sfu.PreSin(x)
	case "preex2":
		v = sfu.PreEx2(x)
	}
	if r.has("sat") {
		v = fpu.Sat(v)
	}
	return outcome{r: uint64(v)}, nil
}
