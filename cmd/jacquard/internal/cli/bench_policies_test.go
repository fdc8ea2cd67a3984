package cli

import (
	"bytes"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/bench"
)

func TestBenchPolicies(t *testing.T) {
	todo, err := chosen([]string{bench.Undivided})
	require.NoError(t, err)
	todo[0].Grid = [2]int{1, 1} // for the test
	var out bytes.Buffer
	c := &cobra.Command{}
	c.SetOut(&out)
	require.NoError(t, benchPolicies(c, &todo[0], false))
	require.Regexp(t, `^policies on matmul, .*: nvidia [0-9.]+[mµ]?s, stackless [0-9.]+ times that, pdom [0-9.]+ times that\n$`, out.String())
	out.Reset()
	require.NoError(t, benchPolicies(c, &todo[0], true))
	require.Regexp(t, `^\{"kernel":"matmul","policies":\[\{"policy":"nvidia","seconds":[^}]*,"relative":1\},`, out.String())
}
