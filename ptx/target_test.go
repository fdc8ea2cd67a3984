package ptx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Targets keep their suffixes; the last one counts.
func TestTargets(t *testing.T) {
	for text, want := range map[string]Target{
		"sm_90a":                        {Arch: 90, Suffix: "a"},
		"sm_100f, debug":                {Arch: 100, Suffix: "f", Options: []string{"debug"}},
		"sm_121, texmode_independent":   {Arch: 121, Options: []string{"texmode_independent"}},
		"compute_53":                    {Arch: 53},
		"sm_120a, sm_20":                {Arch: 20},
		"sm_13, map_f64_to_f32":         {Arch: 13, MapF64: true},
		"texmode_unified, sm_88, sm_11": {Arch: 11, Options: []string{"texmode_unified"}},
	} {
		m, err := Parse("", []byte(".version 9.7\n.target "+text+"\n"))
		require.NoError(t, err, text)
		require.Equal(t, want, m.Target, text)
	}
}
