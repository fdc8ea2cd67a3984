package ptxreference

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/fpu"
	"jacquard/ptx"
)

// anyFloat returns any bits, NaN and infinity among them, often near something special.
func anyFloat(r *rand.Rand, f *format) uint64 {
	switch r.IntN(12) {
	case 0:
		return r.Uint64() & ones(f.bits)
	case 1:
		return []uint64{0, f.sign(), f.infinity(), f.infinity() | f.sign(), f.infinity() + 1,
			f.sign() - 1, f.one(), f.fraction(), f.fraction() + 1, f.largest()}[r.IntN(10)]
	}
	return someFloat(r, f)
}

// Two bodies of arithmetic agree: one is written from the definitions of PTX, the other is the
// machine's, with evidence from hardware.
func TestArithmeticIsTeslas(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rounds := map[ptx.Round]fpu.Round{ptx.RN: fpu.RN, ptx.RZ: fpu.RZ, ptx.RM: fpu.RM, ptx.RP: fpu.RP}
	for range 100000 {
		a, b, c := anyFloat(r, single), anyFloat(r, single), anyFloat(r, single)
		x, y, z := uint32(a), uint32(b), uint32(c)
		f := arith{format: single, mode: ptx.RN, ftz: true}
		require.Equal(t, uint64(fpu.Mad(x, y, z)), fmad(a, b, c), "mad %x %x %x", a, b, c)
		require.Equal(t, uint64(fpu.Min(x, y)), f.pick(a, b, false, false), "min %x %x", a, b)
		require.Equal(t, uint64(fpu.Max(x, y)), f.pick(a, b, true, false), "max %x %x", a, b)
		for _, mode := range modes[:2] {
			f.mode = mode
			require.Equal(t, uint64(fpu.Add(x, y, rounds[mode])), f.add(a, b, false), "add %x %x", a, b)
			require.Equal(t, uint64(fpu.Mul(x, y, rounds[mode])), f.mul(a, b), "mul %x %x", a, b)
		}
	}
	for range 100000 {
		a, b, c := anyFloat(r, double), anyFloat(r, double), anyFloat(r, double)
		f := arith{format: double}
		require.Equal(t, fpu.Min64(a, b), f.pick(a, b, false, false), "min %x %x", a, b)
		require.Equal(t, fpu.Max64(a, b), f.pick(a, b, true, false), "max %x %x", a, b)
		for _, mode := range modes {
			f.mode = mode
			require.Equal(t, fpu.Add64(a, b, rounds[mode]), f.add(a, b, false), "add %x %x", a, b)
			require.Equal(t, fpu.Mul64(a, b, rounds[mode]), f.mul(a, b), "mul %x %x", a, b)
			require.Equal(t, fpu.Fma64(a, b, c, rounds[mode]), f.fma(a, b, c), "fma %x %x %x", a, b, c)
		}
	}
}
