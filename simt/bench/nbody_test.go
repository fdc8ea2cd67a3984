package bench

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder/listing"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The listing is what a compiler's would be: nbody is written by hand.
func TestNbodyListing(t *testing.T) {
	k, err := nbody()
	require.NoError(t, err)
	var words []uint32
	for _, in := range k.Code {
		require.Equal(t, tesla.OK, in.Bad)
		words = append(words, in.Raw[:]...)
	}
	var s strings.Builder
	require.NoError(t, listing.Write(&s, k.Arch, words, tesla.Instruction.String))
	const golden = "testdata/nbody.dis.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(s.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), s.String())
}
