package sinks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/tesla"
)

// launchOf returns a launch of a kernel whose second instruction stores to memory.
func launchOf(t *testing.T) *Launch {
	t.Helper()
	reg := tesla.Operand{Kind: tesla.Reg}
	var words []uint32
	for _, in := range []tesla.Instruction{
		{Op: tesla.OpNop},
		{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: 14}, reg}},
		{Op: tesla.OpNop, Marker: tesla.MarkerExit},
	} {
		w0, w1, err := decoder.Encode(tesla.SM13, in)
		require.NoError(t, err)
		words = append(words, w0, w1)
	}
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4})
	require.NoError(t, err)
	return &Launch{Number: 3, Request: simt.Launch{Program: p}}
}

// A fault of memory or of a wait is a mistake of the program; an illegal instruction is none.
func TestMistakes(t *testing.T) {
	l := launchOf(t)
	for _, c := range []struct {
		fault simt.Fault
		want  string // "" for none
		role  string
	}{
		{simt.Fault{Kind: simt.FaultIllegalAddress, Space: "g", Addr: 0x10000, Detail: "unmapped address"}, "error: memory out-of-bounds (global)", "write"},
		{simt.Fault{Kind: simt.FaultIllegalAddress, Space: "g", Addr: 4}, "error: memory null (global)", "write"},
		{simt.Fault{Kind: simt.FaultIllegalAddress, Space: "s", Addr: 4}, "error: memory out-of-bounds (shared)", "write"},
		{simt.Fault{Kind: simt.FaultMisaligned, Space: "g", Addr: 2}, "error: memory misaligned (global)", "write"},
		{simt.Fault{Kind: simt.FaultLivelock}, "", ""},
		{simt.Fault{Kind: simt.FaultIllegalInstruction}, "", ""},
	} {
		c.fault.PC, c.fault.Lanes, c.fault.Warp = 8, 0xf, 2
		l.Err = &c.fault
		list := Mistakes(l)
		if c.want == "" {
			require.Empty(t, list)
			continue
		}
		require.Len(t, list, 1)
		f := list[0]
		require.Contains(t, f.String(), c.want+" in kernel k at pc 0x8: ")
		require.Equal(t, 3, f.Launch)
		require.EqualValues(t, 4, f.Count)
		require.Equal(t, c.role, f.At.Role)
		require.EqualValues(t, 4, f.At.Size)
		require.Contains(t, f.At.Device.Text, "g14[$r0]")
		require.Equal(t, []check.Thread{{Warp: 2, Lanes: 0xf}}, f.At.Where)
	}
}
