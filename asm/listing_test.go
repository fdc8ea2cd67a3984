package asm_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const kernels = "../testdata/mesa-kernels/"

// notes are the parts of a text that the other disassembler does not print.
var notes = regexp.MustCompile(`(?m) \{.*\}`)

// kernelText returns the writer's text of a kernel.
func kernelText(t testing.TB, path string, w asm.Writer) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Len(t, img.Kernels, 1)
	var text strings.Builder
	require.NoError(t, w.Kernel(&text, img.Arch, &img.Kernels[0]))
	return text.String()
}

// The listings beside the kernels were made by another disassembler.
func TestListingsOfAnotherDisassembler(t *testing.T) {
	listings, err := filepath.Glob(kernels + "*/*.dis.txt")
	require.NoError(t, err)
	require.NotEmpty(t, listings)
	for _, path := range listings {
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		_, got, _ := strings.Cut(kernelText(t, strings.TrimSuffix(path, ".dis.txt")+".cubin", asm.Writer{Syntax: asm.Envy}), "\n0000")
		require.Equal(t, string(want), "0000"+notes.ReplaceAllString(got, ""), path)
	}
}

// The other syntax, and texts with labels.
func TestKernels(t *testing.T) {
	for _, c := range []struct {
		kernel, golden string
		w              asm.Writer
	}{
		{"vecadd/sm_10", "vecadd-sm_10.sass.txt", asm.Writer{Syntax: asm.SASS}},
		{"calls/sm_10", "calls-sm_10.sass.txt", asm.Writer{Syntax: asm.SASS}},
		{"reduce/sm_13", "reduce-sm_13.sass.txt", asm.Writer{Syntax: asm.SASS}},
		{"calls/sm_10", "calls-sm_10.labels.txt", asm.Writer{Syntax: asm.Envy, Labels: true}},
		{"reduce/sm_13", "reduce-sm_13.labels.txt", asm.Writer{Syntax: asm.SASS, Labels: true}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			got := kernelText(t, kernels+c.kernel+".cubin", c.w)
			path := filepath.Join("testdata", c.golden)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

func TestTargets(t *testing.T) {
	ins := []tesla.Instruction{
		{Op: tesla.OpBra, Target: 8},
		{Op: tesla.OpCall, Target: 16},
		{Op: tesla.OpBra, Target: 16},
		{Op: tesla.OpJoinAt, Target: 24},
		{Op: tesla.OpBar, Target: 32},
	}
	require.Equal(t, map[uint32]asm.Mark{8: asm.ByBranch, 16: asm.ByBranch | asm.ByCall, 24: asm.ByBranch}, asm.Targets(ins))
}
