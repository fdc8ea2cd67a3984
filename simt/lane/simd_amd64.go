package lane

//go:generate go run ../../cmd/gen/kernels

// hostSIMD returns the name of the best set of kernels for this processor.
func hostSIMD() string { return best }

// best is computed once, because asking the processor is slow, more so in a virtual machine.
var best = detect()

// vectorized returns the set of that name; hostSIMD must support it.
func vectorized(name string) *Kernels {
	k := portable()
	k.SIMD = name
	if name == AVX512 {
		useAVX512(k)
		composeAVX512(k)
	} else {
		useAVX2(k)
		composeAVX2(k)
	}
	return k
}

// detect tests the features of the processor, and the registers that the operating system saves.
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

// cpuid executes CPUID.
func cpuid(eax, ecx uint32) (a, b, c, d uint32)

// xgetbv returns the low half of extended control register 0.
func xgetbv() uint32
