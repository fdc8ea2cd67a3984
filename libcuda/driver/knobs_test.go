package driver

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/trace"
	"jacquard/simt"
)

func TestDeviceKnob(t *testing.T) {
	var keys []string
	for _, m := range models {
		keys = append(keys, m.key)
	}
	for _, k := range knobs.All() {
		if k.Name == "device" {
			require.Equal(t, keys, k.Values)
		}
	}
}

func TestBadKnobFailsInit(t *testing.T) {
	for want, s := range map[string]knobs.Settings{
		`JACQUARD_DEVICE: unknown value "rtx": want 8800gtx, 9800gx2, gt240, gtx280 or c1060, or several with commas between`:                                                                             {Device: "gtx280,rtx"},
		`JACQUARD_POLICY: unknown value "wild": want ` + simt.WantPolicy("wild"):                                                                                                                          {Policy: "wild"},
		`JACQUARD_STATS: unknown value "1": want on, off or a file that ends in .json, .csv or .parquet, with :tags behind it to count uniform and affine operands or :costs to count replays and spills`: {Stats: "1"},
		`JACQUARD_SIMD: unknown value "sse": want off, avx2 or avx512`:                                                                                                                                    {Simd: "sse"},
		`JACQUARD_ENGINE: unknown value "fast": want translate, interp or reference`:                                                                                                                      {Engine: "fast"},
		`JACQUARD_ENGINE: translate cannot run here: vector instructions are off`:                                                                                                                         {Engine: "translate", Simd: "off"},
		`JACQUARD_PTX: unknown value "all": want any or board`:                                                                                                                                            {PTX: "all"},
		`JACQUARD_LOG: unknown value "loud": want off, error or info`:                                                                                                                                     {Log: "loud"},
		`JACQUARD_WATCHDOG: unknown value "-1": want a number, 0 or more`:                                                                                                                                 {Watchdog: "-1"},
		`JACQUARD_RECORD: unknown value "b:first=1": unknown option "first=1": want kernel=NAME (several with + between) or launches=N, with a comma between`:                                             {Record: "b:first=1"},
		`JACQUARD_TRACE: unknown value "t:regs": unknown option "regs": want ` + trace.OptionsHelp():                                                                                                      {Trace: "t:regs"},
		`summary: open /dev/null/x: not a directory`:                                                                                                                                                      {Summary: "/dev/null/x"},
	} {
		var log bytes.Buffer
		d := New(Config{Settings: s, Output: &log})
		for range 2 {
			require.ErrorIs(t, d.Thread(1).Init(0), ErrInvalidValue)
		}
		_, err := d.Thread(1).DeviceGetCount()
		require.Equal(t, ErrNotInitialized, err)
		require.Equal(t, "jacquard: cuInit: "+want+"\n", log.String())
	}
}

func TestLogLevels(t *testing.T) {
	for level, want := range map[string]string{"off": "", "error": "jacquard: e\n", "info": "jacquard: device 0 is a simulated GeForce GTX 280 (sm_13)\njacquard: e\njacquard: two lines\n"} {
		var log bytes.Buffer
		d := New(Config{Settings: knobs.Settings{Log: level}, Output: &log})
		require.NoError(t, d.Thread(1).Init(0))
		d.log.Error("e")
		d.log.Info("two\nlines")
		require.Equal(t, want, log.String())
	}
}

func TestEveryFaultHasAResult(t *testing.T) {
	for k := simt.FaultIllegalInstruction; k <= simt.FaultInternal; k++ {
		r, ok := faultResults[k]
		require.True(t, ok, k)
		result, refused := launchResult(&simt.Fault{Kind: k})
		require.Equal(t, r, result)
		require.False(t, refused)
	}
	require.Len(t, faultResults, int(simt.FaultInternal))
	require.Contains(t, launchMessage("k", &simt.Fault{Kind: simt.FaultInternal}), "please report it")
	for resources, want := range map[bool]Result{true: ErrLaunchOutOfResources, false: ErrInvalidValue} {
		result, refused := launchResult(&simt.LaunchError{Resources: resources})
		require.Equal(t, want, result)
		require.True(t, refused)
	}
}
