package texture

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A layout leads to the texels, and is refused without memory.
func TestLayout(t *testing.T) {
	s, at := block(t, 64)
	pitched := Texture{Kind: Pitched, Format: FormatU8, Channels: 2, Base: at, Width: 3, Height: 2, Pitch: 16}
	l, ok := pitched.Layout(s)
	require.True(t, ok)
	require.Len(t, l.Bytes, 16+6)
	require.Equal(t, byte(0x12), l.Bytes[l.Steps[0]+l.Steps[1]])
	require.Equal(t, Layout{l.Bytes, 2, [3]int{3, 2, 1}, 1, [4]int{2, 16, 32}}, l)

	layered := Texture{Kind: Array, Format: FormatF32, Channels: 1, Width: 3, Depth: 2, Layered: true, Texels: make([]byte, 24)}
	l, ok = layered.Layout(s)
	require.True(t, ok)
	require.Equal(t, Layout{layered.Texels, 1, [3]int{3, 1, 1}, 2, [4]int{4, 12, 12}}, l)

	_, ok = (&Texture{}).Layout(s)
	require.False(t, ok, "unbound")
	_, ok = (&Texture{Kind: Array, Format: FormatF32, Channels: 1, Width: 3}).Layout(s)
	require.False(t, ok, "freed")
}

func TestEffective(t *testing.T) {
	how := Sampler{Filter: true, Address: [3]AddressMode{Wrap, Border, Mirror}}
	plane := Texture{Kind: Array, Format: FormatU8}
	require.Equal(t, Sampler{Filter: true, Address: [3]AddressMode{Clamp, Border, Clamp}}, plane.Effective(how))
	plane.Integer, how.Normalized = true, true
	require.Equal(t, Sampler{Normalized: true, Address: how.Address}, plane.Effective(how))
	require.Equal(t, Sampler{Normalized: true, Address: borders}, (&Texture{Kind: Linear}).Effective(how))
}
