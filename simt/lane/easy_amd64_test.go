package lane

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"jacquard/fpu"
)

// easyKernels lists the kernels that have an easy part.
func easyKernels(set *Kernels) []kernel {
	return []kernel{
		single("FAddRN", set.FAddRN, func(a, b uint32) uint32 { return fpu.Add(a, b, fpu.RN) }),
		single("FSubRN", set.FSubRN, func(a, b uint32) uint32 { return fpu.Add(a, b^1<<31, fpu.RN) }),
		single("FMulRN", set.FMulRN, func(a, b uint32) uint32 { return fpu.Mul(a, b, fpu.RN) }),
		ternary("FMad", set.FMad, fpu.Mad),
		ternary("FMsub", set.FMsub, func(a, b, c uint32) uint32 { return fpu.Mad(a, b, c^1<<31) }),
		ternary("FNmad", set.FNmad, func(a, b, c uint32) uint32 { return fpu.Mad(a^1<<31, b, c) }),
	}
}

// atTheEdge returns two f32 whose product is within some places of a limit: of flushing or of
// infinity. The third is an addend that may cancel it.
func atTheEdge(rnd *rand.Rand) (a, b, c uint32) {
	limit := []float64{0x1p-126, 0x1p128}[rnd.IntN(2)]
	a = rnd.Uint32()&(1<<23-1) | uint32(60+rnd.IntN(8))<<23
	if limit > 1 {
		a += 127 << 23
	}
	b = math.Float32bits(float32(limit/float64(math.Float32frombits(a)))) + uint32(rnd.IntN(7)) - 3
	sign := rnd.Uint32() & (1 << 31)
	c = []uint32{0, 1, 1 << 23, 0x7f800000, fpu.Mul(a, b, fpu.RZ), rnd.Uint32()}[rnd.IntN(6)] ^ rnd.Uint32()&(1<<31)
	return a ^ sign, b ^ sign, c
}

// TestOneHardLane has one hard lane among hundreds, or none, active or idle, with any initial state
// of the processor's flags.
func TestOneHardLane(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer exchangeControl(exchangeControl(plainControl))
	const exceptions = 0x3f
	rnd := rand.New(rand.NewPCG(9, 10))
	tame := func(x uint32) uint32 { return x&^(0xff<<23) | (100+x>>4%50)<<23 }
	var f file
	for _, set := range Sets() {
		for _, k := range easyKernels(set) {
			for round := range 400 {
				f.fill(rnd, tame)
				regs := aliases[rnd.IntN(len(aliases))]
				var x [3]uint32
				x[0], x[1], x[2] = hardWords(rnd)
				if round%2 == 0 {
					x[0], x[1], x[2] = atTheEdge(rnd)
				}
				s := randomSel(rnd)
				if round%5 > 0 && s.N > 0 {
					at, i := rnd.IntN(s.N), rnd.IntN(Width)
					// If several operands are in one register, the first counts.
					for j, r := range slices.Backward(regs[1:]) {
						f.register(r).At(int(s.Warp[at]))[i] = x[j]
					}
				}
				exchangeControl(plainControl | rnd.Uint32()&exceptions)
				k.check(t, &f, regs, s)
			}
		}
	}
}
