package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/observe/stats"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// A fetch reads texels and counts; texsize reads the extent of a texture, so it counts as no fetch.
func TestTextureFetches(t *testing.T) {
	textured := func(op tesla.Op, coords uint8) tesla.Instruction {
		in := asm.Plain(op)
		in.Dst, in.Tex = asm.Reg(4), tesla.Tex{Mask: 15, Coords: coords, Live: true}
		return in
	}
	size := textured(tesla.OpTexSize, 0)
	size.Src[0] = size.Dst // the level of detail
	b := asm.Builder{Arch: tesla.SM13}
	b.Add(textured(tesla.OpTexFetch, 1))
	b.Add(size)
	b.Exit()
	words, err := b.Code()
	require.NoError(t, err)
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: b.Arch, Registers: 8, Code: decoder.Kernel(b.Arch, words)})
	require.NoError(t, err)
	row := texture.Texture{Kind: texture.Array, Format: texture.FormatF32, Channels: 1, Width: 1, Texels: make([]byte, 4)}
	s, err := simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{24, 1, 1}, Global: mem.NewSpace(1 << 22), Textures: []texture.Texture{row},
	})
	require.NoError(t, err)
	require.EqualValues(t, 24, s.ByInstruction[1].Threads, "texsize ran")
	k := &Kernel{Kernel: stats.Describe(&p.Kernel), Rank: 1}
	k.add(&stats.Launch{Kernel: k.Kernel, Stats: *s})
	require.Equal(t, []Split{{Name: "atomics"}, {Name: "texture fetches", Issues: 1, Threads: 24}}, memoryOf(k).Lanes)
}
