package cli

import (
	"context"
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// An interrupted comparison says that it is incomplete, and blames no kernel.
func TestInterruptedComparison(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := &cobra.Command{}
	c.SetErr(io.Discard)
	f := compareFlags{test: true, knobs: addKnobs(c)}
	err := f.compareKernels(ctx, c, []string{"nvidia"}, []string{"../../../../testdata/mesa-kernels/vecadd/test.json"})
	require.Equal(t, errInterrupted, err)
}
