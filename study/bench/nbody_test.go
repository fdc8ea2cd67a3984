package bench

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The hand-written listing of nbody looks like a compiler's.
func TestNbodyListing(t *testing.T) {
	k, err := nbody()
	require.NoError(t, err)
	var words []uint32
	for _, in := range k.Code {
		require.Equal(t, tesla.OK, in.Bad)
		words = append(words, in.Raw[:]...)
	}
	var s strings.Builder
	w := asm.Writer{Syntax: asm.Envy}
	require.NoError(t, w.Kernel(&s, k.Arch, &cubin.Kernel{Name: k.Name, Code: words, Registers: k.Registers, Shared: k.Shared}))
	const golden = "kernels/nbody.dis.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(s.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), s.String())
}
