package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/events"
)

func TestPrintKernels(t *testing.T) {
	good := events.Launch{Kernel: "good", WarpInstructions: 1000, ThreadInstructions: 31500, AverageActiveLanes: 31.5, Seconds: 0.25, Result: "CUDA_SUCCESS"}
	bad := events.Launch{Kernel: "bad", Result: "CUDA_ERROR_INVALID_VALUE"}
	var out strings.Builder
	require.NoError(t, printKernels(&out, &events.Record{Launches: []events.Launch{good, good}}))
	require.Equal(t, ""+
		"  kernel  launches  warp instructions  thread instructions  average active lanes   time\n"+
		"    good         2               2000                63000                 31.50  500ms\n", out.String())

	out.Reset()
	require.NoError(t, printKernels(&out, &events.Record{Launches: []events.Launch{good, bad}}))
	require.Equal(t, ""+
		"  kernel  launches  warp instructions  thread instructions  average active lanes   time  failed\n"+
		"    good         1               1000                31500                 31.50  250ms       0\n"+
		"     bad         1                  -                    -                     -     0s       1\n", out.String())
}

func TestPrintKernelsInStep(t *testing.T) {
	named := events.Launch{Kernel: "k", Seconds: 0.25, Result: "CUDA_SUCCESS", InStep: "kernel k relies on it"}
	again := named
	again.InStep = "and again"
	var out strings.Builder
	require.NoError(t, printKernels(&out, &events.Record{Launches: []events.Launch{named, again}}))
	require.True(t, strings.HasSuffix(out.String(), "500ms\nnote: kernel k relies on it\n"), out.String())
}

// A kernel's name is printed as text, whatever is in it.
func TestPrintKernelsHostile(t *testing.T) {
	hostile := events.Launch{Kernel: "k\x1b\n\t\u202e", Seconds: 0.25, Result: "CUDA_SUCCESS", InStep: "k\nrelies on it"}
	var out strings.Builder
	require.NoError(t, printKernels(&out, &events.Record{Launches: []events.Launch{hostile}}))
	require.Equal(t, ""+
		"                     kernel  launches  warp instructions  thread instructions  average active lanes   time\n"+
		`  k\u001b\u000a\u0009\u202e         1                  -                    -                     -  250ms`+"\n"+
		`note: k\u000arelies on it`+"\n", out.String())
}

func TestPrintExecuted(t *testing.T) {
	launch := func(verified, documented, unverified uint64) events.Launch {
		return events.Launch{Exactness: events.Exactness{
			Verified:   events.Executed{ThreadInstructions: verified},
			Documented: events.Executed{ThreadInstructions: documented},
			Unverified: events.Executed{ThreadInstructions: unverified},
		}}
	}
	for _, c := range []struct {
		launches []events.Launch
		want     string
	}{
		{nil, ""},
		{[]events.Launch{launch(0, 0, 0)}, ""},
		{[]events.Launch{launch(100, 100, 0), launch(100, 0, 0)}, "exact: 100 % of the thread instructions (66.6 % verified on hardware, 33.3 % documented)\n"},
		{[]events.Launch{launch(0, 99999, 1)}, "exact: 99.9 % of the thread instructions (0.0 % verified on hardware, 99.9 % documented); jacquard info --exactness lists the others\n"},
	} {
		var out strings.Builder
		require.NoError(t, printExecuted(&out, (&events.Record{Launches: c.launches}).Kernels()))
		require.Equal(t, c.want, out.String())
	}
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0s", 0.00012348: "123.5µs", 0.0123456: "12.346ms", 1.23456: "1.235s", 75.5: "1m15.5s",
	} {
		require.Equal(t, want, seconds(s))
	}
}
