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
	a := jacquard(append([]string{"exec", "--stats", folder + "/%p.json", "--trace", folder}, program...)...)
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

// A file that a command reads is none that it writes, and each file is written once.
func TestOutputsAreNoInputs(t *testing.T) {
	dir := simulator(t)
	program := filepath.Join(t.TempDir(), "vectoradd")
	data, err := os.ReadFile(filepath.Join(dir, "vectoradd"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, data, 0o777))
	cubin, err := os.ReadFile(kernel("vecadd", "sm_10.cubin"))
	require.NoError(t, err)
	folder := t.TempDir()
	t.Chdir(folder)
	in := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, os.WriteFile("k.cubin", cubin, 0o666))
	kernel := func(command string, more ...string) []string {
		return append([]string{command, "k.cubin", "--grid", "4", "--block", "64",
			"--arg", "buf:1k", "--arg", "buf:1k", "--arg", "buf:1k:name=sum", "--arg", "u32:256"}, more...)
	}
	a := jacquard(kernel("run", "--stats", in("s.json"), "--trace", in("t.jqt"), "--record", in("b.jqb"), "--dump", "sum=d")...)
	require.Zero(t, a.status, a.err)
	require.NoError(t, os.WriteFile("x.s", []byte(fine(t, "dis", "k.cubin")), 0o666))
	before := contents(t, folder)
	for _, args := range [][]string{
		kernel("run", "--trace", "k.cubin"), kernel("run", "--record", "k.cubin"), kernel("run", "--dump", "sum=k.cubin"),
		kernel("run", "--dump", "sum=d", "--expect", "sum=d"), kernel("run", "--dump", "sum=new", "--dump", "arg0=./new"),
		kernel("run", "--trace", "new", "--record", "new"), kernel("run", "--trace", "new", "--dump", "sum=new"),
		kernel("compare", "--policies", "nvidia", "--svg", "k.cubin"), kernel("compare", "--policies", "nvidia", "--svg", "new", "--html", in("new")),
		{"replay", "b.jqb", "--trace", "b.jqb"}, {"replay", "b.jqb", "--summary", "b.jqb"}, {"replay", "b.jqb", "--save", "b.jqb"},
		{"replay", "b.jqb", "--save", "new", "--trace", "new"},
		{"report", "s.json", "-o", "s.json"}, {"report", "s.json", "--trace", "t.jqt", "-o", "t.jqt"},
		{"trace", "filter", "t.jqt", "-o", "t.jqt"}, {"trace", "play", "t.jqt", "-o", "./t.jqt"}, {"trace", "export", "t.jqt", "--to", "chrome", "-o", "t.jqt"},
		{"asm", "x.s", "-o", "x.s"}, {"info", "--cfg", "k.cubin", "k.cubin"},
		{"stats", "--table3", "s.json", "-o", "s.json"},
	} {
		a := jacquard(args...)
		require.Equal(t, 2, a.status, "%q: %s", args, a.err)
		require.Regexp(t, "is a file that is read: name another|are one file, .*: name two", a.err, "%q", args)
	}
	require.NoError(t, os.WriteFile("in.json", nil, 0o666))
	before["in.json"] = ""
	filled := func(command string, more ...string) []string {
		return append([]string{command, "k.cubin", "--block", "64", "--arg", "buf:256:file=in.json:name=in", "--arg", "buf:256", "--arg", "buf:256", "--arg", "u32:64"}, more...)
	}
	for _, flag := range []string{"--trace", "--record", "--stats", "--progress"} {
		a := jacquard(filled("run", flag, "in.json")...)
		require.Equal(t, answer{2, "", "jacquard: " + flag + " \"in.json\" is a file that is read: name another\n"}, a)
	}
	a = jacquard(filled("compare", "--policies", "nvidia", "--html", "in.json")...)
	require.Equal(t, answer{2, "", "jacquard: --html \"in.json\" is a file that is read: name another\n"}, a)
	a = jacquard(kernel("run", "--trace", "-")...)
	require.Equal(t, answer{2, "", "jacquard: --trace -: want a file: standard output is for other text\n"}, a)
	for _, flag := range []string{"--trace", "--record", "--summary"} {
		a := jacquard("exec", flag, program, "--lib", dir, "--", program)
		require.Equal(t, answer{125, "", "jacquard: " + flag + ` "` + program + "\" is a file that is read: name another\n"}, a)
	}
	a = jacquard("exec", "--stats", "new.json", "--summary", "new.json", "--lib", dir, "--", program)
	require.Equal(t, answer{125, "", "jacquard: --summary and --stats are one file, \"new.json\": name two\n"}, a)
	require.Equal(t, before, contents(t, folder))
}

// Where -o is "-", the file goes to standard output and anything else to standard error.
func TestStandardOutput(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	a := jacquard(vecadd("--stats", in("s.json"), "--trace", in("t.jqt"))...)
	require.Zero(t, a.status, a.err)
	vectors := temporary(t, "v.csv", "op,mods,a,b,c,cc_in,r,cc_out,r2\nadd,b32,ffffffff,00000001,,,00000000,,\n")
	t.Chdir(folder)
	for _, c := range []struct {
		args []string
		err  string
	}{
		{[]string{"report", "s.json"}, "-: "},
		{[]string{"trace", "play", "t.jqt"}, ""},
		{[]string{"trace", "filter", "t.jqt"}, ""},
		{[]string{"trace", "export", "t.jqt", "--to", "parquet"}, ""},
		{[]string{"probe", "--vectors", vectors}, "1 rows: 1 as wanted"},
	} {
		require.Zero(t, jacquard(append(c.args, "-o", "file")...).status, c.args)
		want, err := os.ReadFile("file")
		require.NoError(t, err)
		a := jacquard(append(c.args, "-o", "-")...)
		require.Zero(t, a.status, a.err)
		require.Equal(t, string(want), a.out, c.args)
		require.True(t, strings.HasPrefix(a.err, c.err), a.err)
		require.NoFileExists(t, "-")
	}
}

// Where a drawing, a page or a buffer goes to standard output, the table goes to standard error.
func TestNothingBesideContent(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	compare := func(flag, path string) answer {
		return jacquard("compare", "--test", kernel("vecadd", "test.json"), "--arch", "sm_13", "--policies", "nvidia", flag, path)
	}
	for flag, name := range map[string]string{"--svg": "x.svg", "--html": "x.html"} {
		table := compare(flag, in(name))
		require.Zero(t, table.status, table.err)
		content, err := os.ReadFile(in(name))
		require.NoError(t, err)
		require.Equal(t, answer{0, string(content), table.out}, compare(flag, "-"))
	}
	a := jacquard(vecadd("--dump", "sum=-")...)
	require.Zero(t, a.status)
	require.Equal(t, strings.Repeat("\x00\x00\x40\x40", 256), a.out)
	require.Contains(t, a.err, "vecadd")
}

// contents returns the files of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(folder)
	require.NoError(t, err)
	files := map[string]string{}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(data)
	}
	return files
}
