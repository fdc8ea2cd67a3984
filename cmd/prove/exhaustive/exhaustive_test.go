package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const golden = "../../../testdata/vectors/sfu-exhaustive.csv"

// best returns the forms that JACQUARD_SIMD names.
func best(t *testing.T) forms {
	t.Helper()
	f, err := newForms(os.Getenv("JACQUARD_SIMD"))
	require.NoError(t, err)
	return f
}

func TestProgress(t *testing.T) {
	var out strings.Builder
	showProgress(&out, "rcp", 1_000_000_000, 4_000_000_000, 20*time.Second)
	require.Equal(t, eraseLine+"25.0 % rcp: 50 million/s, 1m0s left", out.String())
}

// TestSpread samples a whole run: a few short ranges of inputs of every task that compares two
// forms, and one digest of every function, each of another part.
func TestSpread(t *testing.T) {
	tasks, err := allTasks(golden, best(t))
	require.NoError(t, err)
	digests := 0
	for i, k := range tasks {
		switch {
		case strings.HasPrefix(k.name, "digest "):
			digests++
			if !testing.Short() {
				first := uint32(i*23%256) * chunk
				require.NoError(t, k.check(first, chunk), k.name)
			}
		case k.inputs < words:
			require.NoError(t, k.check(uint32(i)*512, 512), k.name)
		default:
			for part := range uint32(32) {
				require.NoError(t, k.check(part<<27+uint32(i)<<14, 512), k.name)
			}
		}
	}
	require.Equal(t, 11, digests)
}

// Proofs can fail: each kind of task finds a wrong form.
func TestTasksFindErrors(t *testing.T) {
	wrong := unary("wrong", func(d, a *row) { *d = *a; d[7]++ }, func(x uint32) uint32 { return x })
	require.EqualError(t, wrong.check(64, 32), "wrong of 00000047: got 48, want 47")

	tasks, err := digestTasks(golden, best(t))
	require.NoError(t, err)
	require.ErrorContains(t, tasks[0].check(0, 32), "digest from 00000000: got ")

	op := products()[1]
	op.signed = false
	require.EqualError(t, op.task().check(0xffffff00, 512), "int16 mul s16 of ffffff00: got 2feff0100, want 100")
}

func TestDigestFileErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"function,first_input,last_input,sha256\nfrob,00000000,00ffffff,12\n", `:2: unknown function "frob"`},
		{"function,first_input,last_input,sha256\nrcp,00000001,00ffffff,12\n", ":2: want function,first_input,last_input,sha256"},
		{"function,first_input,last_input,sha256\nrcp,00000000,00ffffff,12\n", "1 digests of rcp: want 256"},
	} {
		path := filepath.Join(t.TempDir(), "x.csv")
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		_, err := digestTasks(path, best(t))
		require.ErrorContains(t, err, c.want)
	}
	_, err := digestTasks("none", best(t))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestSelected(t *testing.T) {
	list := func() []task { return []task{{name: "digest rcp"}, {name: "digest sin"}, {name: "cvt"}} }
	require.Len(t, selected(list(), nil), 3)
	require.Len(t, selected(list(), []string{"digest"}), 2)
	require.Empty(t, selected(list(), []string{"frob"}))
}

// An interrupted run continues where it stopped; another program starts again.
func TestState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s, err := openState(path, "one")
	require.NoError(t, err)
	require.NoError(t, s.note("rcp", 3))
	require.NoError(t, s.close())
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("rcp, chunk 4") // truncated
	require.NoError(t, err)
	require.NoError(t, f.Close())

	s, err = openState(path, "one")
	require.NoError(t, err)
	require.True(t, s.has("rcp", 3))
	require.False(t, s.has("rcp", 4))
	require.NoError(t, s.note("sin", 0))
	require.NoError(t, s.close())

	s, err = openState(path, "two")
	require.NoError(t, err)
	require.False(t, s.has("rcp", 3))
	require.NoError(t, s.close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two\n", string(text))
}

func TestWork(t *testing.T) {
	s, err := openState(filepath.Join(t.TempDir(), "state"), "x")
	require.NoError(t, err)
	calls := 0
	tasks := []task{
		{"good", 2*chunk + 32, func(uint32, int) error { calls++; return nil }},
		{"bad", 32, func(uint32, int) error { return errors.New("no") }},
	}
	var shown bytes.Buffer
	results, err := work(tasks, s, 1, &shown)
	require.EqualError(t, err, "bad: no")
	require.Equal(t, 3, calls)
	require.Contains(t, shown.String(), "100.0 % bad")
	require.EqualValues(t, 2*chunk+32, results[0].proved)
	require.Equal(t, 1, results[1].failed)

	results, err = work(tasks[:1], s, 2, io.Discard)
	require.NoError(t, err)
	require.Equal(t, 3, calls)
	var table bytes.Buffer
	report(&table, results)
	require.Equal(t, "task  inputs proved  chunks failed  million/s a core\ngood  33554464       0              -\n", table.String())
}
