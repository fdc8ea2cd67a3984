package ptxrandom

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
)

// JACQUARD_DUMP names a kernel, JACQUARD_ARCH its device: all forms are printed.
func TestDump(t *testing.T) {
	path := os.Getenv("JACQUARD_DUMP")
	if path == "" {
		t.Skip("JACQUARD_DUMP names no kernel")
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	m, err := ptx.Parse(path, text)
	require.NoError(t, err)
	a, _ := strconv.Atoi(os.Getenv("JACQUARD_ARCH"))
	o := compile.Options{Arch: arches[a], Verify: true}
	o.Observe = func(_, pass string, form fmt.Stringer) { fmt.Printf("--- %s\n%s\n", pass, form) }
	_, err = compile.Compile(m, o)
	require.NoError(t, err)
}
