package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// Lanes that end on a later line than a barrier's, or on its own, went around it. Those that end on
// an earlier line, or on none, may have returned.
func TestGoneAround(t *testing.T) {
	img, err := asm.Read(`.module sm_13 abi=1 name=m
.kernel k registers=4 shared=0 local=0 barriers=1
shr u32 $r1 $r0 0x4 {long}
set $c0 # lg s32 $r1 $r124 {long}
(lg $c0) ret
bar inc wait 0x0 0xfff {long}
nop {exit}
`)
	require.NoError(t, err)
	const barrier = 0x18
	for _, c := range []struct {
		barrier, end int
		threads      int
		what         string
	}{
		{7, 8, 32, check.Divergent},
		{7, 7, 32, check.Divergent},
		{7, 6, 32, check.AfterExit},
		{0, 0, 32, check.AfterExit},
		{7, 8, 64, check.Divergent}, // and a warp that ended as a whole
	} {
		k := program.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, img.Kernels[0].Code), Registers: 4, Shared: 0x40}
		k.Source = func(pc uint32) source.Line {
			if pc == barrier {
				return source.Line{File: "k.cu", Line: c.barrier}
			}
			return source.Line{File: "k.cu", Line: c.end}
		}
		p, err := simt.Lower(k)
		require.NoError(t, err)
		var list []check.Finding
		_, err = simt.Run(&simt.Launch{
			Program: p, Grid: [2]int{1, 1}, Block: [3]int{c.threads, 1, 1}, Global: mem.NewSpace(1 << 20),
			Checker: &check.Sync{Found: func(f check.Finding) { list = append(list, f) }},
		})
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, c.what, list[0].What, c)
		require.Equal(t, "end", list[0].With[0].Role)
	}
}
