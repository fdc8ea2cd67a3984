package findings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/check"
)

// What a process wrote is a report, whether the process ended or was killed.
func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "found")
	l, err := OpenLog(path, check.SetOf(check.KindRace, check.KindInit))
	require.NoError(t, err)
	r, err := Read(path)
	require.NoError(t, err)
	require.Equal(t, &Report{Checks: l.Report(check.SetOf(check.KindRace, check.KindInit)).Checks, Started: true, Findings: []check.Finding{}}, r)

	f, g := sample().Findings[1], sample().Findings[3]
	f.Count = 1
	require.True(t, l.Add(f))
	for range 6 {
		require.False(t, l.Add(f))
	}
	require.True(t, l.Add(g))
	r, err = Read(path)
	require.NoError(t, err)
	require.False(t, r.Complete)
	require.Len(t, r.Findings, 2)
	require.EqualValues(t, 4, r.Findings[0].Count, "written when it had doubled")

	require.NoError(t, l.End())
	r, err = Read(path)
	require.NoError(t, err)
	require.True(t, r.Complete)
	require.EqualValues(t, 7, r.Findings[0].Count)
	require.Equal(t, l.Report(r.Checks), r)
}

// The example of a lower launch replaces the other in the file, too.
func TestLowerLaunch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "found")
	l, err := OpenLog(path, check.All)
	require.NoError(t, err)
	f := sample().Findings[0]
	for _, f.Launch = range []int{5, 2, 7} {
		l.Add(f)
	}
	require.NoError(t, l.End())
	r, err := Read(path)
	require.NoError(t, err)
	require.Len(t, r.Findings, 1)
	require.Equal(t, 2, r.Findings[0].Launch)
	require.EqualValues(t, 3, r.Findings[0].Count)
}

// Findings of two processes that are alike become one. A line that broke off is left out, other bad
// lines are errors.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "found")
	finding := `{"kind":"race","what":"read-write","level":"error","launch":0,"count":2,"text":"","at":{"role":"read"}}`
	text := `{"pid":7,"begin":"race"}
{"pid":7,"id":1,"finding":` + finding + `}
{"pid":8,"begin":"memory"}
{"pid":8,"id":1,"finding":` + finding + `}
{"pid":8,"id":1,"count":5}
{"pid":8,"end":true}
`
	read := func(text string) (*Report, error) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return Read(path)
	}
	r, err := read(text + `{"pid":7,"id":1,"cou`)
	require.NoError(t, err)
	require.False(t, r.Complete)
	require.Equal(t, check.SetOf(check.KindRace, check.KindMemory), r.Checks)
	require.Len(t, r.Findings, 1)
	require.EqualValues(t, 7, r.Findings[0].Count)
	r, err = read(text + `{"pid":7,"end":true}` + "\n")
	require.NoError(t, err)
	require.True(t, r.Complete)
	r, err = read(text + text)
	require.NoError(t, err)
	require.EqualValues(t, 14, r.Findings[0].Count, "of two drivers of a process")
	_, err = read(text + `{"pid":7,"id":2,"count":3}` + "\n")
	require.EqualError(t, err, path+":7: a count of finding 2 of process 7, which is not there")
	_, err = read(text + "{\n")
	require.ErrorContains(t, err, path+":7: ")
	_, err = read(`{"pid":1,"begin":"rac"}` + "\n")
	require.EqualError(t, err, path+`:1: unknown kind "rac"`)
	r, err = read("")
	require.NoError(t, err)
	require.False(t, r.Started)
}

// Instructions of the same lines are one place, whichever access of a race comes first.
func TestByLine(t *testing.T) {
	race := sample().Findings[1]
	other := race
	other.At, other.With = race.With[0], []check.Site{race.At}
	other.At.Device = &check.Point{PC: 0x80}
	line := other
	line.At.Stack = []check.Frame{{Function: kernel, File: source, Line: 9}}
	unknown := race
	unknown.At.Stack, unknown.With = []check.Frame{{Function: kernel}}, nil
	beside := unknown
	beside.At.Device = &check.Point{PC: 0x80}
	r := &Report{Findings: []check.Finding{race, other, line, unknown, beside}}
	r.ByLine()
	race.Count += other.Count
	require.Equal(t, []check.Finding{race, line, unknown, beside}, r.Findings)
}

func TestKeepAndPromote(t *testing.T) {
	r := sample()
	r.Promote("warp-synchronous")
	require.Zero(t, r.Notes())
	require.Equal(t, 7, r.Errors())
	r.Keep(func(mangled, name string) bool { return strings.Contains(name, "shift(int*)") && mangled == kernel })
	require.Len(t, r.Findings, 7)
	r.Keep(func(string, string) bool { return false })
	require.Equal(t, 2, r.Errors(), "those of no kernel")
}
