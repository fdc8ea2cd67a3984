package fpu

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// exact rounds the result of arbitrary-precision arithmetic to an f64. ok is false if there is no
// result, and for zero and numbers that may not be normal.
func exact(r Round, compute func(z *big.Float)) (uint64, bool) {
	z := new(big.Float).SetPrec(5000) // more than any sum of f64 products has
	compute(z)
	modes := [...]big.RoundingMode{big.ToNearestEven, big.ToNegativeInf, big.ToPositiveInf, big.ToZero}
	z.SetMode(modes[r]).SetPrec(53)
	e := z.MantExp(nil)
	if z.IsInf() || z.Sign() == 0 || e < -1000 || e > 1000 {
		return 0, false
	}
	x, _ := z.Float64()
	return math.Float64bits(x), true
}

func finite(words ...uint64) bool {
	for _, x := range words {
		if x&^sign64 >= inf64 {
			return false
		}
	}
	return true
}

// checkDouble compares row and scalar functions, and the scalars with exact results.
func checkDouble(t *testing.T, a, b, c uint64, r Round) {
	t.Helper()
	x, y, z, d := Row64{7: a}, Row64{7: b}, Row64{7: c}, Row64{}
	Add64Row(&d, &x, &y, r)
	require.Equal(t, Add64(a, b, r), d[7], "%x + %x, mode %d", a, b, r)
	Mul64Row(&d, &x, &y, r)
	require.Equal(t, Mul64(a, b, r), d[7], "%x * %x, mode %d", a, b, r)
	Fma64Row(&d, &x, &y, &z, r)
	require.Equal(t, Fma64(a, b, c, r), d[7], "%x * %x + %x, mode %d", a, b, c, r)
	for cond := range Relation(16) {
		require.Equal(t, bit(Compare64(a, b)&cond != 0), Compare64Row(&x, &y, cond)>>7&1, "%x ? %x, %d", a, b, cond)
	}
	if !finite(a, b, c) {
		return
	}
	value := func(x uint64) *big.Float { return big.NewFloat(math.Float64frombits(x)) }
	if want, ok := exact(r, func(z *big.Float) { z.Add(value(a), value(b)) }); ok {
		require.Equal(t, want, Add64(a, b, r), "%x + %x, mode %d", a, b, r)
	}
	if want, ok := exact(r, func(z *big.Float) { z.Mul(value(a), value(b)) }); ok {
		require.Equal(t, want, Mul64(a, b, r), "%x * %x, mode %d", a, b, r)
	}
	if want, ok := exact(r, func(z *big.Float) { z.Add(z.Mul(value(a), value(b)), value(c)) }); ok {
		require.Equal(t, want, Fma64(a, b, c, r), "%x * %x + %x, mode %d", a, b, c, r)
	}
}

// anyDouble draws an f64, often one whose sums and products with near cancel or tie.
func anyDouble(rng *rand.Rand, near uint64) uint64 {
	x := rng.Uint64()
	switch rng.Intn(6) {
	case 0:
		return uint64(corner[rng.Intn(len(corner))])<<32 | x&3
	case 1:
		return near ^ 1<<rng.Intn(64)
	case 2:
		e := near>>52&0x7ff + uint64(rng.Intn(120)) - 60
		return x&^(0x7ff<<52) | e&0x7ff<<52
	case 3:
		return x &^ (1<<rng.Intn(53) - 1)
	case 4:
		return x&^(0x7ff<<52) | uint64(rng.Intn(3))<<52
	}
	return x
}

func TestDouble(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 3000 {
		a := anyDouble(rng, 0)
		b := anyDouble(rng, a)
		c := anyDouble(rng, Mul64(a, b, RN))
		checkDouble(t, a, b, c, Round(rng.Intn(4)))
	}
}

func TestModify64(t *testing.T) {
	const signalling = 0xfff0000000000001
	for _, c := range []struct {
		name     string
		x        uint64
		abs, neg bool
		want     uint64
	}{
		{"nothing", 0x8000000000000000, false, false, 0x8000000000000000},
		{"negation", 0, false, true, 0x8000000000000000},
		{"absolute value", 0xbff0000000000000, true, false, 0x3ff0000000000000},
		{"absolute value first", 0x3ff0000000000000, true, true, 0xbff0000000000000},
		{"infinity", 0x7ff0000000000000, false, true, 0xfff0000000000000},
		{"a NaN keeps its sign", signalling, true, false, signalling},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, Modify64(c.x, c.abs, c.neg))
		})
	}
}
