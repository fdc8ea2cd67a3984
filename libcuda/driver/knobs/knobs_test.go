package knobs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
)

func TestTable(t *testing.T) {
	values := map[string][]string{}
	for _, k := range All() {
		values[k.Name] = k.Values
		require.Equal(t, "JACQUARD_", k.Env[:9])
		require.Regexp(t, `^[A-Z].*\.$`, k.Help, k.Name)
		if k.Default != "" {
			require.NoError(t, k.Check(k.Default), k.Name)
		}
		require.NotNil(t, new(Settings).field(k.Name))
	}
	require.Equal(t, simt.Policies(), values["policy"])
	require.Nil(t, new(Settings).field("no such knob"))
}

func TestFrom(t *testing.T) {
	env := map[string]string{"JACQUARD_DEVICE": "c1060", "JACQUARD_WATCHDOG": "12", "JACQUARD_NOTHING": "x"}
	s := From(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	require.Equal(t, Settings{Device: "c1060", Watchdog: "12"}, s)
}

func TestParse(t *testing.T) {
	s, err := Settings{}.Parse()
	require.NoError(t, err)
	require.Equal(t, Values{Models: []string{"gtx280"}, Log: LogError, Policy: "nvidia", Stats: Stats{Count: true}}, s)
	s, err = Settings{Device: "gt240,8800gtx", Log: "info", Stats: "off", Watchdog: "18446744073709551615", Summary: "f"}.Parse()
	require.NoError(t, err)
	require.Equal(t, Values{Models: []string{"gt240", "8800gtx"}, Log: LogInfo, Policy: "nvidia", Watchdog: 1<<64 - 1, Summary: "f"}, s)
}
