package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/programs"
	"jacquard/simt/stats"
	"jacquard/simt/stats/rollup"
)

// published are figures of C. Collange, "Stack-less SIMT reconvergence at low cost" (2011), table 3:
// static and dynamic instructions of kernels whose code in SDK 4.2 is as long as there.
var published = map[string][]struct {
	kernel  string
	static  int
	dynamic uint64
}{
	"fastWalshTransform": {{"fwtBatch1Kernel", 108, 57212928}, {"fwtBatch2Kernel", 46, 54263808}},
	"BlackScholes":       {{"BlackScholesGPU", 99, 5201694720}},
	"dwtHaar1D":          {{"dwtHaar1D", 87, 9366}},
}

// NVIDIA's programs issue what table 3 says, under the paper's policy. The test wants the SDK 4.2 in
// the folder JACQUARD_SDK and "make lib runtime" before it; simt/stats/rollup has the same test of
// kernels of the same shapes.
func TestTable3(t *testing.T) {
	sdk := os.Getenv("JACQUARD_SDK")
	if sdk == "" {
		t.Skip("no folder with C/bin/linux/release of the SDK 4.2 in JACQUARD_SDK")
	}
	s, err := newSetup(sdk, "../../build/runtime/lib64", "../../build/lib", 20*time.Minute)
	require.NoError(t, err)
	s.args = []string{"--noprompt"}
	for program, want := range published {
		t.Run(program, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s.json")
			r := s.run(program, "JACQUARD_POLICY=stackless", "JACQUARD_STATS="+file)
			require.Equal(t, programs.Passed, r.Verdict, r.Reason)
			sums := rollup.New("kernel")
			_, err := stats.LoadEach(file, func(l *stats.Launch) error {
				sums.Add(l)
				return nil
			})
			require.NoError(t, err)
			for _, w := range want {
				found := 0
				for _, row := range sums.Rows {
					if strings.Contains(row.Key[0], w.kernel) {
						found++
						require.Equal(t, w.static, row.Static, w.kernel)
						require.Equal(t, w.dynamic, row.Published, w.kernel)
					}
				}
				require.Equal(t, 1, found, w.kernel)
			}
		})
	}
}
