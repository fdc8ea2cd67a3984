package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The generated files in the tree are up to date with the description.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	for pkg, dir := range map[string]string{"tesla": "../../../tesla", "decoder": "../../../decoder"} {
		out := t.TempDir()
		require.NoError(t, run("../../../tesla/isa/opcode", pkg, out))
		made, err := filepath.Glob(filepath.Join(out, "*"))
		require.NoError(t, err)
		require.NotEmpty(t, made)
		for _, path := range made {
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			got, err := os.ReadFile(filepath.Join(dir, filepath.Base(path)))
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "%s is out of date: run go generate", filepath.Base(path))
		}
		found, err := filepath.Glob(filepath.Join(dir, "*_gen.go"))
		require.NoError(t, err)
		require.Len(t, found, len(made), "generated files that the generator does not make")
	}
}

func TestPagesAreCurrent(t *testing.T) {
	out := t.TempDir()
	require.NoError(t, run("../../../tesla/isa/opcode", "docs", out))
	for _, page := range []string{"exactness.md", "isa/forms.md"} {
		want, err := os.ReadFile(filepath.Join(out, page))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("../../../docs", page))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "run go generate")
	}
}

func TestRunErrors(t *testing.T) {
	require.ErrorContains(t, run("../../../tesla/isa/opcode", "cubin", t.TempDir()), `unknown package "cubin"`)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.isa"), []byte("field a w0.3\n"), 0o644))
	require.ErrorContains(t, run(dir, "tesla", t.TempDir()), "x.isa:1: field a is not used")
	description := `field len w0.31-0
field v w1.31-0
format long 8 len=1
mod colour Colour number print=hex
form A long
	op   Nop
	text nop {colour@v}
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.isa"), []byte(description), 0o644))
	require.ErrorContains(t, run(dir, "tesla", t.TempDir()), `x.isa:4: unknown member "Colour"`)
}
