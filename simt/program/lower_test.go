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
