package kernels

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStructuredSchemes records in a golden file how real kernels run under policies that know only
// nested ifs and loops: the warp-instructions issued and the mean active lanes, next to the token
// stack, or the reason of a refusal. The three policies without calls differ only in their state,
// so they issue the same.
func TestStructuredSchemes(t *testing.T) {
	var out strings.Builder
	for _, test := range mesaTests(t) {
		build := &test.Builds[len(test.Builds)-1]
		rows := map[string]string{}
		for _, policy := range []string{"nvidia", "amd", "chap", "pomp", "gma"} {
			stats, err := countBuild(t, test, build, policy)
			if r := (*branch.RefusedError)(nil); errors.As(err, &r) {
				rows[policy] = fmt.Sprintf("refused at %x: %s", r.PC, r.Reason)
				continue
			}
			require.NoError(t, err)
			rows[policy] = fmt.Sprintf("%8d issues, %6.3f lanes", stats.WarpInstructions, stats.AverageLanes())
		}
		require.Equal(t, rows["chap"], rows["pomp"])
		require.Equal(t, rows["chap"], rows["gma"])
		fmt.Fprintf(&out, "%s\n", test.Name)
		for _, policy := range []string{"nvidia", "amd", "chap"} {
			fmt.Fprintf(&out, "  %-8s%s\n", policy, rows[policy])
		}
	}
	const golden = "testdata/structured.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}
