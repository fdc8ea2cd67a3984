package kernels

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/job"
	"jacquard/simt/branch"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStructuredSchemes writes down how real kernels fare on machines that know nothing but nested
// ifs and loops: how many warp-instructions are issued with how many active lanes in the mean,
// beside the token stack, or why a kernel is refused. The three schemes that cannot call differ
// only in what they keep, so they issue the same.
func TestStructuredSchemes(t *testing.T) {
	files, err := filepath.Glob("../../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out strings.Builder
	for _, file := range files {
		test, err := job.Load(file)
		require.NoError(t, err)
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
