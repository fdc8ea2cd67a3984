package mem

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

func TestComponent(t *testing.T) {
	f := math.Float32bits
	for _, c := range []struct {
		name    string
		format  Format
		bytes   string
		integer uint32
		real    uint32
	}{
		{"u8 least", FormatU8, "\x00", 0, 0},
		{"u8 one", FormatU8, "\x01", 1, f(float32(1.0 / 255))},
		{"u8 greatest", FormatU8, "\xff", 255, f(1)},
		{"u16 greatest", FormatU16, "\xff\xff", 65535, f(1)},
		{"u16 third", FormatU16, "\x55\x55", 0x5555, f(float32(1.0 / 3))},
		{"u32", FormatU32, "\x01\x02\x03\x84", 0x84030201, 0x84030201},
		{"s8 greatest", FormatS8, "\x7f", 127, f(1)},
		{"s8 minus one", FormatS8, "\x81", 0xffffff81, f(-1)},
		{"s8 least", FormatS8, "\x80", 0xffffff80, f(-1)},
		{"s16 greatest", FormatS16, "\xff\x7f", 0x7fff, f(1)},
		{"s16 least", FormatS16, "\x00\x80", 0xffff8000, f(-1)},
		{"s16 small", FormatS16, "\xff\xff", 0xffffffff, f(float32(-1.0 / 32767))},
		{"s32", FormatS32, "\x01\x02\x03\x84", 0x84030201, 0x84030201},
		{"f16", FormatF16, "\x00\x3c", f(1), f(1)},
		{"f32", FormatF32, "\x00\x00\x80\x3f", f(1), f(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, len(c.bytes), c.format.Size())
			require.Equal(t, c.integer, c.format.component([]byte(c.bytes), true))
			require.Equal(t, c.real, c.format.component([]byte(c.bytes), false))
		})
	}
	require.Zero(t, Format(0).Size())
	require.PanicsWithValue(t, "mem: no texture format 0x04", func() { Format(4).component(nil, false) })
}

// TestWiden checks all f16 against their value in double precision.
func TestWiden(t *testing.T) {
	for h := range 1 << 16 {
		exp, frac := h>>10&0x1f, h&0x3ff
		sign := uint32(h>>15) << 31
		switch {
		case exp == 31:
			require.Equal(t, sign|0x7f800000|uint32(frac)<<13, widen(uint16(h)))
		case exp == 0:
			require.Equal(t, sign|math.Float32bits(float32(math.Ldexp(float64(frac), -24))), widen(uint16(h)))
		default:
			require.Equal(t, sign|math.Float32bits(float32(math.Ldexp(float64(1024+frac), exp-25))), widen(uint16(h)))
		}
	}
}

func TestFetch(t *testing.T) {
	s, at := block(t, 64)
	for _, c := range []struct {
		name string
		x    Texture
		want map[int][4]uint32 // by coordinate
	}{
		{"one byte", Texture{Linear, FormatU8, 1, true, at, 64},
			map[int][4]uint32{0: {0}, 63: {63}, 64: {}, -1: {}, math.MinInt32: {}}},
		{"inside an allocation", Texture{Linear, FormatU8, 2, true, at + 8, 15},
			map[int][4]uint32{0: {8, 9}, 6: {20, 21}, 7: {}}}, // texel 7 is cut by the end
		{"four halves", Texture{Linear, FormatU16, 4, true, at, 64},
			map[int][4]uint32{1: {0x0908, 0x0b0a, 0x0d0c, 0x0f0e}, 8: {}}},
		{"four words", Texture{Linear, FormatF32, 4, false, at, 64},
			map[int][4]uint32{3: {0x33323130, 0x37363534, 0x3b3a3938, 0x3f3e3d3c}, 4: {}, 1 << 28: {}}},
		{"unbound", Texture{}, map[int][4]uint32{0: {}, 5: {}}},
		{"no bytes", Texture{Linear, FormatU8, 1, true, at, 0}, map[int][4]uint32{0: {}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for coord, want := range c.want {
				d := &Data{same(9), same(9), same(9), same(9)}
				require.Nil(t, c.x.Fetch(s, same(uint32(coord)), 1<<4, d))
				for k := range d {
					require.Equal(t, want[k], d[k][4], "component %d of texel %d", k, coord)
					require.Equal(t, uint32(9), d[k][5], "idle lane")
				}
			}
		})
	}
}

func TestFetchOverItsCoordinates(t *testing.T) {
	s, at := block(t, 64)
	x := Texture{Linear, FormatU8, 2, true, at, 64}
	row, second := *number(0), *same(9)
	require.Nil(t, x.Fetch(s, &row, lane.All, &Data{0: &row, 3: &second}))
	require.Equal(t, *from(0, 2), row)
	require.Equal(t, *same(0), second, "components that the format lacks")
}

func TestFetchFreed(t *testing.T) {
	s, at := block(t, 64)
	x := Texture{Linear, FormatU8, 1, true, at, 64}
	require.NoError(t, s.Free(at))
	d := same(9)
	require.Equal(t, &Violation{Unmapped, 't', 0xf0, at}, x.Fetch(s, number(0), 0xf0, &Data{d}))
	require.Equal(t, same(9), d)
	require.Nil(t, x.Fetch(s, number(0), 0, &Data{d}))
}
