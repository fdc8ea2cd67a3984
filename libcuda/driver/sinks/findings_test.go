package sinks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/findings"
	"jacquard/simt"
	"jacquard/simt/check"
)

// notes collects the notes of a log.
type notes struct {
	Log
	lines []string
}

func (n *notes) Note(format string, args ...any) { n.lines = append(n.lines, args[0].(string)) }

// found is a finding of a launch with 2 by 4 threads, and one of a kind that is not wanted.
func found(l *Findings) {
	l.Begin(&Launch{Number: 256, Request: simt.Launch{Block: [3]int{8, 4, 1}}})()
	l.Begin(&Launch{Number: 1, Request: simt.Launch{Block: [3]int{2, 4, 1}}})()
	race := check.Finding{Kind: check.KindRace, What: "read-write", Level: check.Error, Kernel: "_Z1kv", Launch: 1, Count: 1, Text: "why",
		At: check.Site{Role: "read", Where: []check.Thread{{Lanes: 8}}}}
	l.Add(race)
	l.Add(race)
	race.Launch, race.What = 0, "write-write" // its shape is no longer known
	l.Add(race)
	race.Kind = check.KindInit
	l.Add(race)
}

func TestFindings(t *testing.T) {
	var none *Findings
	none.Add(check.Finding{})
	none.Report()
	none, err := OpenFindings(&knobs.Values{}, nil, nil, nil)
	require.NoError(t, err)
	require.Nil(t, none)

	var out strings.Builder
	var log notes
	v := knobs.Values{Check: knobs.Check{Set: check.SetOf(check.KindRace)}}
	l, err := OpenFindings(&v, &out, nil, &log)
	require.NoError(t, err)
	found(l)
	require.Equal(t, []string{"error: race read-write in kernel k(): why", "error: race write-write in kernel k(): why"}, log.lines)
	l.Report()
	require.Contains(t, out.String(), "race read-write, 2 times: why\n  kernel k(), launch 1\n  read\n    by block (0,0), thread (1,1,0) (warp 0, lane 3)\n")
	require.Contains(t, out.String(), "race write-write: why\n  kernel k(), launch 0\n  read\n    by block (0,0), warp 0, lane 3\n")
	require.Contains(t, out.String(), "2 errors; checked: race\n")
}

// With a file, standard error gets nothing.
func TestFindingsInFile(t *testing.T) {
	v := knobs.Values{Check: knobs.Check{Set: check.SetOf(check.KindRace), Report: filepath.Join(t.TempDir(), "found")}}
	var out strings.Builder
	l, err := OpenFindings(&v, &out, nil, &notes{})
	require.NoError(t, err)
	found(l)
	l.Report()
	require.Empty(t, out.String())
	r, err := findings.Read(v.Check.Report)
	require.NoError(t, err)
	require.True(t, r.Complete)
	require.Len(t, r.Findings, 2)
	require.Equal(t, [3]int{2, 4, 1}, r.Findings[1].Shape)

	v.Check.Report = t.TempDir()
	_, err = OpenFindings(&v, &out, nil, &notes{})
	require.ErrorContains(t, err, "check-report: ")
}

// A taker gets the report, and standard error nothing.
func TestFindingsTaken(t *testing.T) {
	v := knobs.Values{Check: knobs.Check{Set: check.SetOf(check.KindRace)}}
	var out strings.Builder
	var log notes
	var taken *findings.Report
	l, err := OpenFindings(&v, &out, func(r *findings.Report) { taken = r }, &log)
	require.NoError(t, err)
	found(l)
	l.Report()
	require.Empty(t, out.String()+strings.Join(log.lines, ""))
	require.Equal(t, 2, taken.Errors())
}
