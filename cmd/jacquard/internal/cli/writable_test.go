package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// outputs are the flags of files that a run writes, with the words for the files.
var outputs = []struct{ flag, name, words string }{
	{"--stats", "s.json", "statistics"},
	{"--stats", "s.csv:tags", "statistics"},
	{"--trace", "t.jqt:values=all", "the trace"},
	{"--record", "b.jqb", "the bundle"},
}

// What cannot be written is said before anything runs.
func TestOutputsAreCheckedFirst(t *testing.T) {
	dir := simulator(t)
	folder := t.TempDir()
	ran := filepath.Join(folder, "ran")
	program := []string{"--lib", dir, "--", "/bin/sh", "-c", "echo yes >" + ran}
	for _, o := range outputs {
		want := "jacquard: " + o.words + " cannot be written: open /nonexistent/"
		a := jacquard(append([]string{"exec", o.flag, "/nonexistent/" + o.name}, program...)...)
		require.Equal(t, 125, a.status, o.flag)
		require.Contains(t, a.err, want)
		a = jacquard(vecadd(o.flag, "/nonexistent/"+o.name)...)
		require.Equal(t, 1, a.status, o.flag)
		require.Contains(t, a.err, want)
	}
	a := jacquard(append([]string{"exec", "--stats", "barra:/nonexistent/x"}, program...)...)
	require.Equal(t, 125, a.status)
	require.Contains(t, a.err, "jacquard: statistics cannot be written: stat /nonexistent: no such file or directory: the folder must be there\n")
	a = jacquard(append([]string{"exec", "--stats", folder + "/%p.json", "--trace", folder}, program...)...)
	require.Equal(t, answer{125, "", "jacquard: the trace cannot be written: open " + folder + ": is a directory\n"}, a)
	a = jacquard(append([]string{"record", "-o", "/nonexistent/b.jqb"}, program...)...)
	require.Equal(t, answer{125, "", "jacquard: the bundle cannot be written: open /nonexistent/b.jqb: no such file or directory\n"}, a)
	a = jacquard(append([]string{"crosscheck", "--against", filepath.Join(dir, "libcuda.so.1"), "--stats", "/nonexistent/s.json"}, program...)...)
	require.Equal(t, answer{1, "", "jacquard: statistics cannot be written: open /nonexistent/s.json: no such file or directory\n"}, a)
	t.Setenv("JACQUARD_TRACE", "/nonexistent/t.jqt")
	a = jacquard(append([]string{"exec"}, program...)...)
	require.Equal(t, answer{125, "", "jacquard: the trace cannot be written: open /nonexistent/t.jqt: no such file or directory\n"}, a)
	t.Setenv("JACQUARD_TRACE", "")
	require.NoFileExists(t, ran)

	a = jacquard(vecadd("--dump", "sum=/nonexistent/sum")...)
	require.Equal(t, answer{1, "", "jacquard: buffer sum cannot be written: open /nonexistent/sum: no such file or directory\n"}, a)
	a = jacquard("compare", "--svg", "/nonexistent/x.svg", "--test", kernel("vecadd", "test.json"))
	require.Equal(t, answer{1, "", "jacquard: the drawing cannot be written: open /nonexistent/x.svg: no such file or directory\n"}, a)
	a = jacquard("probe", "--op", "fmul rz", "-o", "/nonexistent/x.csv", "3f800001", "3f800001")
	require.Equal(t, answer{1, "", "jacquard: the answers cannot be written: open /nonexistent/x.csv: no such file or directory\n"}, a)
}

// A run that does not begin leaves the files that are there as they are, and makes none.
func TestFilesOfARunThatDoesNotBegin(t *testing.T) {
	dir := simulator(t)
	folder := t.TempDir()
	earlier := filepath.Join(folder, "earlier.jqb")
	require.Zero(t, jacquard(vecadd("--record", earlier)...).status)
	bundle, err := os.ReadFile(earlier)
	require.NoError(t, err)
	for _, o := range outputs {
		path := filepath.Join(folder, o.name)
		name, _, _ := strings.Cut(path, ":")
		text := bundle // what each keeps: whatever is there, and a bundle is replaced otherwise
		require.NoError(t, os.WriteFile(name, text, 0o666))
		statistics := filepath.Join(folder, "s.json")
		require.NoError(t, os.WriteFile(statistics, text, 0o666))
		for _, args := range [][]string{
			{"run", kernel("vecadd", "sm_10.cubin"), "none", o.flag, path},
			{"run", kernel("vecadd", "sm_10.cubin"), "--arg", "u64:1", "--arg", "u64:1", "--arg", "u64:1", o.flag, path},
			{"run", kernel("daxpy", "sm_13.cubin"), "--device", "8800gtx", o.flag, path},
			vecadd("--block", "513", o.flag, path),
			vecadd("--grid", "65536", o.flag, path),
			vecadd("--shared", "16384", o.flag, path),
			append(vecadd(o.flag, path), slices.Repeat([]string{"--arg", "u64:1"}, 40)...),
			{"run", "--test", kernel("calls", "test.json"), "--arch", "sm_13", "--policy", "chap", o.flag, path},
			{"run", "--test", kernel("calls", "test.json"), "--policy", "chap", "--stats", statistics},
			append([]string{"compare", "--stats", statistics}, vecadd("--block", "513")[1:]...),
			{"compare", "--stats", statistics, "--policies", "chap", "--test", kernel("calls", "test.json")},
			{"exec", o.flag, path, "--lib", dir, "--", "/bin/sh/none"},
			{"exec", o.flag, path, "--lib", dir, "--", temporary(t, "program", "none")},
		} {
			a := jacquard(args...)
			require.NotZero(t, a.status, args)
			now, err := os.ReadFile(name)
			require.NoError(t, err, args)
			require.Equal(t, text, now, args)
			now, err = os.ReadFile(statistics)
			require.NoError(t, err, args)
			require.Equal(t, text, now, args)
		}
		require.NoError(t, os.Remove(statistics))
		if name != statistics {
			require.NoError(t, os.Remove(name))
		}
	}
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 1, "the bundle of before alone")
}
