package host_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/host"
)

// build compiles the program, or skips the test where there is no C compiler.
func build(t *testing.T) *host.Host {
	t.Helper()
	h, err := host.Build()
	if e := (*host.CompilerError)(nil); errors.As(err, &e) {
		t.Skip(e)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

func TestOperations(t *testing.T) {
	ops, err := build(t).Operations()
	require.NoError(t, err)
	require.Equal(t, "add", ops[0].Name)
	for _, op := range ops {
		require.Positive(t, op.Fastest, op.Name)
		require.Positive(t, op.Plain, op.Name)
	}
}

func TestRun(t *testing.T) {
	words := func(w ...uint32) (b []byte) {
		for _, x := range w {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	seconds, after, err := build(t).Run("collatz", [][]byte{words(1, 2, 3, 27), make([]byte, 16)}, []uint32{4})
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, 0.0)
	require.Equal(t, words(1, 2, 3, 27), after[0])
	require.Equal(t, words(0, 1, 7, 111), after[1])
}

func TestRunErrors(t *testing.T) {
	h := build(t)
	_, _, err := h.Run("frob", nil, nil)
	require.EqualError(t, err, "frob on the host: exit status 2: host: no such kernel, or not its parameters")
	_, _, err = h.Run("collatz", [][]byte{{}}, nil)
	require.ErrorContains(t, err, "exit status 2")
}

func TestNoCompiler(t *testing.T) {
	t.Setenv("CC", "no-such-compiler")
	_, err := host.Build()
	require.ErrorContains(t, err, "no C compiler to compare the host with (no-such-compiler -O")
	require.ErrorContains(t, err, "): install one, or name it in CC")
}

func TestCompilerFails(t *testing.T) {
	t.Setenv("CC", "false")
	_, err := host.Build()
	require.ErrorContains(t, err, "exit status 1")
}
