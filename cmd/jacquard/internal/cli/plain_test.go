package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/observe/stats"
)

// hostile is a name that sets a terminal's title, moves its cursor, adds lines and reverses text.
const hostile = "k\x1b[31mred\x1b]0;title\x07\rfine\nall fine\t\u009b2J\u202eevil\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufeff\U000e0041<b>\x7f"

// requirePlain fails unless a terminal shows text as it is.
func requirePlain(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		if r == unicode.ReplacementChar || r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf) {
			t.Fatalf("%s: %q in %.200q", what, r, text[max(0, i-100):])
		}
	}
	if i := strings.Index(text, "\nall fine"); i >= 0 {
		t.Errorf("%s: the name makes a line: %.200q", what, text[max(0, i-100):])
	}
}

// hostileCubin is a cubin whose kernel, variables and textures have that name.
func hostileCubin(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(kernel("vecadd", "sm_13.cubin"))
	require.NoError(t, err)
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	img.Kernels[0].Name = hostile
	for i := range 4 {
		img.Kernels[0].Params = append(img.Kernels[0].Params, cubin.Param{Offset: 4 * i, Size: 4})
	}
	img.Constants = append(img.Constants, cubin.Variable{Name: hostile + "c", Bytes: 4})
	img.Samplers = append(img.Samplers, cubin.Sampler{Name: hostile + "t", Unit: -1})
	img.Kernels[0].Lines = []cubin.Line{{File: hostile, Line: 1}}
	return temporary(t, "hostile.cubin", string(cubintest.ELF{}.Write(img)))
}

// No name of a file reaches a terminal as it is, whatever the command.
func TestHostileNames(t *testing.T) {
	file := hostileCubin(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	launch := []string{"--grid", "4", "--block", "64", "--arg", "buf:1k", "--arg", "buf:1k", "--arg", "buf:1k:name=" + hostile, "--arg", "u32:256"}
	run := func(more ...string) []string {
		return append(append([]string{"run", file, hostile}, launch...), more...)
	}

	commands := [][]string{
		{"info", file}, {"info", "--opcodes", file}, {"info", "--exactness", file}, {"info", "--json", file},
		{"info", "--cfg", in("x.svg"), file}, {"info", "--cfg", in("x.dot"), file},
		{"compile", file, "-o", "-"}, {"compile", temporary(t, "hostile.ptx", hostile), "-v"}, {"compile", hostile, "-v"},
		{"dis", file}, {"dis", "--syntax", "sass", file}, {"dis", "--kernel", hostile + "x", file},
		run("--stats", in("s.json"), "--trace", in("t.jqt:values=all"), "--record", in("b.jqb"), "--log", "info"),
		run("--json"), run("--print", hostile), run("--print", hostile+"x"), run("--stats", in(hostile)),
		{"run", file, hostile + "x"}, {"run", hostile, "k"},
		append(append([]string{"compare", file, hostile}, launch...), "--policies", "nvidia,pdom"),
		{"stats", in("s.json")}, {"stats", in("s.json"), "--csv"}, {"stats", in("s.json"), "--json"}, {"stats", in("s.json"), "--table3"},
		{"stats", "--table3", in("s.json")}, {"stats", in("s.json"), "--against", in("s.json")}, {"stats", "--by", hostile, in("s.json")},
		{"report", in("s.json"), "--trace", in("t.jqt"), "-o", in("r.html")}, {"report", in("s.json"), "--kernel", hostile + "x"},
		{"trace", "show", in("t.jqt")}, {"trace", "show", "--launches", in("t.jqt")}, {"trace", "filter", in("t.jqt"), "-o", in("f.jqt"), "--warp", "0"},
		{"trace", "diff", in("t.jqt"), in("f.jqt")}, {"trace", "export", in("t.jqt"), "-o", in("c.json")}, {"trace", "show", in(hostile)},
		{"trace", "show", in("t.jqt"), "--op", hostile},
		{"info", in("b.jqb")}, {"info", "--json", in("b.jqb")}, {"replay", in("b.jqb")}, {"replay", "--json", in("b.jqb")}, {"replay", in(hostile)},
		{"exec", "--", hostile}, {"record", "--", hostile}, {"crosscheck", "--", hostile}, {"doctor", hostile},
		{"probe", hostile}, {"probe", "--compare", hostile}, {"verify", hostile}, {"bench", hostile}, {"policies", hostile}, {hostile}, {"info", "--" + hostile},
	}
	for _, by := range []string{"launch", "class", "op", "instruction", "exactness", "program"} {
		commands = append(commands, []string{"stats", in("s.json"), "--by", by})
	}
	commands = append(commands, []string{"stats", in("s.json"), "--by", "instruction", "--csv"})
	named, ran := 0, 0
	for _, args := range commands {
		a := jacquard(args...)
		what := strings.Join(args[:min(2, len(args))], " ")
		if a.status == 0 {
			ran++
		}
		requirePlain(t, what+", standard output", a.out)
		requirePlain(t, what+", standard error", a.err)
		if strings.Contains(a.out+a.err, `\u001b[31mred\u001b]0;title\u0007`) {
			named++
		}
	}
	require.Greater(t, named, 25, "commands that print the name")
	require.Greater(t, ran, 28, "commands that do what they are asked for")
	for _, name := range []string{"x.svg", "x.dot", "r.html"} {
		data, err := os.ReadFile(in(name))
		require.NoError(t, err)
		require.Contains(t, string(data), `\u202e`)
		requirePlain(t, name, strings.ReplaceAll(string(data), "\nall fine", ""))
	}

	// Programs have the name as it is.
	var info struct{ Kernels []struct{ Name string } }
	require.NoError(t, json.Unmarshal([]byte(fine(t, "info", "--json", file)), &info))
	require.Equal(t, hostile, info.Kernels[0].Name)
	var row struct{ Kernel string }
	require.NoError(t, json.Unmarshal([]byte(fine(t, "stats", "--json", in("s.json"))), &row))
	require.Equal(t, hostile, row.Kernel)
	r, err := stats.Load(in("s.json"))
	require.NoError(t, err)
	require.Equal(t, hostile, r.Kernels[0].Name)
}
