package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/study/audit"
	"jacquard/tesla"
)

func TestKernel(t *testing.T) {
	k := &cubin.Kernel{Name: "k", Registers: 4, Code: []uint32{
		0x10008a08, 0x10008a0c, // two moves
		0x00000002, 0x10008a0c, // nothing, a move
		0xf8000005, 0x00000784, // texture of a cube
		0xf0000001, 0xe0000001, // end
	}}
	r, err := audit.Kernel(tesla.SM10, k)
	require.NoError(t, err)
	require.Equal(t, 6, r.Instructions)
	require.Equal(t, []audit.Count{
		{Op: "Invalid", Illegal: 1},
		{Op: "Mov", Documented: 3},
		{Op: "Nop", Documented: 1},
		{Op: "TexAuto", Unsupported: 1},
	}, r.Operations)
	require.Equal(t, []audit.Evidence{
		{Class: "documented", Op: "Mov", Why: "docs/isa/operations.md, Mov", Instructions: 3},
		{Class: "documented", Op: "Nop", Why: "docs/isa/operations.md, Nop", Instructions: 1},
	}, r.Evidence)
	require.Len(t, r.Problems, 2)
	require.EqualValues(t, 8, r.Problems[0].PC)
	require.Equal(t, "illegal instruction", r.Problems[0].Kind)
	require.EqualValues(t, 16, r.Problems[1].PC)
	require.Equal(t, "unsupported instruction", r.Problems[1].Kind)
	require.Contains(t, r.Problems[1].Reason, "cube")
}

// One device may lack an instruction of another.
func TestArchitecturesDiffer(t *testing.T) {
	k := &cubin.Kernel{Name: "k", Registers: 4, Code: []uint32{0x10000001, 0x4080c780}} // ld lock
	for a, problems := range map[tesla.Arch]int{tesla.SM10: 1, tesla.SM11: 1, tesla.SM12: 0, tesla.SM13: 0} {
		r, err := audit.Kernel(a, k)
		require.NoError(t, err)
		require.Len(t, r.Problems, problems, a)
	}
}

// The most certain instructions come first, and an operation may be less certain under a guard.
func TestEvidence(t *testing.T) {
	k := &cubin.Kernel{Name: "k", Registers: 4, Code: []uint32{
		0x20000005, 0x04004280, // (lg $c0) add b32
		0x00000001, 0x60004780, // mov $r0 $clock
		0x20000005, 0x04004780, // add b32
		0x20000005, 0x04004780,
	}}
	r, err := audit.Kernel(tesla.SM10, k)
	require.NoError(t, err)
	require.Equal(t, []audit.Evidence{
		{Class: "verified", Op: "IAdd", Why: "docs/isa/operations.md, IAdd", Instructions: 2},
		{Class: "documented", Op: "IAdd", Why: "docs/isa/machine.md, Guards: predicates", Instructions: 1},
		{Class: "unverified", Op: "MovFromSpecial", Why: "docs/isa/machine.md, Special registers: the clock counts issues of the warp, not cycles", Instructions: 1},
	}, r.Evidence)
	require.Equal(t, []audit.Count{
		{Op: "IAdd", Verified: 2, Documented: 1},
		{Op: "MovFromSpecial", Unverified: 1},
	}, r.Operations)
	require.Equal(t, 3, r.Operations[0].Exact())
}

func TestImpossibleResources(t *testing.T) {
	_, err := audit.Kernel(tesla.SM10, &cubin.Kernel{Name: "k", Registers: 1000})
	require.ErrorContains(t, err, "1000 registers")
}
