package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// add is the smallest kernel.
func add() kernel {
	return rowwise("Add", 2, simple(func(f *function, x []vec) vec { return f.add(x[0], x[1]) }))
}

func printed(l level, k kernel) string {
	d := newData()
	var text bytes.Buffer
	newFunction(l, &k, d).print(&text)
	d.print(&text)
	return text.String()
}

func TestFunction(t *testing.T) {
	text := printed(avx512, add())
	require.True(t, strings.HasPrefix(text, "\n// func addAVX512(d Rows, a Rows, b Rows, s *Sel)\nTEXT ·addAVX512(SB), NOSPLIT, $0-56\n\tMOVQ         s+48(FP), SI\n"), text)
	require.Contains(t, text, "\tVPADDD       Z1, Z0, Z2\n")
	require.Contains(t, text, "\tKMOVD        28(SI)(BX*4), K1\n")
	require.True(t, strings.HasSuffix(text, "\ndone:\n\tVZEROUPPER\n\tRET\n"), text)

	text = printed(avx2, add())
	require.Contains(t, text, "\tVPADDD       Y1, Y0, Y2\n")
	require.Contains(t, text, "\tVPBLENDVB    Y5, Y2, Y3, Y3\n")
	require.Contains(t, text, "GLOBL laneBits<>(SB), RODATA|NOPTR, $32\n")
	require.NotContains(t, text, "Z1")
}

func TestRegistersAreGivenBack(t *testing.T) {
	f := &function{level: avx2, constants: map[uint32]vec{}, kernel: &kernel{}}
	c := f.constant(7)
	require.Equal(t, c, f.constant(7))
	f.scope(func() {
		for range 15 {
			f.vec()
		}
	})
	require.Equal(t, vec(1), f.vec())
	m := f.keep(func() mask { f.vec(); return f.mask() })
	require.Equal(t, mask(3), m)
	require.Equal(t, vec(2), f.vec())
}

// Both instruction sets have the same kernels, and no name occurs twice.
func TestFamilies(t *testing.T) {
	seen := map[string]bool{}
	for _, family := range families() {
		require.NotEmpty(t, family.kernels, family.name)
		for _, k := range family.kernels {
			require.False(t, seen[k.name], k.name)
			seen[k.name] = true
		}
	}
}
