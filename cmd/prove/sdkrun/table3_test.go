package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// NVIDIA's programs have the issues of table 3 under the paper's policy, if the code is as long as
// in the table. The test needs the SDK 4.2 in the folder JACQUARD_SDK, and "make lib runtime"
// first; observe/stats/rollup has the same test of kernels of the same shapes.
func TestTable3(t *testing.T) {
	sdk := os.Getenv("JACQUARD_SDK")
	if sdk == "" {
		t.Skip("no folder with C/bin/linux/release of the SDK 4.2 in JACQUARD_SDK")
	}
	s, err := newSetup(sdk, "../../../build/runtime/lib64", "../../../build/lib", 20*time.Minute)
	require.NoError(t, err)
	s.args = []string{"--noprompt"}
	same := map[string][]string{
		"fastWalshTransform": {"fwtBatch1Kernel", "fwtBatch2Kernel"},
		"BlackScholes":       {"BlackScholesGPU"},
		"dwtHaar1D":          {"dwtHaar1D"},
	}
	for program, kernels := range same {
		t.Run(program, func(t *testing.T) {
			measured, err := s.measure(program, "stackless")
			require.NoError(t, err)
			for _, kernel := range kernels {
				found := 0
				for _, e := range table3 {
					for _, m := range measured {
						if e.paper == kernel && strings.Contains(m.Key[0], kernel) {
							found++
							require.Equal(t, e.static, m.Static, kernel)
							require.Equal(t, "the same", e.beside(m), kernel)
						}
					}
				}
				require.Equal(t, 1, found, kernel)
			}
		})
	}
}
