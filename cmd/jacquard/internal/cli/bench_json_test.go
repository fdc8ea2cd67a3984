package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every line of JSON has the fields that scripts rely on.
func TestBenchJSON(t *testing.T) {
	out := fine(t, "bench", "--json", "--simd", "off", "--workers", "1", "vecadd")
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &line))
	for _, name := range []string{"kernel", "simd", "workers", "warp_instructions", "thread_instructions", "seconds", "warp_instructions_per_second"} {
		require.Contains(t, line, name)
	}
	if _, compared := line["host_add_ns"]; compared {
		for _, name := range []string{"host_adds", "host_mad_ns", "host_sfu_ns", "c_seconds", "slowdown"} {
			require.Contains(t, line, name)
		}
	}
	require.Equal(t, 1, strings.Count(out, "\n"))
}
