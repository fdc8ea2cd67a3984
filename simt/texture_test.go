package simt_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// texturing is a kernel of one texture instruction: its parameters are the address of the result and
// three coordinates, which registers 1 to 3 hold before it; registers 1 to 4 are stored after it.
func texturing(w0, w1 uint32) []uint32 {
	words := []uint32{
		0x1000c801, 0x0423c780, // mov b32 $r0 b32 s[0x10]
		0x1000ca05, 0x0423c780, // mov b32 $r1 b32 s[0x14]
		0x1000cc09, 0x0423c780, // mov b32 $r2 b32 s[0x18]
		0x1000ce0d, 0x0423c780, // mov b32 $r3 b32 s[0x1c]
		w0, w1,
	}
	for r := uint32(1); r <= 4; r++ {
		words = append(words, 0xd00e0001|r<<2, 0xa0c00780, 0x20048001, 0x00000003) // st b32 g14[$r0] $rN; add b32 $r0 $r0 4
	}
	return append(words, exitNop0, exitNop1)
}

// The fields of texture instructions that the tests use; the destination is $r1.
const (
	auto    = 0xf0000005
	fetch   = 0xf1000005
	coords2 = 1 << 22
	coords3 = 2 << 22
	unit1   = 1<<9 | 1<<17
	xy      = 3 << 25
	zw      = 3 << 14 // in the second word
	bias    = 1 << 29 // in the second word, with lod and size
	lod     = 2 << 29
	size    = 3 << 29
)

func TestTextureInstructions(t *testing.T) {
	float := math.Float32bits
	// A plane of 4 by 2 bytes with two components: x+10y and 100.
	var texels []byte
	for y := range 2 {
		for x := range 4 {
			texels = append(texels, byte(x+10*y), 100)
		}
	}
	plane := texture.Texture{
		Kind: texture.Array, Format: texture.FormatU8, Channels: 2, Integer: true, Width: 4, Height: 2, Texels: texels,
		Sampler: texture.Sampler{Address: [3]texture.AddressMode{texture.Clamp, texture.Clamp, texture.Clamp}},
	}
	const left = 0 // what $r4 held
	for _, c := range []struct {
		name   string
		w0, w1 uint32
		at     [3]uint32
		want   [4]uint32
	}{
		{"auto", auto | coords2 | unit1 | xy, always, [3]uint32{float(2.5), float(1), 7}, [4]uint32{12, 100, 7, left}},
		{"second component", auto | coords2 | unit1 | 1<<26, always, [3]uint32{float(2.5), float(1), 7}, [4]uint32{100, float(1), 7, left}},
		{"all components", auto | coords2 | unit1 | xy, always | zw, [3]uint32{float(0), float(0), 7}, [4]uint32{0, 100, 0, 0}},
		{"texel offsets", auto | coords2 | unit1 | xy, always | 1<<24 | 1<<20, [3]uint32{float(2.5), float(0), 7}, [4]uint32{13, 100, 7, left}},
		{"bias", auto | coords3 | unit1 | xy, always | bias, [3]uint32{float(1), float(0), float(5)}, [4]uint32{1, 100, float(5), left}},
		{"lod", auto | coords3 | unit1 | xy, always | lod, [3]uint32{float(3), float(0), float(5)}, [4]uint32{3, 100, float(5), left}},
		{"fetch", fetch | coords2 | unit1 | xy, always, [3]uint32{3, 1, 7}, [4]uint32{13, 100, 7, left}},
		{"fetch outside", fetch | coords2 | unit1 | xy, always, [3]uint32{3, 2, 7}, [4]uint32{0, 0, 7, left}},
		{"size", auto | unit1 | xy, always | size | zw, [3]uint32{0, 8, 9}, [4]uint32{4, 2, 1, 1}},
		{"unbound", auto | coords2 | xy, always, [3]uint32{float(2.5), float(1), 7}, [4]uint32{0, 0, 7, left}},
		{"beyond the units", auto | coords2 | 100<<9 | xy, always, [3]uint32{float(2.5), float(1), 7}, [4]uint32{0, 0, 7, left}},
	} {
		t.Run(c.name, func(t *testing.T) {
			space := mem.NewSpace(1 << 20)
			out, err := space.Alloc(16)
			require.NoError(t, err)
			m := machine{arch: tesla.SM13, words: texturing(c.w0, c.w1), registers: 5, space: space, params: []uint32{out, c.at[0], c.at[1], c.at[2]}}
			l := m.launch(t)
			l.Textures = []texture.Texture{{}, plane}
			_, err = simt.Run(l)
			require.NoError(t, err)
			b, err := space.Bytes(out, 16)
			require.NoError(t, err)
			for i, want := range c.want {
				require.Equal(t, want, binary.LittleEndian.Uint32(b[4*i:]), "component %d", i)
			}
		})
	}
}

func TestTextureFault(t *testing.T) {
	m := machine{arch: tesla.SM13, words: texturing(auto|coords2|unit1|xy, always), registers: 5, params: make([]uint32, 4)}
	l := m.launch(t)
	l.Textures = []texture.Texture{{}, {Kind: texture.Array, Format: texture.FormatU8, Channels: 1, Width: 4}}
	_, err := simt.Run(l)
	var f *simt.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, simt.FaultIllegalAddress, f.Kind)
	require.Equal(t, uint32(0x20), f.PC)
}

func TestTextureRefusals(t *testing.T) {
	m := machine{arch: tesla.SM12, words: texturing(auto|coords3|1<<27|xy, always)}
	refusals := m.launch(t).Program.Refusals()
	require.Len(t, refusals, 1)
	require.True(t, refusals[0].Unsupported)
}
