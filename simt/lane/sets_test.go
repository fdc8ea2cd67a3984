package lane

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// hardWords returns three f32 whose products and sums are corner cases: tiny, huge, one place
// apart, or cancelling.
func hardWords(rnd *rand.Rand) (a, b, c uint32) {
	sign := func() uint32 { return rnd.Uint32() & (1 << 31) }
	fraction := func() uint32 {
		if rnd.IntN(4) == 0 {
			return [...]uint32{0, 1, 1<<23 - 1, 1 << 22}[rnd.IntN(4)]
		}
		return rnd.Uint32() & (1<<23 - 1)
	}
	ea, eb := rnd.IntN(256), rnd.IntN(256)
	switch rnd.IntN(4) {
	case 0: // a product near the least normal number
		eb = max(0, min(255, 127-ea+rnd.IntN(6)))
	case 1: // and near the largest
		eb = max(0, min(255, 127+254-ea-3+rnd.IntN(6)))
	}
	ec := rnd.IntN(256)
	if rnd.IntN(2) == 0 { // an addend near the product
		ec = max(0, min(255, ea+eb-127-26+rnd.IntN(52)))
	}
	return sign() | uint32(ea)<<23 | fraction(), sign() | uint32(eb)<<23 | fraction(), sign() | uint32(ec)<<23 | fraction()
}

// TestSetsAgree runs the float kernels of every set on the same hard words and compares them with
// the portable ones, whose own tests compare with the references.
func TestSetsAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	sets := Sets()
	for range 300 {
		var f file
		for w := range MaxWarps {
			for i := range Width {
				f.rows[MaxWarps+w][i], f.rows[2*MaxWarps+w][i], f.rows[3*MaxWarps+w][i] = hardWords(rnd)
			}
		}
		agree(t, &f, randomSel(rnd), sets)
	}
}

// agree runs every float kernel of the sets on f and compares the whole file.
func agree(t *testing.T, f *file, s *Sel, sets []*Kernels) {
	t.Helper()
	var lists [][]kernel
	for _, set := range sets {
		lists = append(lists, floatKernels(set))
	}
	for i := range lists[0] {
		var want file
		for j, list := range lists {
			got, k := *f, list[i]
			k.run(got.register(0), got.register(1), got.register(2), got.register(3), got.flags[:], s)
			if j == 0 {
				want = got
				continue
			}
			for w := range MaxWarps {
				for n := range Width {
					if regs := [4]int{0, 1, 2, 3}; got.lane(w, n, regs) != want.lane(w, n, regs) {
						require.Failf(t, "sets differ", "%s, warp %d lane %d\n%s %08x\n%s %08x",
							k.name, w, n, sets[0].SIMD, want.lane(w, n, regs), sets[j].SIMD, got.lane(w, n, regs))
					}
				}
			}
		}
	}
}

// FuzzSets is TestSetsAgree on words of the fuzzer's choice.
func FuzzSets(f *testing.F) {
	f.Add(uint64(1), uint32(0x00800000), uint32(0x3f7fffff), uint32(0))
	f.Add(uint64(2), uint32(0x7f7fffff), uint32(0x3f800001), uint32(0xff7fffff))
	f.Add(uint64(3), uint32(0x1fffffff), uint32(0x1fffffff), uint32(0x0d000000))
	f.Add(uint64(4), uint32(0xcb7fffff), uint32(0x73ffffff), uint32(0x773544c2))
	f.Fuzz(func(t *testing.T, seed uint64, a, b, c uint32) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var regs file
		for w := range MaxWarps {
			for i := range Width {
				// The words themselves and their neighbours.
				near := func(x uint32) uint32 { return x + uint32(rnd.IntN(9)) - 4 }
				regs.rows[MaxWarps+w][i], regs.rows[2*MaxWarps+w][i], regs.rows[3*MaxWarps+w][i] = near(a), near(b), near(c)
			}
		}
		agree(t, &regs, randomSel(rnd), Sets())
	})
}
