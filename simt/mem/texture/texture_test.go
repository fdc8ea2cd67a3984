package texture

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// Every kind has a name of its own, by which it is found again.
func TestKindNames(t *testing.T) {
	for k := Unbound; k <= Array; k++ {
		require.NotEmpty(t, k.String())
		require.Equal(t, k, ParseKind(k.String()))
	}
	require.Equal(t, "Kind(4)", (Array + 1).String())
	require.Equal(t, Unbound, ParseKind(""))
	require.Equal(t, Unbound, ParseKind("cube"))
}

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
	require.PanicsWithValue(t, "texture: no format 0x04", func() { Format(4).component(nil, false) })
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

// linear returns a texture of integers over linear memory.
func linear(f Format, channels uint8, base uint32, size uint64) Texture {
	return Texture{Kind: Linear, Format: f, Channels: channels, Integer: true, Base: base, Size: size}
}

func TestFetch(t *testing.T) {
	s, at := block(t, 64)
	for _, c := range []struct {
		name string
		x    Texture
		want map[int][4]uint32 // by coordinate
	}{
		{"one byte", linear(FormatU8, 1, at, 64),
			map[int][4]uint32{0: {0}, 63: {63}, 64: {}, -1: {}, math.MinInt32: {}}},
		{"inside an allocation", linear(FormatU8, 2, at+8, 15),
			map[int][4]uint32{0: {8, 9}, 6: {20, 21}, 7: {}}}, // texel 7 is cut by the end
		{"four halves", linear(FormatU16, 4, at, 64),
			map[int][4]uint32{1: {0x0908, 0x0b0a, 0x0d0c, 0x0f0e}, 8: {}}},
		{"four words", linear(FormatF32, 4, at, 64),
			map[int][4]uint32{3: {0x33323130, 0x37363534, 0x3b3a3938, 0x3f3e3d3c}, 4: {}, 1 << 28: {}}},
		{"unbound", Texture{}, map[int][4]uint32{0: {}, 5: {}}},
		{"no bytes", linear(FormatU8, 1, at, 0), map[int][4]uint32{0: {}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for coord, want := range c.want {
				d := &mem.Data{same(9), same(9), same(9), same(9)}
				require.Nil(t, c.x.Fetch(s, &Coords{Rows: [4]*lane.Row{same(uint32(coord))}}, 1<<4, d))
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
	x := linear(FormatU8, 2, at, 64)
	row, second := *from(0, 1), *same(9)
	require.Nil(t, x.Fetch(s, &Coords{Rows: [4]*lane.Row{&row}}, lane.All, &mem.Data{0: &row, 3: &second}))
	require.Equal(t, *from(0, 2), row)
	require.Equal(t, *same(0), second, "components that the format lacks")
}

func TestFetchFreed(t *testing.T) {
	s, at := block(t, 64)
	x := linear(FormatU8, 1, at, 64)
	require.NoError(t, s.Free(at))
	d := same(9)
	require.Equal(t, &mem.Violation{Kind: mem.Unmapped, Space: 't', Lanes: 0xf0, Addr: at}, x.Fetch(s, &Coords{Rows: [4]*lane.Row{from(0, 1)}}, 0xf0, &mem.Data{d}))
	require.Equal(t, same(9), d)
	require.Nil(t, x.Fetch(s, &Coords{Rows: [4]*lane.Row{from(0, 1)}}, 0, &mem.Data{d}))
}

// samples reads x at one coordinate per dimension.
func samples(t *testing.T, x *Texture, coords ...float32) (component0 uint32) {
	t.Helper()
	var at Coords
	for k, c := range coords {
		at.Rows[k] = same(math.Float32bits(c))
	}
	d := mem.Data{same(9)}
	require.Nil(t, x.Sample(mem.NewSpace(4096), &x.Sampler, &at, 1, &d))
	require.Equal(t, uint32(9), d[0][1], "idle lane")
	return d[0][0]
}

func TestSample(t *testing.T) {
	f := math.Float32bits
	row := func(a Sampler, texels string) *Texture {
		return &Texture{Kind: Array, Format: FormatU8, Channels: 1, Integer: true, Width: len(texels), Texels: []byte(texels), Sampler: a}
	}
	plain := row(Sampler{}, "abcd")
	wrap := row(Sampler{Normalized: true}, "abcd")
	mirror := row(Sampler{Normalized: true, Address: [3]AddressMode{Mirror}}, "abcd")
	border := row(Sampler{Address: [3]AddressMode{Border}}, "abcd")
	for _, c := range []struct {
		name string
		x    *Texture
		at   float32
		want uint32
	}{
		{"inside", plain, 1.99, 'b'}, {"before", plain, -7, 'a'}, {"behind", plain, 4, 'd'},
		{"far", plain, 3e38, 'd'}, {"infinity", plain, float32(math.Inf(-1)), 'a'}, {"no number", plain, float32(math.NaN()), 'a'},
		{"wrapped", wrap, 1.25, 'b'}, {"wrapped backwards", wrap, -0.25, 'd'}, {"just before 0", wrap, -1e-40, 'd'},
		{"mirrored", mirror, 1.3, 'c'}, {"mirrored backwards", mirror, -0.3, 'b'}, {"mirrored twice", mirror, 2.3, 'b'},
		{"border", border, -0.1, 0}, {"no border", border, 3.9, 'd'}, {"border behind", border, 4, 0},
		{"unbound", &Texture{}, 1, 0}, {"unbound, filtered", &Texture{Sampler: Sampler{Filter: true, Normalized: true}}, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, samples(t, c.x, c.at)) })
	}

	ramp := &Texture{Kind: Array, Format: FormatF32, Channels: 1, Width: 2, Texels: []byte("\x00\x00\x00\x00\x00\x00\x80\x3f"), Sampler: Sampler{Filter: true}}
	for at, want := range map[float32]float32{0.25: 0, 0.5: 0, 0.75: 0.25, 1: 0.5, 1.5: 1, 1.75: 1, 0.501: 0, 0.503: 1.0 / 256} {
		require.Equal(t, f(want), samples(t, ramp, at), "%v", at)
	}
	infinite := *ramp
	infinite.Texels = []byte("\x00\x00\x80\x7f\x00\x00\x80\x3f")
	require.Equal(t, f(1), samples(t, &infinite, 1.5), "texels without weight do not matter")
	require.Equal(t, f(float32(math.Inf(1))), samples(t, &infinite, 1))
	infinite.Texels = []byte("\x00\x00\x80\x7f\x00\x00\x80\xff")
	require.Equal(t, uint32(0x7fffffff), samples(t, &infinite, 1))
}

func TestSampleFreed(t *testing.T) {
	s, base := block(t, 64)
	require.NoError(t, s.Free(base))
	for name, x := range map[string]*Texture{
		"linear":  {Kind: Linear, Format: FormatU8, Channels: 1, Base: base, Size: 64},
		"pitched": {Kind: Pitched, Format: FormatU8, Channels: 1, Base: base, Width: 4, Height: 4, Pitch: 16},
		"array":   {Kind: Array, Format: FormatU8, Channels: 1, Base: base, Width: 4, Height: 4},
	} {
		d := mem.Data{same(9)}
		require.Equal(t, &mem.Violation{Kind: mem.Unmapped, Space: 't', Lanes: 0xf0, Addr: base}, x.Sample(s, &x.Sampler, &Coords{}, 0xf0, &d), name)
		require.Equal(t, same(9), d[0], name)
		require.Nil(t, x.Sample(s, &x.Sampler, &Coords{}, 0, &d), name)
	}
}

func TestExtent(t *testing.T) {
	lod := rowOf(func(i int) uint32 { return []uint32{0, 1, 40}[i%3] })
	for _, c := range []struct {
		name string
		x    Texture
		want [3][4]uint32 // by level
	}{
		{"unbound", Texture{}, [3][4]uint32{}},
		{"linear", linear(FormatU16, 2, 0, 42), [3][4]uint32{{10, 1, 1, 1}, {5, 1, 1, 1}, {1, 1, 1, 1}}},
		{"plane", Texture{Kind: Array, Width: 9, Height: 4}, [3][4]uint32{{9, 4, 1, 1}, {4, 2, 1, 1}, {1, 1, 1, 1}}},
		{"volume", Texture{Kind: Array, Width: 9, Height: 4, Depth: 2}, [3][4]uint32{{9, 4, 2, 1}, {4, 2, 1, 1}, {1, 1, 1, 1}}},
		{"layered", Texture{Kind: Array, Width: 9, Depth: 5, Layered: true}, [3][4]uint32{{9, 5, 1, 1}, {4, 5, 1, 1}, {1, 5, 1, 1}}},
		{"layered plane", Texture{Kind: Array, Width: 9, Height: 4, Depth: 5, Layered: true}, [3][4]uint32{{9, 4, 5, 1}, {4, 2, 5, 1}, {1, 1, 5, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mem.Data{same(9), same(9), same(9), same(9)}
			c.x.Extent(lod, 7, &d)
			for i, want := range c.want {
				require.Equal(t, want, [4]uint32{d[0][i], d[1][i], d[2][i], d[3][i]})
			}
			require.Equal(t, uint32(9), d[0][3], "idle lane")
		})
	}
}
