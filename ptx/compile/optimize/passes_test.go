package optimize_test

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/cases"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/optimize"
)

var update = flag.Bool("update", false, "rewrite what the passes make in testdata")

// TestPasses runs each pass on the kernels in testdata/PASS.txt. "[escaped]" and "[locks]" in the
// title of a case set the fields of ir.Func.
func TestPasses(t *testing.T) {
	for _, p := range optimize.Passes {
		t.Run(p.Name, func(t *testing.T) {
			cases.Run(t, filepath.Join("testdata", p.Name+".txt"), *update, func(t *testing.T, title, before string) string {
				f, err := ir.Parse("k\n" + before)
				require.NoError(t, err)
				f.Escaped, f.Locks = strings.Contains(title, "[escaped]"), strings.Contains(title, "[locks]")
				p.Run(f)
				require.NoError(t, ir.Verify(f))
				return strings.TrimPrefix(f.String(), "k\n")
			})
		})
	}
}

func TestOrderOfPasses(t *testing.T) {
	require.NoError(t, optimize.CheckOrder(optimize.Passes))
	wrong := slices.Clone(optimize.Passes)
	slices.Reverse(wrong)
	require.ErrorContains(t, optimize.CheckOrder(wrong), "pass clean comes after pass simplify: rules ask")
	require.ErrorContains(t, optimize.CheckOrder(optimize.Passes[1:]), "no pass clean")
	require.ErrorContains(t, optimize.CheckOrder(optimize.Passes[:len(optimize.Passes)-1]), "no pass uniform")
}
