package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/events"
	"jacquard/libcuda/driver"
)

func TestPrintKernels(t *testing.T) {
	good := driver.LaunchEvent{Kernel: "good", WarpInstructions: 1000, ThreadInstructions: 31500, AverageActiveLanes: 31.5, Seconds: 0.25, Result: "CUDA_SUCCESS"}
	bad := driver.LaunchEvent{Kernel: "bad", Result: "CUDA_ERROR_INVALID_VALUE"}
	var out strings.Builder
	require.NoError(t, printKernels(&out, &events.Record{Launches: []driver.LaunchEvent{good, good}}))
	require.Equal(t, ""+
		"  kernel  launches  warp instructions  thread instructions  average active lanes   time\n"+
		"    good         2               2000                63000                 31.50  500ms\n", out.String())

	out.Reset()
	require.NoError(t, printKernels(&out, &events.Record{Launches: []driver.LaunchEvent{good, bad}}))
	require.Equal(t, ""+
		"  kernel  launches  warp instructions  thread instructions  average active lanes   time  failed\n"+
		"    good         1               1000                31500                 31.50  250ms       0\n"+
		"     bad         1                  0                    0                  0.00     0s       1\n", out.String())
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0s", 0.00012348: "123.5µs", 0.0123456: "12.346ms", 1.23456: "1.235s", 75.5: "1m15.5s",
	} {
		require.Equal(t, want, seconds(s))
	}
}
