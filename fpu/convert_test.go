package fpu

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// eachConversion calls f for every valid conversion with every modifier.
func eachConversion(f func(Conversion)) {
	for to := range kinds {
		for from := range kinds {
			for mods := range 64 {
				c := Conversion{
					To: to, From: from, Round: Round(mods & 3),
					Abs: mods&4 != 0, Neg: mods&8 != 0, Sat: mods&16 != 0, Integral: mods&32 != 0,
				}
				if c.Valid() {
					f(c)
				}
			}
		}
	}
}

// checkConversion compares the row function, if there is one, with the scalar, and checks that the
// result fits its container and has its flags.
func checkConversion(t *testing.T, c Conversion, x uint64) {
	t.Helper()
	r, f := c.Do(x)
	s := shapes[c.To]
	if s.container < 64 && r>>s.container != 0 {
		require.Failf(t, "outside of the container", "%v %x gave %x", c, x, r)
	}
	switch want := integerFlags(r, s.container); {
	case s.float && f != c.To.format().flags(r), !s.float && f&^Overflow != want:
		require.Failf(t, "flags", "%v %x gave %x with flags %x", c, x, r, f)
	}
	if c.wide() {
		return
	}
	var d Row
	c.RowFunc()(&d, &Row{9: uint32(x)})
	if d[9] != uint32(r) {
		require.Equalf(t, r, uint64(d[9]), "%v %x", c, x)
	}
}

// TestConversionsOfBytes runs all bytes through all conversions.
func TestConversionsOfBytes(t *testing.T) {
	eachConversion(func(c Conversion) {
		if shapes[c.From].bits == 8 {
			body := c.RowFunc()
			for x := uint32(0); x < 1<<8; x += 32 {
				checkLanes(t, c, body, x)
			}
		}
	})
}

// TestConversionsOfHalves runs all 16-bit words through the conversions without Sat.
func TestConversionsOfHalves(t *testing.T) {
	eachConversion(func(c Conversion) {
		if shapes[c.From].bits == 16 && c.meaningful() && !c.Sat && (c.Round == RN || c.From == F16) && !(c.Abs && c.Neg) {
			body := c.RowFunc()
			for x := uint32(0); x < 1<<16; x += 32 {
				checkLanes(t, c, body, x)
			}
		}
	})
}

// checkLanes compares the row function with the scalar for 32 words from x on.
func checkLanes(t *testing.T, c Conversion, body func(d, a *Row), x uint32) {
	t.Helper()
	var a, d Row
	for i := range a {
		a[i] = x + uint32(i)
	}
	body(&d, &a)
	for i := range a {
		if r, _ := c.Do(uint64(a[i])); uint32(r) != d[i] {
			require.Equalf(t, uint32(r), d[i], "%v %x", c, a[i])
		}
	}
}

// TestHalfValues compares all f16 with their values by the format's definition, in both directions.
func TestHalfValues(t *testing.T) {
	for h := range uint32(1 << 16) {
		e, frac := int(h>>10&31), float64(h&0x3ff)
		value := math.Ldexp(1+frac/1024, e-15)
		if e == 0 {
			value = math.Ldexp(frac/1024, -14)
		}
		if h&0x8000 != 0 {
			value = -value
		}
		wide := widen(uint16(h))
		if e < 31 && wide != math.Float32bits(float32(value))|h&0x8000<<16 {
			require.Equalf(t, float32(value), math.Float32frombits(wide), "%04x", h)
		}
		back := uint64(h)
		if half.isNaN(back) {
			back = 0x7fff
		}
		for r := range RZ + 1 {
			if narrow(canonical(wide), r, false) != back {
				require.Equalf(t, back, narrow(canonical(wide), r, false), "%04x, mode %d", h, r)
			}
		}
	}
}

func TestConversionValid(t *testing.T) {
	for _, c := range []struct {
		to, from Kind
		want     bool
	}{
		{S32, F32, true}, {F16, F16, true}, {U8W, S8, true}, {F64, S32, true}, {F32, U64, true}, {F64, F64, true},
		{U64, S64, false}, {U64, U32, false}, {F64, U16, false}, {F16, F64, false}, {S16, F64, false},
		{kinds, F32, false}, {F32, kinds, false},
	} {
		require.Equal(t, c.want, Conversion{To: c.to, From: c.from}.Valid(), "%d %d", c.to, c.from)
	}
	require.False(t, Conversion{To: F32, From: F32, Round: 4}.Valid())
}

func TestKindsAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for k := range kinds {
		require.NotEmpty(t, k.String(), "kind %d", k)
		require.False(t, seen[k.String()], "%s twice", k)
		seen[k.String()] = true
	}
}

func TestConversionString(t *testing.T) {
	c := Conversion{To: F32, From: F16, Round: RP, Integral: true, Abs: true, Neg: true, Sat: true}
	require.Equal(t, "f32 f16 rpi abs neg sat", c.String())
}
