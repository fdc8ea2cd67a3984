package interp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/program"
	"jacquard/tesla"
)

// Every operation with an effect has a binding.
func TestBindingIsComplete(t *testing.T) {
	for op := tesla.OpInvalid + 1; int(op) < tesla.Ops; op++ {
		p, err := program.Lower(program.Kernel{Code: []tesla.Instruction{{Op: op, Type: tesla.B32, From: tesla.U32, Size: 8}}})
		require.NoError(t, err)
		if u := &p.Code[0]; u.Acts && u.Refusal == nil {
			require.NotNil(t, binding[op], op)
		}
	}
}
