package translate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/translate/host"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// Translated code reads no texels in memory of the host program, which the program may unmap.
func TestViewOfMappedMemory(t *testing.T) {
	if err := host.Lacking(); err != nil {
		t.Skip(err)
	}
	space := mem.NewSpace(1 << 20)
	own, err := space.Alloc(256)
	require.NoError(t, err)
	mapped, err := space.Map(make([]byte, 256))
	require.NoError(t, err)
	routine := func(base uint32) uint64 {
		st := &machine.State{Grid: machine.Grid{Global: space, Textures: []texture.Texture{
			{Kind: texture.Linear, Format: texture.FormatF32, Channels: 1, Base: base, Size: 256},
		}}}
		v := view{}
		v.aim(&lookups{}, st, &tesla.Instruction{Op: tesla.OpTexFetch, Tex: tesla.Tex{Mask: 1, Coords: 1}})
		return v.routine
	}
	require.NotZero(t, routine(own))
	require.Zero(t, routine(mapped))
}
