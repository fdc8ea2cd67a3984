package lane

//go:generate go run ../../cmd/gen/kernels

// hostSIMD returns the name of the best set of kernels for this processor.
func hostSIMD() string { return best }

// best does not change while the program runs; asking the processor is slow, more so in a
// virtual machine.
var best = detect()

// vectorized returns the set of that name, which hostSIMD allows.
func vectorized(name string) *Kernels {
	k := portable()
	k.SIMD = name
	if name == AVX512 {
		useAVX512(k)
		k.CompareU = comparison(lessUAVX512, equalAVX512)
		k.CompareS = comparison(lessSAVX512, equalAVX512)
		k.FCompare = floatComparison(fLessAVX512, fEqualAVX512, fAtMostAVX512, fUnequalAVX512, fOrderedAVX512)
		k.FAddRN, k.FSubRN, k.FMulRN = fAddRNAVX512, fSubRNAVX512, fMulRNAVX512
		k.FMad, k.FMsub, k.FNmad = fMadAVX512, fMsubAVX512, fNmadAVX512
		k.DAdd, k.DMul, k.DFma, k.DModify = dAddAVX512, dMulAVX512, dFmaAVX512, dModifyAVX512
		k.DCompare = floatComparison(dLessAVX512, dEqualAVX512, dAtMostAVX512, dUnequalAVX512, dOrderedAVX512)
		k.convert = conversionsAVX512().find
		k.convert64 = pairConversionsAVX512().find
		return k
	}
	useAVX2(k)
	k.CompareU = comparison(lessUAVX2, equalAVX2)
	k.CompareS = comparison(lessSAVX2, equalAVX2)
	k.FCompare = floatComparison(fLessAVX2, fEqualAVX2, fAtMostAVX2, fUnequalAVX2, fOrderedAVX2)
	k.FAddRN, k.FSubRN, k.FMulRN = fAddRNAVX2, fSubRNAVX2, fMulRNAVX2
	k.FMad, k.FMsub, k.FNmad = fMadAVX2, fMsubAVX2, fNmadAVX2
	k.DAdd, k.DMul, k.DFma, k.DModify = dAddAVX2, dMulAVX2, dFmaAVX2, dModifyAVX2
	k.DCompare = floatComparison(dLessAVX2, dEqualAVX2, dAtMostAVX2, dUnequalAVX2, dOrderedAVX2)
	k.convert = conversionsAVX2().find
	k.convert64 = pairConversionsAVX2().find
	return k
}

// detect asks the processor what it has, and the operating system what it saves.
func detect() string {
	const (
		// Leaf 1, ECX.
		fma     = 1 << 12
		osxsave = 1 << 27
		avx     = 1 << 28
		f16c    = 1 << 29
		// Leaf 7, EBX.
		avx2     = 1 << 5
		bmi2     = 1 << 8
		avx512f  = 1 << 16
		avx512dq = 1 << 17
		avx512bw = 1 << 30
		avx512vl = 1 << 31
		// XCR0: registers the operating system saves.
		ymm = 1<<1 | 1<<2
		zmm = ymm | 1<<5 | 1<<6 | 1<<7
	)
	most, _, _, _ := cpuid(0, 0)
	if most < 7 {
		return Off
	}
	_, _, one, _ := cpuid(1, 0)
	_, seven, _, _ := cpuid(7, 0)
	has := func(x, bits uint32) bool { return x&bits == bits }
	if !has(one, fma|osxsave|avx|f16c) || !has(seven, avx2|bmi2) {
		return Off
	}
	switch saved := xgetbv(); {
	case !has(saved, ymm):
		return Off
	case has(saved, zmm) && has(seven, avx512f|avx512dq|avx512bw|avx512vl):
		return AVX512
	}
	return AVX2
}

// cpuid executes the instruction of that name.
func cpuid(eax, ecx uint32) (a, b, c, d uint32)

// xgetbv returns the low half of extended control register 0.
func xgetbv() uint32
