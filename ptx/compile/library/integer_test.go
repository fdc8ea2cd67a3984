package library_test

import (
	"math/bits"
	"strings"
	"testing"
)

// signExtend returns the lowest n bits of x with their sign.
func signExtend(x uint64, n int) int64 { return int64(x<<(64-n)) >> (64 - n) }

func low(x uint64, n int) uint64 { return x << (64 - n) >> (64 - n) }

// quotient returns the truth about div and rem of a type.
func quotient(n int, signed, rem bool) func(r row) (result, bool) {
	return func(r row) (result, bool) {
		a, b := low(r[0], n), low(r[1], n)
		switch {
		case b == 0:
			return result{a}, rem && !signed
		case signed && rem:
			return result{uint64(signExtend(a, n) % signExtend(b, n))}, true
		case signed:
			return result{uint64(signExtend(a, n) / signExtend(b, n))}, true
		case rem:
			return result{a % b}, true
		}
		return result{a / b}, true
	}
}

func TestDivision(t *testing.T) {
	for _, typ := range []string{"u16", "s16", "u32", "s32", "u64", "s64"} {
		n := map[string]int{"16": 16, "32": 32, "64": 64}[typ[1:]]
		check(t, "div_"+typ, quotient(n, typ[0] == 's', false))
		check(t, "rem_"+typ, quotient(n, typ[0] == 's', true))
	}
}

func TestProducts(t *testing.T) {
	check(t, "mul_hi_u64", one(func(r row) uint64 { hi, _ := bits.Mul64(r[0], r[1]); return hi }))
	check(t, "mul_hi_s64", one(func(r row) uint64 {
		hi, _ := bits.Mul64(r[0], r[1])
		return hi - uint64(int64(r[0])>>63)&r[1] - uint64(int64(r[1])>>63)&r[0]
	}))
	for _, typ := range []string{"u64", "s64"} {
		check(t, "sad_"+typ, one(func(r row) uint64 {
			a, b := r[0], r[1]
			if strings.HasPrefix(typ, "s") && int64(a) < int64(b) || typ == "u64" && a < b {
				a, b = b, a
			}
			return a - b + r[2]
		}))
	}
}
