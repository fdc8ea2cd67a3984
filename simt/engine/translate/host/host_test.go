package host

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/translate/hostcode"
)

func TestFind(t *testing.T) {
	refused := &hostcode.MemoryError{Step: "protect", Size: 1, Err: errors.New("permission denied")}
	for _, c := range []struct {
		name, best string
		refused    error
		want, err  string
	}{
		{"", AVX512, nil, AVX512, ""},
		{"", AVX2, nil, AVX2, ""},
		{"", Off, nil, Off, ""},
		{"", AVX512, refused, Off, ""},
		{Off, AVX512, nil, Off, ""},
		{Off, AVX512, refused, Off, ""},
		{AVX2, AVX512, nil, AVX2, ""},
		{AVX512, AVX512, nil, AVX512, ""},
		{AVX512, AVX2, nil, "", "this processor cannot run avx512: the most it can is avx2"},
		{AVX512, AVX2, refused, "", "this processor cannot run avx512: the most it can is avx2"},
		{AVX2, Off, nil, "", "this processor cannot run avx2: the most it can is off"},
		{AVX2, AVX2, refused, "", "no code for avx2 can be made at run time: protect 1 bytes of executable memory: permission denied"},
		{"sse", AVX2, nil, "", `unknown SIMD setting "sse": want off, avx2 or avx512`},
	} {
		got, err := find(c.name, c.best, c.refused)
		require.Equal(t, c.want, got, c)
		if c.err == "" {
			require.NoError(t, err, c)
		} else {
			require.EqualError(t, err, c.err)
		}
	}
	_, err := find(AVX2, AVX2, refused)
	require.ErrorIs(t, err, refused)
}

func TestNames(t *testing.T) {
	list := Names()
	require.Equal(t, names[:len(list)], list)
	require.Equal(t, len(list) == 1, Lacking() != nil)
	require.True(t, Lacking() != nil || slices.Contains(list, best))
}

// Tests compute with the instructions that "make matrix" asks for: the linker gives no error for a
// name without a variable.
func TestMatrix(t *testing.T) {
	name, err := Find("")
	require.NoError(t, err)
	list := Names()
	require.Equal(t, cmp.Or(os.Getenv("JACQUARD_MATRIX"), list[len(list)-1]), name)
}
