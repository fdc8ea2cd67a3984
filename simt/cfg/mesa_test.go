package cfg_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/simt/cfg"
	"jacquard/tesla"
	kernels "jacquard/testdata/mesa-kernels"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// kernelNames returns the names of the kernels in testdata.
func kernelNames(t testing.TB) []string {
	t.Helper()
	files, err := fs.Glob(kernels.SM13, "*/sm_13.cubin")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i := range files {
		files[i] = path.Dir(files[i])
	}
	return files
}

func kernelCode(t testing.TB, name string) *cubin.Kernel {
	t.Helper()
	data, err := kernels.SM13.ReadFile(name + "/sm_13.cubin")
	require.NoError(t, err)
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Len(t, img.Kernels, 1)
	return &img.Kernels[0]
}

// TestKernels compares the analyses of real kernels with golden files. Each file was checked
// against the listing of the kernel.
func TestKernels(t *testing.T) {
	for _, name := range kernelNames(t) {
		t.Run(name, func(t *testing.T) {
			g, err := cfg.New(decoder.Kernel(tesla.SM13, kernelCode(t, name).Code))
			require.NoError(t, err)
			var s strings.Builder
			for _, f := range g.Functions {
				requireSound(t, f)
				describe(&s, f)
			}
			for _, c := range g.Calls {
				fmt.Fprintf(&s, "call at %x of %x\n", c.PC, g.Functions[c.Callee].Entry)
			}
			for _, p := range g.Problems {
				fmt.Fprintf(&s, "problem %s\n", p)
			}
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o777))
				require.NoError(t, os.WriteFile(golden, []byte(s.String()), 0o666))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), s.String())
		})
	}
}

// describe prints the function; addresses name the blocks.
func describe(s *strings.Builder, f *cfg.Function) {
	at := func(b int) string {
		switch b {
		case cfg.Exit:
			return "exit"
		case cfg.None:
			return "none"
		}
		return fmt.Sprintf("%x", f.Blocks[b].Start)
	}
	list := func(blocks []int) string {
		var names []string
		for _, b := range blocks {
			names = append(names, at(b))
		}
		return strings.Join(names, " ")
	}
	fmt.Fprintf(s, "function %x\n", f.Entry)
	frontiers := f.Frontiers(f.Position)
	for _, b := range f.Order {
		n := &f.Blocks[b]
		fmt.Fprintf(s, "%s.. %x:", at(b), n.Tail)
		for _, e := range n.Succ {
			fmt.Fprintf(s, " %s %s,", e.Kind, at(e.To))
		}
		fmt.Fprintf(s, " idom %s, ipostdom %s, frontier [%s]\n", at(f.IDom[b]), at(f.IPostDom[b]), list(frontiers[b]))
	}
	for l, loop := range f.Loops {
		kind := "natural"
		if !loop.Natural {
			kind = "irreducible"
		}
		fmt.Fprintf(s, "%s loop, depth %d: %s; leads to %s\n", kind, loop.Depth, list(f.Body(l)), list(exits(f, f.Body(l))))
	}
	tree, err := f.Structure()
	if err != nil {
		fmt.Fprintln(s, err)
		return
	}
	outline(s, tree, at, 1)
}

// outline prints a tree of regions.
func outline(s *strings.Builder, seq []cfg.Region, at func(int) string, depth int) {
	in := strings.Repeat("  ", depth)
	for _, r := range seq {
		switch r.Kind {
		case cfg.Straight:
			fmt.Fprintf(s, "%s%s\n", in, at(r.Block))
		case cfg.If:
			fmt.Fprintf(s, "%s%s if not taken\n", in, at(r.Block))
			outline(s, r.Fall, at, depth+1)
			if len(r.Taken) > 0 {
				fmt.Fprintf(s, "%selse\n", in)
				outline(s, r.Taken, at, depth+1)
			}
		case cfg.Round:
			fmt.Fprintf(s, "%sloop\n", in)
			outline(s, r.Body, at, depth+1)
		case cfg.LeaveLoop:
			fmt.Fprintf(s, "%sleave the loop\n", in)
		case cfg.NextRound:
			fmt.Fprintf(s, "%snext round\n", in)
		case cfg.Leave:
			fmt.Fprintf(s, "%sleave\n", in)
		}
	}
}
