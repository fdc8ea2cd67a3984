package bundle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/bundle"
)

// The text of options parses to the same options.
func TestOptionsAsText(t *testing.T) {
	for text, o := range map[string]bundle.Options{
		"":                         {},
		"launches=1":               {Launches: 1},
		"kernel=k":                 {Kernels: []string{"k"}},
		"kernel=a+b,launches=1":    {Kernels: []string{"a", "b"}, Launches: 1},
		"kernel=a+b+c,launches=12": {Kernels: []string{"a", "b", "c"}, Launches: 12},
	} {
		require.Equal(t, text, o.String())
		path := "x.jqb"
		if text != "" {
			path += ":" + text
		}
		file, again, err := bundle.ParsePath(path)
		require.NoError(t, err)
		require.Equal(t, "x.jqb", file)
		require.Equal(t, o, again)
	}
	file, o, err := bundle.ParsePath("r:2.jqb:")
	require.NoError(t, err)
	require.Equal(t, "r:2.jqb", file)
	require.Zero(t, o)
}
