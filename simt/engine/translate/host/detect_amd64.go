package host

// detect tests the features of the processor, and the registers that the operating system saves.
func detect() string {
	const (
		// Leaf 1, ECX.
		fma     = 1 << 12
		popcnt  = 1 << 23
		osxsave = 1 << 27
		avx     = 1 << 28
		f16c    = 1 << 29
		// Leaf 7, EBX.
		bmi1     = 1 << 3
		avx2     = 1 << 5
		bmi2     = 1 << 8
		avx512f  = 1 << 16
		avx512dq = 1 << 17
		avx512cd = 1 << 28
		avx512bw = 1 << 30
		avx512vl = 1 << 31
		// Leaf 0x80000001, ECX.
		lzcnt = 1 << 5
		// XCR0: registers the operating system saves.
		ymm = 1<<1 | 1<<2
		zmm = ymm | 1<<5 | 1<<6 | 1<<7
	)
	const extended = 0x80000000
	most, _, _, _ := cpuid(0, 0)
	mostExtended, _, _, _ := cpuid(extended, 0)
	if most < 7 || mostExtended <= extended {
		return Off
	}
	_, _, one, _ := cpuid(1, 0)
	_, seven, _, _ := cpuid(7, 0)
	_, _, more, _ := cpuid(extended+1, 0)
	has := func(x, bits uint32) bool { return x&bits == bits }
	if !has(one, fma|popcnt|osxsave|avx|f16c) || !has(seven, bmi1|avx2|bmi2) || !has(more, lzcnt) {
		return Off
	}
	switch saved := xgetbv(); {
	case !has(saved, ymm):
		return Off
	case has(saved, zmm) && has(seven, avx512f|avx512dq|avx512cd|avx512bw|avx512vl):
		return AVX512
	}
	return AVX2
}

// detectBytes tests the feature behind PermutesBytes.
func detectBytes() bool {
	const vbmi = 1 << 1 // leaf 7, ECX
	_, _, seven, _ := cpuid(7, 0)
	return best == AVX512 && seven&vbmi != 0
}

// cpuid executes CPUID.
func cpuid(eax, ecx uint32) (a, b, c, d uint32)

// xgetbv returns the low half of extended control register 0.
func xgetbv() uint32
