package driver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
)

// The log names code that relies on lanes in lockstep if the policy may run them apart, or if the
// user asks. The launch goes on.
func TestWarpSync(t *testing.T) {
	for _, c := range []struct {
		policy, knob string
		named        bool
	}{{"mimd", "", true}, {"mimd", "off", false}, {"nvidia", "auto", false}, {"nvidia", "on", true}} {
		t.Run(c.policy+" "+c.knob, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "summary")
			_, th, log := start(t, knobs.Settings{Policy: c.policy, Warpsync: c.knob, Summary: path})
			create(t, th)
			f := function(t, th, "instep.cubin", "neighbour")
			for range 2 {
				require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{32, 1, 1}, 0, 0, driver.Arguments{}))
			}
			require.NoError(t, th.CtxSynchronize())

			text, err := os.ReadFile(path)
			require.NoError(t, err)
			var e events.Launch
			require.NoError(t, json.Unmarshal([]byte(strings.Split(string(text), "\n")[1]), &e))
			require.Equal(t, "CUDA_SUCCESS", e.Result)
			if !c.named {
				require.Empty(t, e.InStep)
				require.Empty(t, log.String())
				return
			}
			require.Contains(t, e.InStep, "kernel neighbour relies on the lanes of a warp running in step")
			require.Equal(t, "jacquard: "+e.InStep+"\n", log.String(), "once")
		})
	}
}
