package program

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

func TestPlans(t *testing.T) {
	red := func(op tesla.AtomOp) []tesla.Instruction { return []tesla.Instruction{{Op: tesla.OpRed, Atom: op}} }
	require.False(t, planFor(red(tesla.AtomAdd)).Reference)
	require.True(t, planFor(red(tesla.AtomExch)).Reference)
	require.True(t, planFor(red(tesla.AtomInc)).Reference)
	require.True(t, planFor([]tesla.Instruction{{Op: tesla.OpAtom, Atom: tesla.AtomAdd}}).Reference)
	require.False(t, planFor([]tesla.Instruction{{Op: tesla.OpAtom, Bad: tesla.OK + 1}}).Reference)
}
