package driver

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/trace"
)

func TestKnobTable(t *testing.T) {
	values := map[string][]string{}
	for _, k := range Knobs() {
		values[k.Name] = k.Values
		require.Equal(t, "JACQUARD_", k.Env[:9])
		require.Regexp(t, `^[A-Z].*\.$`, k.Help, k.Name)
		if k.Default != "" {
			require.NoError(t, k.Check(k.Default), k.Name)
		}
		require.NotNil(t, new(Settings).field(k.Name))
	}
	var keys []string
	for _, m := range models {
		keys = append(keys, m.key)
	}
	require.Equal(t, keys, values["device"])
	require.Equal(t, simt.Policies(), values["policy"])
	require.Nil(t, new(Settings).field("no such knob"))
}

func TestSettingsFrom(t *testing.T) {
	env := map[string]string{"JACQUARD_DEVICE": "c1060", "JACQUARD_WATCHDOG": "12", "JACQUARD_NOTHING": "x"}
	s := SettingsFrom(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	require.Equal(t, Settings{Device: "c1060", Watchdog: "12"}, s)
}

func TestParse(t *testing.T) {
	s, err := Settings{}.parse()
	require.NoError(t, err)
	require.Equal(t, settings{models: []*model{modelOf("gtx280")}, log: logError, policy: "nvidia", stats: statsKnob{count: true}}, s)
	s, err = Settings{Device: "gt240,8800gtx", Log: "info", Stats: "off", Watchdog: "18446744073709551615", Summary: "f"}.parse()
	require.NoError(t, err)
	require.Equal(t, settings{models: []*model{modelOf("gt240"), modelOf("8800gtx")}, log: logInfo, policy: "nvidia", watchdog: 1<<64 - 1, summary: "f"}, s)
}

func TestBadKnobFailsInit(t *testing.T) {
	for want, s := range map[string]Settings{
		`JACQUARD_DEVICE: unknown value "rtx": want 8800gtx, 9800gx2, gt240, gtx280 or c1060, or several with commas between`:                                                        {Device: "gtx280,rtx"},
		`JACQUARD_POLICY: unknown value "wild": want ` + simt.WantPolicy("wild"):                                                                                                     {Policy: "wild"},
		`JACQUARD_STATS: unknown value "1": want on, off or a file that ends in .json, .csv or .parquet, with :tags behind it to count uniform and affine operands, or barra:PREFIX`: {Stats: "1"},
		`JACQUARD_SIMD: unknown value "sse": want off, avx2 or avx512`:                                                                                                               {Simd: "sse"},
		`JACQUARD_LOG: unknown value "loud": want off, error or info`:                                                                                                                {Log: "loud"},
		`JACQUARD_WATCHDOG: unknown value "-1": want a number, 0 or more`:                                                                                                            {Watchdog: "-1"},
		`JACQUARD_RECORD: unknown value "b:first=1": unknown option "first=1": want kernel=NAME (several with + between) or launches=N, with a comma between`:                        {Record: "b:first=1"},
		`JACQUARD_TRACE: unknown value "t:regs": unknown option "regs": want ` + trace.OptionsHelp():                                                                                 {Trace: "t:regs"},
		`summary: open /dev/null/x: not a directory`:                                                                                                                                 {Summary: "/dev/null/x"},
	} {
		var log bytes.Buffer
		d := New(Config{Settings: s, Output: &log})
		for range 2 {
			require.Equal(t, ErrInvalidValue, d.Thread(1).Init(0))
		}
		_, err := d.Thread(1).DeviceGetCount()
		require.Equal(t, ErrNotInitialized, err)
		require.Equal(t, "jacquard: cuInit: "+want+"\n", log.String())
	}
}

func TestLogLevels(t *testing.T) {
	for level, want := range map[string]string{"off": "", "error": "jacquard: e\n", "info": "jacquard: device 0 is a simulated GeForce GTX 280 (sm_13)\njacquard: e\njacquard: two lines\n"} {
		var log bytes.Buffer
		d := New(Config{Settings: Settings{Log: level}, Output: &log})
		require.NoError(t, d.Thread(1).Init(0))
		d.log.error("e")
		d.log.info("two\nlines")
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
