package program

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// Every operation of the instruction set can be lowered, except the graphics-only store.
func TestLoweringIsComplete(t *testing.T) {
	for op := tesla.OpInvalid + 1; int(op) < tesla.Ops; op++ {
		require.Equal(t, op != tesla.OpStOutput, operationOf(op) != nil, op)
	}
}

// A branch has the index of its target, or -1 if no instruction begins there.
func TestTargets(t *testing.T) {
	for target, want := range map[uint32]int32{0: 0, 8: 1, 12: -1, 16: -1, 1 << 20: -1} {
		p, err := Lower(Kernel{Code: []tesla.Instruction{{Op: tesla.OpBra, Size: 8, Target: target}, {Op: tesla.OpNop, Size: 8}}})
		require.NoError(t, err)
		require.Equal(t, want, p.Code[0].To, "target 0x%x", target)
	}
}
