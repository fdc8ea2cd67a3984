package verify

import "jacquard/tesla"

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
