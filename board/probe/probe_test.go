package probe_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/probe"
	"jacquard/board/replay"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// Every probe runs on every architecture that it is for. The golden file has what the simulator
// answers on the latest.
func TestProbes(t *testing.T) {
	var text bytes.Buffer
	names := map[string]bool{}
	for _, p := range probe.All() {
		require.False(t, names[p.Name], p.Name)
		names[p.Name] = true
		require.NotNil(t, probe.Find(p.Name))
		require.NotEmpty(t, p.Question+p.Here)
		for _, arch := range tesla.Archs {
			a, err := p.Run(new(replay.Engine), arch)
			if arch < p.Arch || p.Only && arch != p.Arch {
				require.EqualError(t, err, "probe "+p.Name+" is for "+p.For()+", not for "+arch.String())
				continue
			}
			require.NoError(t, err, "%s on %s", p.Name, arch)
			same, err := p.Compare(&text, a, a, 1)
			require.NoError(t, err)
			require.True(t, same)
			if a.Vectors != nil {
				require.Empty(t, a.Vectors.LeftOut, p.Name)
			}
			if arch == tesla.SM13 || p.Only {
				fmt.Fprintf(&text, "%s\n", p.Name)
				require.NoError(t, a.Write(&text, p, 6))
			}
		}
	}
	const golden = "testdata/answers.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(golden, text.Bytes(), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
	require.Nil(t, probe.Find("none"))
}
