package kernels

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
)

// TestGraphSchemes records in a golden file how real kernels run under policies that read the flow
// graph first or walk through the code: the warp-instructions issued, and how many of them are
// empty. A walk to the least pc issues with lanes what stackless issues.
func TestGraphSchemes(t *testing.T) {
	var out strings.Builder
	for _, test := range mesaTests(t) {
		build := &test.Builds[len(test.Builds)-1]
		fmt.Fprintf(&out, "%s\n", test.Name)
		var stackless uint64
		for _, policy := range []string{"nvidia", "stackless", "pdom", "lorie-strong", "tf-sandy", "sandybridge", "takahashi:delay=1", "takahashi:delay=0"} {
			stats, err := countBuild(t, test, build, policy)
			if r := (*branch.RefusedError)(nil); errors.As(err, &r) {
				fmt.Fprintf(&out, "  %-18srefused at %x: %s\n", policy, r.PC, r.Reason)
				continue
			}
			require.NoError(t, err)
			fmt.Fprintf(&out, "  %-18s%8d issues, %5d for nobody\n", policy, stats.WarpInstructions, stats.Active[0])
			switch policy {
			case "stackless":
				stackless = stats.WarpInstructions
			case "tf-sandy", "takahashi:delay=1", "takahashi:delay=0":
				require.Equal(t, stackless, stats.WarpInstructions-stats.Active[0], "%s under %s", test.Name, policy)
			}
		}
	}
	const golden = "testdata/graph.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}
