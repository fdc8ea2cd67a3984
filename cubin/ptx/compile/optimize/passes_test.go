package optimize_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/ptx/compile/ir"
	"jacquard/cubin/ptx/compile/optimize"
)

var update = flag.Bool("update", false, "rewrite what the passes make in testdata")

// TestPasses runs each pass on the kernels in testdata/PASS.txt. A case is a line "== WHAT IT SHOWS",
// the kernel before the pass, a line "--" and the kernel after it. "[escaped]" and "[locks]" in the
// first line set the fields of ir.Func.
func TestPasses(t *testing.T) {
	for _, p := range optimize.Passes {
		t.Run(p.Name, func(t *testing.T) {
			file := filepath.Join("testdata", p.Name+".txt")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			head, cases, _ := strings.Cut("\n"+string(text), "\n== ")
			var made strings.Builder
			made.WriteString(strings.TrimPrefix(head, "\n"))
			for _, c := range strings.Split(cases, "\n== ") {
				title, body, _ := strings.Cut(c, "\n")
				before, after, _ := strings.Cut(body, "\n--\n")
				t.Run(title, func(t *testing.T) {
					got := run(t, p, title, before)
					if !*update {
						require.Equal(t, strings.TrimSpace(after), strings.TrimSpace(got))
					}
					fmt.Fprintf(&made, "\n== %s\n%s\n--\n%s", title, before, got)
				})
			}
			if *update && !t.Failed() {
				require.NoError(t, os.WriteFile(file, []byte(strings.TrimPrefix(made.String(), "\n")), 0o644))
			}
		})
	}
}

// run returns a kernel after a pass, without its name.
func run(t *testing.T, p optimize.Pass, title, before string) string {
	f, err := ir.Parse("k\n" + before)
	require.NoError(t, err)
	f.Escaped, f.Locks = strings.Contains(title, "[escaped]"), strings.Contains(title, "[locks]")
	p.Run(f)
	require.NoError(t, ir.Verify(f))
	return strings.TrimPrefix(f.String(), "k\n")
}

func TestOrderOfPasses(t *testing.T) {
	require.NoError(t, optimize.CheckOrder(optimize.Passes))
	wrong := slices.Clone(optimize.Passes)
	slices.Reverse(wrong)
	require.ErrorContains(t, optimize.CheckOrder(wrong), "pass clean comes after pass simplify: rules ask")
	require.ErrorContains(t, optimize.CheckOrder(optimize.Passes[1:]), "no pass clean")
}
