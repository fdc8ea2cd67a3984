package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInfoDraws(t *testing.T) {
	file := kernel("collatz", "sm_13.cubin")
	for name, want := range map[string]string{"x.svg": "<svg ", "y.DOT": "digraph "} {
		out := filepath.Join(t.TempDir(), name)
		require.Equal(t, fine(t, "info", file), fine(t, "info", "--cfg", out, file), "what it says does not change")
		picture, err := os.ReadFile(out)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(picture), want), string(picture[:20]))
		require.Contains(t, string(picture), "collatz")
	}
}

func TestInfoDrawsNothing(t *testing.T) {
	require.Equal(t, answer{2, "", `jacquard: --cfg "x.png": want a name that ends in .svg or .dot` + "\n"},
		jacquard("info", "--cfg", "x.png", kernel("collatz", "sm_13.cubin")))
}
