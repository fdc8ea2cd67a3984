package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/bundle"
)

// A bundle of a program with much memory, most of it zeros, is small. It is read if the user allows
// the memory.
func TestBundleMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jqb")
	out, err := os.Create(path)
	require.NoError(t, err)
	r, err := bundle.NewRecorder(out, bundle.Options{}, nil)
	require.NoError(t, err)
	k := &bundle.Kernel{Module: &bundle.Module{Image: []byte("image"), Arch: "sm_13"}, Name: "k"}
	memory := []*bundle.Object{{Kind: bundle.Allocation, Address: 0x1000, Bytes: make([]byte, 100<<20)}}
	r.Begin(&bundle.Launch{Kernel: k, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Memory: memory}).End(memory, bundle.Outcome{Result: bundle.Success})
	require.NoError(t, r.Close())

	for _, command := range []string{"info", "replay"} {
		a := jacquard(command, path)
		require.Equal(t, 1, a.status)
		require.Regexp(t, `^jacquard: `+path+`: bundle: offset .*: object 0 of 104857600 bytes: more than the 100663296 bytes that memory may have: --memory allows more\n$`, a.err)
		require.Equal(t, 2, jacquard(command, path, "--memory", "-1").status)
	}
	require.Contains(t, fine(t, "info", "--memory", "101", path), "1 launch, up to 104857600 bytes of memory")
}
