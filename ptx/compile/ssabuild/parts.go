package ssabuild

import "jacquard/ptx"

// mostBytes is the most bytes that one access moves.
const mostBytes = 16

// halves parts an access that one instruction cannot do: it returns one of half the elements, and
// where the second half lies.
func halves(in *ptx.Instr, w where) (half *ptx.Instr, second where, parted bool) {
	bytes := in.Type.Bits() / 8 * in.Vector
	if !w.vectors() || bytes <= mostBytes {
		return in, w, false
	}
	part := *in
	part.Vector /= 2
	w.imm += uint64(bytes / 2)
	return &part, w, true
}
