package findings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/check"
)

// A value that nobody wrote is a note where the read that got it is part of a race: it may only have
// come before its write.
func TestFollow(t *testing.T) {
	at := func(role string, pc uint32) check.Site {
		return check.Site{Role: role, Device: &check.Point{PC: pc}, Stack: []check.Frame{{Function: "k"}}}
	}
	race := check.Finding{Kind: check.KindRace, What: "read-write", Space: "shared", Level: check.Error, Kernel: "k", At: at("write", 8), With: []check.Site{at("read", 16)}}
	output := check.Finding{Kind: check.KindInit, What: "output", Space: "shared", Level: check.Error, Launch: -1, At: check.Site{Role: "copy"}, With: []check.Site{at("read", 16)}}
	address := check.Finding{Kind: check.KindInit, What: "address", Space: "shared", Level: check.Error, Kernel: "k", At: at("read", 16)}

	l, err := OpenLog("", check.All)
	require.NoError(t, err)
	require.False(t, l.Follows(&output))
	l.Add(race)
	for _, c := range []struct {
		what   string
		change func(output *check.Finding)
		level  check.Level
	}{
		{"output", func(*check.Finding) {}, check.Note},
		{"without a race", func(f *check.Finding) { f.With[0].Device = &check.Point{PC: 24} }, check.Error},
		{"of the write", func(f *check.Finding) { f.With[0].Device = &check.Point{PC: 8} }, check.Error},
		{"in another kernel", func(f *check.Finding) { f.With[0].Stack = []check.Frame{{Function: "l"}} }, check.Error},
		{"of other memory", func(f *check.Finding) { f.Space = "global" }, check.Error},
		{"that no kernel read", func(f *check.Finding) { f.With = nil }, check.Error},
	} {
		f := output
		f.With = []check.Site{output.With[0]}
		c.change(&f)
		r := Report{Findings: []check.Finding{f, address, race}}
		r.follow()
		require.Equal(t, c.level, r.Findings[0].Level, c.what)
		require.Equal(t, check.Note, r.Findings[1].Level)
		require.Equal(t, check.Error, r.Findings[2].Level)
		require.Equal(t, c.level == check.Note, l.Follows(&f), c.what)
	}

	race.Level = check.Note // lock step orders the two
	r := Report{Findings: []check.Finding{race, output}}
	r.follow()
	require.Equal(t, check.Error, r.Findings[1].Level)
}
