package count

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// A run of straight-line code counts for each of its instructions, with all lanes active or only
// some.
func TestLedger(t *testing.T) {
	p, err := program.Lower(program.Kernel{Code: []tesla.Instruction{
		{Op: tesla.OpNop, Size: 8}, {Op: tesla.OpNop, Size: 8}, {Op: tesla.OpNop, Size: 8},
	}})
	require.NoError(t, err)
	var c Ledger
	c.Begin(p, false)
	m := Meter{Ledger: &c}
	full, some := lane.Sel{Full: true}, lane.Sel{Full: true}
	full.Add(0, lane.All)
	full.Add(1, lane.All)
	some.Add(0, 0xff)
	m.Tally(0, 2, &full)
	m.Tally(1, 3, &some)
	var s Stats
	c.Stats(&s, p, Instructions)
	for i, want := range []struct{ issues, threads, full, some uint64 }{{2, 64, 2, 0}, {3, 72, 2, 1}, {1, 8, 0, 1}} {
		in := &s.ByInstruction[i]
		require.Equal(t, want.issues, in.Issues, i)
		require.Equal(t, want.threads, in.Threads, i)
		require.Equal(t, want.full, in.Active[lane.Width], i)
		require.Equal(t, want.some, in.Active[8], i)
	}
	require.Equal(t, uint64(6), s.WarpInstructions)
	require.Equal(t, uint64(144), s.ThreadInstructions)

	used := Stats{Merges: 1, Incomplete: true, ByInstruction: make([]InstructionStats, len(s.ByInstruction))}
	used.ByInstruction[0].Issues, used.ByInstruction[2] = 1, InstructionStats{Issues: 1, Active: [lane.Width + 1]uint64{3: 1}}
	c.Stats(&used, p, Instructions)
	require.Equal(t, s, used, "what the statistics held before is lost")
}
