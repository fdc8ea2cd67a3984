package verify

import (
	"fmt"

	"jacquard/simt/mem"
	"jacquard/tesla"
)

var atomicOps = []string{
	"atom.add", "atom.exch", "atom.cas", "atom.inc", "atom.dec",
	"atom.max", "atom.min", "atom.and", "atom.or", "atom.xor",
}

var atomicCodes = map[string]tesla.AtomOp{
	"atom.add": tesla.AtomAdd, "atom.exch": tesla.AtomExch, "atom.cas": tesla.AtomCas,
	"atom.inc": tesla.AtomInc, "atom.dec": tesla.AtomDec, "atom.max": tesla.AtomMax,
	"atom.min": tesla.AtomMin, "atom.and": tesla.AtomAnd, "atom.or": tesla.AtomOr,
	"atom.xor": tesla.AtomXor,
}

var atomicTypes = map[string]tesla.Type{
	"b32": tesla.B32, "u32": tesla.U32, "s32": tesla.S32, "b64": tesla.B64, "u64": tesla.U64,
}

// evalAtomic evaluates an atomic: a is the memory before, b the operand, c the swap value.
func evalAtomic(r *Row) (outcome, error) {
	if len(r.Mods) != 1 {
		return outcome{}, fmt.Errorf("%s: want one type, not %q", r.Op, r.Mods)
	}
	t, ok := atomicTypes[r.Mods[0]]
	if !ok {
		return outcome{}, fmt.Errorf("%s: unknown type %q", r.Op, r.Mods[0])
	}
	v := mem.AtomicWord(atomicCodes[r.Op], t, r.A.Bits, r.B.Bits, r.C.Bits)
	return outcome{r: v, r2: r.A.Bits, hasR2: true}, nil
}
