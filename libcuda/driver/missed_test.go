package driver_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// halves has two barriers; one half of a warp comes to each.
const halves = `.module sm_13 abi=1 name=m
.kernel k registers=4 shared=0 local=0 barriers=1
	and b32 $r1 $r0 0x10 {long}
	set $c0 # e s32 $r1 $r124 {long}
	joinat 0x38
	(lg $c0) bra 0x30
	bar inc wait 0x0 0xfff {long}
	bra 0x38
	bar inc wait 0x0 0xfff {long}
	join (never) nop {long}
	nop {exit}
`

// The log says once of each barrier that lanes miss it, the summary with each launch, whether or not
// somebody counts.
func TestMissedBarriers(t *testing.T) {
	img, err := asm.Read(halves)
	require.NoError(t, err)
	const missed = "kernel k comes to a barrier with only some lanes of a warp: block (0,0), warp 0, lanes "
	first, second := missed+"ffff0000, pc 0x20; its lanes 0000ffff are elsewhere", missed+"0000ffff, pc 0x30; its lanes ffff0000 are elsewhere"
	for _, counting := range []string{"", "off"} {
		path := filepath.Join(t.TempDir(), "summary")
		_, th, log := start(t, knobs.Settings{Summary: path, Stats: counting})
		create(t, th)
		m, err := th.ModuleLoadData(cubin.Format(img))
		require.NoError(t, err)
		f, err := th.ModuleGetFunction(m, "k")
		require.NoError(t, err)
		for range 3 {
			require.NoError(t, th.LaunchKernel(f, [3]uint32{2, 1, 1}, [3]uint32{32, 1, 1}, 0, 0, driver.Arguments{}))
		}
		require.NoError(t, th.CtxSynchronize())
		require.Regexp(t, `\Ajacquard: [^\n]*ffff0000, pc 0x20;[^\n]*\njacquard: [^\n]*0000ffff, pc 0x30;[^\n]*\n\z`, log.String())
		list := launches(t, path)
		require.Len(t, list, 3)
		for _, l := range list {
			require.Equal(t, "CUDA_SUCCESS", l.Result)
			require.Len(t, l.MissedBarriers, 2)
			require.Contains(t, l.MissedBarriers[0], first)
			require.Contains(t, l.MissedBarriers[1], second)
			require.Equal(t, l.MissedBarriers, l.Notes())
		}
	}
}
