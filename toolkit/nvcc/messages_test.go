package nvcc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMessages(t *testing.T) {
	for text, want := range map[string]string{
		"k.cu:1:2: error: no\n1 error generated when compiling for sm_20.\n": "k.cu:1:2: error: no\n1 error generated.\n",
		"2 warnings generated when compiling for host.\n":                    "2 warnings generated.\n",
		"1 warning and 2 errors generated when compiling for sm_75.\n":       "1 warning and 2 errors generated.\n",
		"error: this is generated when compiling for sm_20. Do not edit\n":   "error: this is generated when compiling for sm_20. Do not edit\n",
		"no end": "no end",
	} {
		for size := 1; size <= len(text); size += 7 { // of one write
			var out bytes.Buffer
			m := &messages{out: &out}
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				_, err := m.Write(rest[:n])
				require.NoError(t, err)
				rest = rest[n:]
			}
			m.flush()
			require.Equal(t, want, out.String())
		}
	}
}

// The user has not asked for the target that clang names.
func TestTargetIsNotNamed(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", "__global__ void k() { mistake; }\n")
	var out bytes.Buffer
	require.Error(t, Run(toolkit, []string{"-c", "k.cu"}, &out, &out))
	require.Contains(t, out.String(), "k.cu:1:23: error: ")
	require.NotContains(t, out.String(), "sm_20")
}
