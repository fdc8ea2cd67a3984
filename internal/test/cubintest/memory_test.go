package cubintest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
)

// Package cubin finds the entries of every version of the struct, with pointers of both sizes.
func TestStruct(t *testing.T) {
	for version := 1; version <= 4; version++ {
		want := []cubintest.Entry{{Container: cubin.PTX, Arch: 10, Data: []byte(".version 1.4")}}
		if version < 4 {
			want = append(want, cubintest.Entry{Container: cubin.Text, Arch: 11, Data: []byte("architecture {sm_11}")})
		} else {
			want = append(want,
				cubintest.Entry{Container: cubin.ELF, Arch: 11, Data: []byte("\x7fELF one")},
				cubintest.Entry{Container: cubin.ELF, Arch: 13, Data: []byte("\x7fELF another")})
		}
		for _, word := range []int{4, 8} {
			memory := &cubintest.Memory{Word: word}
			contents, err := cubin.Open(memory.Cubin(), memory.Struct(version, "a.cu", want...))
			require.NoError(t, err, "version %d, pointers of %d bytes", version, word)
			var got []cubintest.Entry
			for _, e := range contents.Entries {
				data, err := e.Data()
				require.NoError(t, err)
				got = append(got, cubintest.Entry{Container: e.Container, Arch: e.Arch, Data: data})
			}
			require.ElementsMatch(t, want, got, "version %d, pointers of %d bytes", version, word)
		}
	}
}
