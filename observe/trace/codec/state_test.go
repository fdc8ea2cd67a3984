package codec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// stack returns a state of n entries and lanes that run.
func stack(n int, pc uint32) (s branch.State) {
	for i := range n {
		s = append(s, branch.Entry{Kind: branch.BranchEntry, PC: uint32(8 * i), Mask: lane.Mask(i), Number: branch.NoStop})
	}
	return append(s, branch.Entry{Kind: branch.PathEntry, Runs: true, PC: pc, Mask: 1, Number: branch.NoStop})
}

// States are read at the issues for which they were written, also in a part that begins with a state
// of the part before. A push or a pop costs a few bytes, however deep the stack is.
func TestStateWriter(t *testing.T) {
	list := []branch.State{stack(0, 8), stack(100, 16), stack(101, 24), stack(100, 32), stack(3, 40)}
	var w stateWriter
	w.start(false)
	for i, s := range list {
		w.add(s, uint32(10*i), false)
		w.add(s, uint32(10*i+5), false) // nothing new
	}
	read := func(issues int) (got []branch.State) {
		r := stateReader{cursor: cursor{data: w.data}}
		r.start()
		for range issues {
			r.issue(false)
			got = append(got, append(branch.State(nil), r.now...))
		}
		require.Empty(t, r.why)
		require.False(t, r.cursor.left())
		return got
	}
	got := read(50)
	for i := range got {
		require.True(t, list[i/10].Same(got[i]), i)
	}
	size := len(w.data)
	w.add(stack(4, 0), 60, false)
	require.Less(t, len(w.data)-size, 24)
	w.start(false)
	require.True(t, stack(4, 0).Same(read(1)[0]))
}

// Of a state that is too long, the bottom is left out.
func TestLongState(t *testing.T) {
	var w stateWriter
	w.start(false)
	w.add(stack(1000, 8), 0, false)
	r := stateReader{cursor: cursor{data: w.data}}
	r.start()
	r.issue(false)
	require.Empty(t, r.why)
	require.Len(t, r.now, mostEntries)
	require.Equal(t, branch.Entry{Kind: branch.MoreEntry, PC: branch.NoStop, Number: 1001 - mostEntries + 1}, r.now[0])
	require.True(t, stack(1000, 8)[1001-mostEntries+1:].Same(r.now[1:]))
}
