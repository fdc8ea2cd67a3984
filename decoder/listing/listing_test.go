package listing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/decoder/listing"
	"jacquard/tesla"
)

// The listings beside the kernels were made by another disassembler.
func TestListingsOfAnotherDisassembler(t *testing.T) {
	listings, err := filepath.Glob("../../testdata/mesa-kernels/*/*.dis.txt")
	require.NoError(t, err)
	require.NotEmpty(t, listings)
	for _, path := range listings {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			data, err := os.ReadFile(strings.TrimSuffix(path, ".dis.txt") + ".cubin")
			require.NoError(t, err)
			img, err := cubin.Parse(data)
			require.NoError(t, err)
			require.Len(t, img.Kernels, 1)
			var got strings.Builder
			require.NoError(t, listing.Write(&got, img.Arch, img.Kernels[0].Code, tesla.Instruction.String))
			require.Equal(t, string(want), got.String())
		})
	}
}

func TestMarks(t *testing.T) {
	ins := []tesla.Instruction{
		{Op: tesla.OpBra, Target: 8},
		{Op: tesla.OpCall, Target: 16},
		{Op: tesla.OpBra, Target: 16},
		{Op: tesla.OpJoinAt, Target: 24},
		{Op: tesla.OpBar, Target: 32},
	}
	require.Equal(t, map[uint32]listing.Mark{8: listing.ByBranch, 16: listing.ByBranch | listing.ByCall, 24: listing.ByBranch}, listing.Targets(ins))
}
