package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/shape"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// PTX of every shape compiles, and passes all checks.
func TestShapes(t *testing.T) {
	for _, s := range shape.Shapes() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{1, 2, 7, 60} {
				m, err := ptx.Parse("k", []byte(s.Count(n)))
				require.NoError(t, err)
				image, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
				require.NoError(t, err)
				require.NotEmpty(t, image.Kernels)
			}
			require.InEpsilon(t, 20000, len(s.Text(20000)), 0.4)
		})
	}
}

// What does not fit the machine is refused where the text has it.
func TestShapesBeyondTheMachine(t *testing.T) {
	for _, s := range shape.Shapes() {
		if s.Name != "registers" {
			continue
		}
		m, err := ptx.Parse("k", []byte(s.Count(6000)))
		require.NoError(t, err)
		_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13})
		require.ErrorContains(t, err, " bytes of local memory, with the registers that it spills; a thread has 16384")
		var placed *ptx.Error
		require.ErrorAs(t, err, &placed)
	}
}
