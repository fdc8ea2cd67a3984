package assemble_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/assemble"
	"jacquard/tesla"
)

func TestErrors(t *testing.T) {
	k := assemble.Code{Arch: tesla.SM10}
	k.Add(assemble.Barrier())
	k.Add(assemble.Plain(tesla.OpVote)) // of sm_12
	k.Add(assemble.Load(4, 1))
	k.Add(assemble.Store(1, 4))
	k.Add(assemble.ToCond(1, 4))
	k.Add(assemble.FromCond(4, 1))
	require.ErrorContains(t, k.Err, "assemble: cannot encode Vote for sm_10: ")
	require.Len(t, k.Words, 10, "all others are there")
}
