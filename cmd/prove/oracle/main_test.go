package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
)

func TestRun(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-n", "8", "-policies", "stackless,implicit:key=source"}, 0, "8 kernels, seeds 0 to 7: 2 structured 2 calling 2 knotted 2 tangled"},
		{[]string{"-n", "8", "-policies", "stackless"}, 0, "stackless:key=pc,next=least        8       0       0\n"},
		{[]string{"-n", "8", "-policies", "pdom:warp=4,dwf:warp=16"}, 0, "dwf:warp=16  8       0       0\n"},
		{[]string{"-n", "8", "-policies", "implicit"}, 0, "it has no stack for the return address of the call"},
		{[]string{"-n", "60", "-policies", "chap"}, 0, ": its code is not nested ifs and loops: control goes to 0x.., across the ifs and loops around it\n"},
		{[]string{"-n", "2", "-policies", "wild"}, 2, `unknown policy "wild": want nvidia`},
		{[]string{"-n", "2", "-policies", "volta:quantum=1"}, 2, "volta:quantum=256|16|4096"},
		{[]string{"-n"}, 2, "flag needs an argument"},
		{[]string{"more"}, 2, "unexpected argument"},
		{[]string{"-show", "65"}, 0, "calling maze of seed 65, 2 blocks of 1 threads\n   0  mov"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, c.status, run(c.args, &out, &errs), "%v", c.args)
		require.Contains(t, out.String()+errs.String(), c.want)
	}
}

// A failure is reported with its seed, reduced and listed.
func TestFailure(t *testing.T) {
	tally := newTally([]string{"nvidia", "wild"})
	m := maze.New(65)
	tally.add(m, maze.Check(m, tally.policies))
	var out bytes.Buffer
	tally.print(&out, 65, 1)
	require.Contains(t, out.String(), "1 failures\n\ndivergence policy wild, calling maze of seed 65: unknown divergence policy")
	require.Contains(t, out.String(), "cut down: ")
}
