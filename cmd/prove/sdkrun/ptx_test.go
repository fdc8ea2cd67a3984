package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/ptx/compile"
	"jacquard/ptx/load"
	"jacquard/tesla"
)

// A program's second run has other counts, and variables at other addresses.
func TestCompare(t *testing.T) {
	s := sdk(t, map[string]string{
		"good": `n=100 at=4096
[ "$CUDA_FORCE_PTX_JIT" = 1 ] && n=90 at=8192
[ "$JACQUARD_DIGEST" = on ] || exit 1
for sum in 1 2
do echo '{"event":"launch","kernel":"k","warp_instructions":'$n',"thread_instructions":1800,"memory":[{"address":'$at',"bytes":4,"sha256":"'$sum'"}]}' >> $JACQUARD_SUMMARY
done
echo PASSED`,
		"idle": "echo PASSED",
		"lost": `echo '{"event":"launch","kernel":"l","warp_instructions":5,"thread_instructions":5}' > $JACQUARD_SUMMARY
[ "$CUDA_FORCE_PTX_JIT" = 1 ] && echo FAILED || echo PASSED`,
	})
	var b strings.Builder
	require.NoError(t, s.compare(&b, []string{"good", "idle", "lost"}))
	require.Equal(t, []string{
		"| `good` | `k` | 2 | 2 | 200 | 180 | 0.900 | 18.00 | 20.00 |",
		"| `lost` | `l` | 1 | 1 | 5 | 5 | 1.000 | 1.00 | 1.00 |",
		"",
		"2 kernels: 2 leave the same memory; ratio of warp instructions: geometric mean 0.949, most 1.000",
		"",
		"Passes with NVIDIA's code alone: lost: its own check fails",
		"",
	}, strings.Split(b.String(), "\n")[2:])
}

func TestRegisters(t *testing.T) {
	text := []byte(".version 1.4\n.target sm_10\n.entry k (.param .u32 p) { .reg .u32 %a; ld.param.u32 %a, [p]; st.global.u32 [%a], %a; exit; }")
	image, err := load.Compile("k", text, compile.Options{Arch: tesla.SM10})
	require.NoError(t, err)
	image.Kernels[0].Registers *= 2
	code, err := cubin.FormatELF(image)
	require.NoError(t, err)
	both, err := cubin.Read(cubintest.Flat(cubintest.CUDA4, cubintest.Entry{Container: cubin.ELF, Arch: 10, Data: code},
		cubintest.Entry{Container: cubin.PTX, Arch: 10, Data: text}))
	require.NoError(t, err)
	ratios, err := registers(both, "k")
	require.NoError(t, err)
	require.Equal(t, []float64{0.5}, ratios)

	s := &setup{release: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(s.release, "script"), []byte("#!/bin/sh\n"), 0o777))
	var b strings.Builder
	require.NoError(t, s.concludeRegisters(&b, []string{"script"}))
	require.Empty(t, b.String())
	require.ErrorIs(t, s.concludeRegisters(&b, []string{"absent"}), os.ErrNotExist)
}
