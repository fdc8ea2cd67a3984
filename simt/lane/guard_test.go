package lane

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// conditions is the specification's table, by code.
var conditions = map[uint8]func(z, s, c, o bool) bool{
	0x00: func(z, s, c, o bool) bool { return true },
	0x01: func(z, s, c, o bool) bool { return (s && !z) != o },
	0x02: func(z, s, c, o bool) bool { return z && !s },
	0x03: func(z, s, c, o bool) bool { return s != (z || o) },
	0x04: func(z, s, c, o bool) bool { return !z && s == o },
	0x05: func(z, s, c, o bool) bool { return !z },
	0x06: func(z, s, c, o bool) bool { return s == o },
	0x07: func(z, s, c, o bool) bool { return !z || !s },
	0x08: func(z, s, c, o bool) bool { return z && s },
	0x09: func(z, s, c, o bool) bool { return s != o },
	0x0a: func(z, s, c, o bool) bool { return z },
	0x0b: func(z, s, c, o bool) bool { return z || s != o },
	0x0c: func(z, s, c, o bool) bool { return !s != (z || o) },
	0x0d: func(z, s, c, o bool) bool { return !z || s },
	0x0e: func(z, s, c, o bool) bool { return (!s || z) != o },
	0x0f: func(z, s, c, o bool) bool { return false },
	0x10: func(z, s, c, o bool) bool { return o },
	0x11: func(z, s, c, o bool) bool { return c },
	0x12: func(z, s, c, o bool) bool { return !z && c },
	0x13: func(z, s, c, o bool) bool { return s },
	0x1c: func(z, s, c, o bool) bool { return !s },
	0x1d: func(z, s, c, o bool) bool { return z || !c },
	0x1e: func(z, s, c, o bool) bool { return !c },
	0x1f: func(z, s, c, o bool) bool { return !o },
}

// every has each of the 16 flag values, in lanes 0..15 and again in 16..31.
var every = Flags{Z: 0xaaaaaaaa, S: 0xcccccccc, C: 0xf0f0f0f0, O: 0xff00ff00}

func TestCondition(t *testing.T) {
	for code := range 256 {
		holds, valid := conditions[uint8(code)]
		require.Equalf(t, valid, CondValid(uint8(code)), "code %02x", code)
		var want Mask
		for i := range Width {
			v := uint8(i)
			if valid && holds(v&alu.Z != 0, v&alu.S != 0, v&alu.C != 0, v&alu.O != 0) {
				want |= 1 << i
			}
		}
		require.Equalf(t, want, Condition(&every, uint8(code)), "code %02x", code)
	}
}

// A floating-point result is one of four outcomes; conditions 1 to 14 are the sets of them.
func TestConditionOutcomes(t *testing.T) {
	// Flags 0 mean greater, Z equal, S less, both unordered.
	for i, outcome := range []uint8{4, 2, 1, 8} {
		for code := uint8(1); code < 15; code++ {
			require.Equalf(t, code&outcome != 0, Condition(&every, code)>>i&1 != 0, "code %02x, flags %d", code, i)
		}
	}
}

// After a subtraction, conditions compare the operands.
func TestConditionAfterSub(t *testing.T) {
	for _, a := range special {
		for _, b := range special {
			_, v := alu.Add(tesla.Sub, a, b, 32, false, false)
			holds := func(code uint8) bool { return Condition(&every, code)>>v&1 != 0 }
			for code := uint8(1); code < 8; code++ {
				require.Equalf(t, alu.Compare(a, b, code, 32, true), holds(code), "%08x %08x code %02x", a, b, code)
			}
			require.Equalf(t, a > b, holds(0x12), "%08x a %08x", a, b)
			require.Equalf(t, a <= b, holds(0x1d), "%08x na %08x", a, b)
			require.Equalf(t, a >= b, holds(0x11), "%08x c %08x", a, b)
			require.Equalf(t, a < b, holds(0x1e), "%08x nc %08x", a, b)
		}
	}
}
