package translate

import "jacquard/simt/engine/translate/x86"

// AVX2 code has no windows: permutations of eight words are no faster than a gather.

// unlessPattern leaves the base in vec2.
func (e accessor2) unlessPattern(k kind, other x86.Label) {
	const offsets, same, base = vec0, vec1, vec2
	e.vec(x86.VPBROADCASTD, base, 0, addressesAt(0))
	e.vec(x86.VPAND, base, base, operand(e.Literal(-costStep(k))))
	for part := range int32(4) {
		equal := offsets
		if part == 0 {
			equal = same
		}
		e.vec(x86.VMOVDQU, offsets, 0, addressesAt(32*part))
		e.vec(x86.VPSUBD, offsets, offsets, r(base))
		e.vec(x86.VPCMPEQD, equal, offsets, patternAt(32*uintptr(part)))
		if part > 0 {
			e.vec(x86.VPAND, same, same, r(equal))
		}
	}
	e.signs(regWork0, same)
	e.a.Cmp(32, x86.R(regWork0), x86.Imm(0xff))
	e.a.Jcc(x86.NE, other)
}

func (e accessor2) learnOffsets() {
	for part := range int32(4) {
		e.vec(x86.VMOVDQU, vec0, 0, addressesAt(32*part))
		e.vec(x86.VPSUBD, vec0, vec0, r(vec2))
		e.vec(x86.VMOVDQUStore, vec0, 0, patternAt(32*uintptr(part)))
	}
}
