package view

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"jacquard/observe/trace"
)

// The samples of a profile equal the counters of the launches, per instruction.
func TestProfile(t *testing.T) {
	for _, policy := range []string{"", "mimd", "tbc"} {
		f, stats := record(t, trace.Options{}, policy, 9, 7)
		var out bytes.Buffer
		require.NoError(t, Profile(&out, f, &trace.Filter{}))
		p, err := profile.Parse(&out)
		require.NoError(t, err)
		require.Equal(t, "warp_instructions", p.SampleType[0].Type)
		type key struct {
			kernel string
			pc     int64
		}
		got, want := map[key][3]int64{}, map[key][3]int64{}
		for _, s := range p.Sample {
			lines := s.Location[0].Line
			require.Len(t, lines, 2)
			require.Contains(t, lines[0].Function.Name, lines[1].Function.Name+" ")
			got[key{lines[1].Function.Name, lines[1].Line}] = [3]int64(s.Value)
		}
		for _, s := range stats {
			for _, in := range s.ByInstruction {
				if in.Issues > 0 {
					active := int64(in.Threads + in.Off)
					if in.Vetoed > 0 { // the counters do not tell the state of these lanes
						active = got[key{s.Kernel, int64(in.PC)}][1]
					}
					want[key{s.Kernel, int64(in.PC)}] = [3]int64{int64(in.Issues), active, int64(in.Threads)}
				}
			}
		}
		require.Equal(t, want, got, policy)
	}
}

// The slices of a timeline cover all warp-instructions, and the slices of a track do not overlap.
func TestTimeline(t *testing.T) {
	f, stats := record(t, trace.Options{}, "", 9, 7)
	var out bytes.Buffer
	require.NoError(t, Timeline(&out, f, &trace.Filter{}))
	var file struct {
		Events []struct {
			Name, Ph string
			Ts, Dur  uint64
			Pid, Tid int
			Args     map[string]any
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &file))
	type track struct{ process, warp int }
	end := map[track]uint64{}
	names := map[int]string{}
	issues := 0.
	for _, e := range file.Events {
		if e.Name == "process_name" {
			names[e.Pid] = e.Args["name"].(string)
		}
		if e.Ph != "X" {
			continue
		}
		at := track{e.Pid, e.Tid}
		require.GreaterOrEqual(t, e.Ts, end[at])
		require.Positive(t, e.Dur)
		end[at] = e.Ts + e.Dur
		require.EqualValues(t, e.Dur, e.Args["issues"])
		require.NotEmpty(t, e.Args["first"])
		issues += e.Args["issues"].(float64)
	}
	require.EqualValues(t, stats[0].WarpInstructions+stats[1].WarpInstructions, issues)
	require.Len(t, names, 4)
	require.Equal(t, "launch 0 maze9 block 0 (0,0)", names[1])
}
