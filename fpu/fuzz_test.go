package fpu

import (
	"math/rand"
	"testing"
)

// seeds gives a fuzz target all combinations of three corners.
func seeds(add func(a, b, c uint32)) {
	for i := 0; i < len(corner); i += 4 {
		x := corner[i]
		y := corner[(i*7+3)%len(corner)]
		add(x, y, Mul(x, y, RN))
		add(x|sign32, y, x)
		add(x, one32, y|sign32)
	}
}

// FuzzRow compares every row function with its scalar, in rows that mix the given words with
// others.
func FuzzRow(f *testing.F) {
	seeds(func(a, b, c uint32) { f.Add(a, b, c, int64(a)) })
	ops := rowOps()
	f.Fuzz(func(t *testing.T, a, b, c uint32, seed int64) {
		rng := rand.New(rand.NewSource(seed))
		draw := plainWord
		if seed&1 == 0 {
			draw = anyWord
		}
		var x, y, z Row
		for i := range x {
			x[i], y[i], z[i] = draw(rng, a), draw(rng, b), draw(rng, c)
		}
		at := rng.Intn(32)
		x[at], y[at], z[at] = a, b, c
		for _, op := range ops {
			checkRow(t, op, &x, &y, &z)
		}
	})
}

// FuzzDouble compares the f64 row functions with the scalar ones, and normal results with
// arbitrary precision.
func FuzzDouble(f *testing.F) {
	seeds(func(a, b, c uint32) {
		f.Add(uint64(a)<<32, uint64(b)<<32|uint64(c), uint64(c)<<32|1)
		f.Add(uint64(a)<<29|0x3ff<<52, uint64(b)<<20, uint64(c)<<31)
	})
	f.Fuzz(func(t *testing.T, a, b, c uint64) {
		for r := range RZ + 1 {
			checkDouble(t, a, b, c, r)
		}
	})
}

// FuzzConversion runs every conversion on one word and looks for panics and for results
// outside of their container.
func FuzzConversion(f *testing.F) {
	for i := 0; i < len(corner); i += 3 {
		f.Add(uint64(corner[i])<<32 | 1)
		f.Add(uint64(corner[i] | sign32))
	}
	f.Fuzz(func(t *testing.T, x uint64) {
		eachConversion(func(c Conversion) { checkConversion(t, c, x) })
	})
}
