package asm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/tesla"
)

// Addresses in initial contents survive a listing.
func TestPointers(t *testing.T) {
	want := &cubin.Image{Arch: tesla.SM10, Pointer: 8,
		Globals:  []cubin.Global{{Name: "x", Bytes: 4}, {Name: "a b", Bytes: 8, Init: make([]byte, 8)}},
		Pointers: []cubin.Pointer{{In: -1, Offset: 4, Of: 1}, {In: 1, Offset: 0, Of: 0}}}
	var text strings.Builder
	w := asm.Writer{Syntax: asm.Envy}
	require.NoError(t, w.Head(&text, want.Arch, want))
	require.Contains(t, text.String(), ".pointer x offset=0 in=\"a b\"\n")
	got, err := asm.Read(text.String())
	require.NoError(t, err)
	require.Equal(t, want.Pointers, got.Pointers)
	_, err = asm.Read(".module sm_10\n.pointer y offset=0\n")
	require.ErrorContains(t, err, "there is no .global y further up")
}
