package verify

import "jacquard/simt/lane"

var integerOps = []string{
	"add", "sub", "subr", "addc", "mad", "msub", "msubr", "madc", "mul", "sad",
	"shl", "shr", "set", "min", "max", "and", "or", "xor", "mov2",
}

func evalInteger(r *Row) (outcome, error) {
	v, flags, err := lane.RefInt(r.Op, r.Mods, uint32(r.A.Bits), uint32(r.B.Bits), uint32(r.C.Bits), uint8(r.CCIn.Bits))
	return withFlags(uint64(v), flags), err
}
