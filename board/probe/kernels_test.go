package probe_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/probe"
	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/tesla"
)

// The kernel of each probe, instruction by instruction. A wrong constant may not change the
// simulator's answer, but asks a board an unintended question.
func TestKernels(t *testing.T) {
	var text strings.Builder
	for _, p := range probe.All() {
		if len(p.Columns) == 0 {
			continue // made of rows of vectors
		}
		arch := tesla.SM13
		if p.Only {
			arch = p.Arch
		}
		job, err := p.Job(arch)
		require.NoError(t, err, p.Name)
		fmt.Fprintf(&text, "%s: %s, grid %v, block %v\n", p.Name, arch, job.Grid, job.Block)
		img, err := cubin.Parse(job.Kernel.Module.Image)
		require.NoError(t, err, p.Name)
		for i := range img.Kernels {
			for _, in := range decoder.Kernel(arch, img.Kernels[i].Code) {
				fmt.Fprintf(&text, "  %08x %08x  %s\n", in.Raw[0], in.Raw[1], in.String())
			}
		}
		for _, o := range job.Memory {
			n := len(o.Bytes)
			for n > 0 && o.Bytes[n-1] == 0 {
				n--
			}
			fmt.Fprintf(&text, "  memory of %d bytes: %x\n", len(o.Bytes), o.Bytes[:min(n, 64)])
			if n > 64 {
				fmt.Fprintf(&text, "    and more, in all of digest %x\n", sha256.Sum256(o.Bytes))
			}
		}
		for _, x := range job.Textures {
			fmt.Fprintf(&text, "  texture %+v\n", x)
		}
	}
	const golden = "testdata/kernels.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(text.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}
