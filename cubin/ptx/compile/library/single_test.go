package library

import (
	"math"
	"testing"
)

func TestSingle(t *testing.T) {
	for _, r := range roundings {
		check(t, "div_"+r.name+"_f32", one(func(x row) uint64 {
			return uint64(div32(x[0], x[1], r.mode))
		}))
		check(t, "rcp_"+r.name+"_f32", one(func(x row) uint64 {
			return uint64(div32(0x3f800000, x[0], r.mode))
		}))
		check(t, "sqrt_"+r.name+"_f32", one(func(x row) uint64 {
			return uint64(sqrt32(x[0], r.mode))
		}))
	}
	_ = math.Pi
}
