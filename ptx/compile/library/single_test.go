package library_test

import (
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
}

func TestFused(t *testing.T) {
	for _, r := range roundings {
		for _, name := range []string{"fma_" + r.name + "_f32", "fused_" + r.name + "_f32",
			"fma_" + r.name + "_f32_sm13"} {
			check(t, name, one(func(x row) uint64 {
				return uint64(fma32(x[0], x[1], x[2], r.mode))
			}))
		}
	}
}

func TestDirected(t *testing.T) {
	const one32, minus = 0x3f800000, 1 << 31
	for _, r := range roundings[2:] {
		for _, suffix := range []string{"_f32", "_f32_sm13"} {
			check(t, "add_"+r.name+suffix, one(func(x row) uint64 {
				return uint64(fma32(x[0], one32, x[1], r.mode))
			}))
			check(t, "sub_"+r.name+suffix, one(func(x row) uint64 {
				return uint64(fma32(x[0], one32, x[1]^minus, r.mode))
			}))
			check(t, "mul_"+r.name+suffix, one(func(x row) uint64 {
				return uint64(round32(number(x[0])*number(x[1]), 0, r.mode))
			}))
		}
	}
}
