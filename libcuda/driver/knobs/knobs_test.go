package knobs

import (
	"fmt"
	"os"
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
	require.Equal(t, Values{Models: []string{"gtx280"}, Log: LogError, Memory: Memory{Packed: true}, Policy: "nvidia", Outputs: Outputs{Stats: Stats{Count: true}}}, s)
	s, err = Settings{Device: "gt240,8800gtx", Log: "info", Stats: "off", Watchdog: "18446744073709551615", Summary: "f"}.Parse()
	require.NoError(t, err)
	require.Equal(t, Values{Models: []string{"gt240", "8800gtx"}, Log: LogInfo, Memory: Memory{Packed: true}, Policy: "nvidia", Watchdog: 1<<64 - 1, Summary: "f"}, s)
	for _, c := range []struct {
		settings Settings
		want     Memory
	}{
		{Settings{Check: "memory"}, Memory{Exact: true}},
		{Settings{Check: "race"}, Memory{Packed: true}},
		{Settings{Check: "all", Memory: "packed"}, Memory{Packed: true}},
		{Settings{Padding: "0"}, Memory{Packed: true}},
		{Settings{Padding: "5000"}, Memory{Exact: true, Padding: 5000}},
		{Settings{Padding: "1", Memory: "board"}, Memory{Padding: 1}},
	} {
		s, err = c.settings.Parse()
		require.NoError(t, err)
		require.Equal(t, c.want, s.Memory)
	}
	_, err = Settings{Padding: "1", Memory: "packed"}.Parse()
	require.EqualError(t, err, "JACQUARD_PADDING: packed memory has none: choose JACQUARD_MEMORY=exact or board")
	_, err = Settings{Padding: "1073741825"}.Parse()
	require.EqualError(t, err, `JACQUARD_PADDING: unknown value "1073741825": want at most 1073741824`)
	s, err = Settings{Order: "instruction"}.Parse()
	require.NoError(t, err)
	require.Equal(t, simt.OrderInstruction, s.Order)
	_, err = Settings{Order: "warps"}.Parse()
	require.EqualError(t, err, `JACQUARD_ORDER: unknown value "warps": want turns or instruction`)
}

// A switch is no file, unless the knob has such a value or a folder is before it.
func TestSwitches(t *testing.T) {
	for _, s := range []Settings{{Progress: "off"}, {Progress: "./on"}, {Summary: "on.jsonl"}, {Trace: "./1:values=all"}} {
		_, err := s.Parse()
		require.NoError(t, err)
	}
	for want, s := range map[string]Settings{
		`JACQUARD_PROGRESS: unknown value "on": want off or a file, as ./on`:       {Progress: "on"},
		`JACQUARD_SUMMARY: unknown value "off": want a file, as ./off`:             {Summary: "off"},
		`JACQUARD_TRACE: unknown value "1:values=all": want a file, as ./1`:        {Trace: "1:values=all"},
		`JACQUARD_RECORD: unknown value "true:launches=3": want a file, as ./true`: {Record: "true:launches=3"},
	} {
		_, err := s.Parse()
		require.EqualError(t, err, want)
	}
}

// Settings name files or none. Only the files of a process have its number in their names.
func TestOutputs(t *testing.T) {
	for _, s := range []Settings{{}, {Stats: "on"}, {Stats: "off", Summary: "f"}} {
		o, err := s.Outputs()
		require.NoError(t, err)
		require.False(t, o.Any())
		require.Equal(t, s.Stats != "off", o.Stats.Count)
	}
	for _, s := range []Settings{{Stats: "%p.csv"}, {Trace: "%p.jqt:values=all"}, {Record: "%p.jqb"}} {
		o, err := s.Outputs()
		require.NoError(t, err)
		require.True(t, o.Any())
		v, err := s.Parse()
		require.NoError(t, err)
		require.Equal(t, o.OfProcess(), v.Outputs)
		names := o.Stats.To.Path + o.Trace.Path + o.Record.Path
		require.Regexp(t, `^%p\.\w+$`, names)
		names = v.Stats.To.Path + v.Trace.Path + v.Record.Path
		require.Regexp(t, fmt.Sprintf(`^%d\.\w+$`, os.Getpid()), names)
	}
	o, err := Settings{Trace: "/a%p/%p.jqt", Stats: "b%p/s.csv", Record: "b%p/c"}.Outputs()
	require.NoError(t, err)
	o = o.OfProcess()
	require.Equal(t, fmt.Sprintf("/a%%p/%d.jqt", os.Getpid()), o.Trace.Path, "folders keep their names")
	require.Equal(t, "b%p/s.csv", o.Stats.To.Path)
	require.Equal(t, "b%p/c", o.Record.Path)
	require.True(t, PerProcess("/a/%p.jqt"))
	require.False(t, PerProcess("/a%p/b.jqt"))
	for _, s := range []Settings{{Stats: "x"}, {Trace: "x:y"}, {Record: "x:y"}} {
		_, err := s.Outputs()
		require.Error(t, err)
	}
}

func TestMisspelled(t *testing.T) {
	require.Empty(t, Misspelled([]string{"JACQUARD_POLICY=nvidia", "JACQUARD_HOME=/", "POLCY=x", "JACQUARD_=", "JACQUARD", "=", ""}))
	require.Equal(t, []string{
		"JACQUARD_POLCY is no setting: did you mean JACQUARD_POLICY?",
		"JACQUARD_policy is no setting: did you mean JACQUARD_POLICY?",
		"JACQUARD_worker is no setting: did you mean JACQUARD_WORKERS?",
	}, Misspelled([]string{"JACQUARD_worker=2", "JACQUARD_POLCY=a=b", "JACQUARD_policy="}))
}
