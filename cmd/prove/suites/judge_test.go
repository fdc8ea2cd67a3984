package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// compiler replaces nvcc: its programs are shell scripts, and "error" in a script is an error.
const compiler = `#!/bin/sh
for word; do
	[ "$last" = -o ] && out=$word
	case $word in *.cu) in=$word;; esac
	last=$word
done
grep -q error "$in" && { echo "/tmp/nvcc-12/$in:1:2: error: no"; exit 1; }
[ -z "$out" ] && exit # -c
cp "$in" "$out" && chmod +x "$out"
`

// launches is the part of a script that launches a kernel, unless kernels do nothing.
const launches = `#!/bin/sh
real=1
case $LD_PRELOAD in *empty.so*) real=;; esac
[ $real ] && echo '{"event":"launch","warp_instructions":5}' > $JACQUARD_SUMMARY
`

// scripts makes a setup and a suite of scripts.
func scripts(t *testing.T, programs map[string]string) (*setup, *suite) {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		require.NoError(t, write(dir, name, text))
		require.NoError(t, os.Chmod(filepath.Join(dir, name), 0o777))
	}
	put("toolkit/bin/nvcc", compiler)
	put("lib/libcuda.so.1", "")
	for name, text := range programs {
		put("suite/"+name+".cu", launches+text)
	}
	s, err := newSetup(filepath.Join(dir, "toolkit"), filepath.Join(dir, "lib"), filepath.Join(dir, "work"), time.Minute)
	require.NoError(t, err)
	return s, &suite{name: "scripts", folder: filepath.Join(dir, "suite")}
}

// script is a program of such a suite.
func script(name string, p proof) *program {
	return &program{name: name, required: true, sources: []string{name + ".cu"}, proof: p}
}

func TestJudge(t *testing.T) {
	s, in := scripts(t, map[string]string{
		"good":     "[ $real ] && echo PASSED || echo FAILED",
		"trusting": "echo PASSED",
		"crash":    "exit 3",
		"broken":   "error",
		"direct":   `echo '{"event":"launch"}' > $JACQUARD_SUMMARY; echo PASSED`,
	})
	in.programs = []*program{script("good", verdict()), script("trusting", verdict()), script("crash", says("x")),
		script("broken", verdict()), script("good", compiles()), script("direct", verdict())}
	s.control = true
	var b strings.Builder
	require.EqualError(t, s.judge(t.Context(), &b, []*suite{in}, nil), "not passed: trusting crash broken direct")
	var cells [][]string
	for line := range strings.Lines(strings.TrimPrefix(b.String(), header)) {
		if parts := strings.Split(line, " | "); len(parts) == 9 {
			cells = append(cells, append(append([]string{}, parts[3:6]...), parts[7], strings.Trim(parts[8], "| \n")))
		}
	}
	require.Equal(t, [][]string{
		{"passed", "1", "5", "rejected: its own check fails", ""},
		{"**failed**", "1", "5", "accepted", "its proof accepts kernels that do nothing"},
		{"**failed**", "1", "5", "", "exit status 3"},
		{"**failed**", "", "", "", "does not compile: broken.cu:1:2: error: no"},
		{"passed", "", "", "", ""},
		{"**failed**", "1", "0", "", "the control does not reach its launches"},
	}, cells)
}

// A page keeps the rows of programs that were not run.
func TestPage(t *testing.T) {
	s, in := scripts(t, map[string]string{"a": "echo PASSED", "b": "echo PASSED"})
	in.programs = []*program{script("a", verdict()), script("b", verdict())}
	s.page = filepath.Join(t.TempDir(), "page.md")
	require.Error(t, s.judge(t.Context(), &strings.Builder{}, []*suite{in}, []string{"b"}), "there is no page")
	require.NoError(t, os.WriteFile(s.page, []byte("before\n<!-- figures of scripts -->\n<!-- end -->\nafter\n"), 0o666))
	for _, step := range []struct{ program, rows string }{{"b", "`b`"}, {"a", "`a``b`"}, {"a", "`a``b`"}} {
		require.NoError(t, s.judge(t.Context(), &strings.Builder{}, []*suite{in}, []string{step.program}))
		text, err := os.ReadFile(s.page)
		require.NoError(t, err)
		var rows strings.Builder
		for line := range strings.Lines(string(text)) {
			if name, ok := rowName(line); ok {
				rows.WriteString("`" + name + "`")
			}
		}
		require.Equal(t, step.rows, rows.String())
	}
	text, err := os.ReadFile(s.page)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "before\n") && strings.HasSuffix(string(text), "after\n"))
	require.Contains(t, string(text), "2 of 2 of the required programs pass, 0 of 0 of the others.")
}

// The whole way, with the toolkit: sources, machine code, the simulator, and the control.
func TestToolkit(t *testing.T) {
	const toolkit, lib = "../../../build/toolkit", "../../../build/lib"
	s, err := newSetup(toolkit, lib, t.TempDir(), time.Minute)
	if err != nil {
		t.Skip(err)
	}
	s.control = true
	in := &suite{name: "ours", folder: "testdata/suite"}
	for _, name := range []string{"doubles", "trusting"} {
		p := script(name, verdict())
		p.dir = name
		in.programs = append(in.programs, p)
	}
	var b strings.Builder
	require.EqualError(t, s.judge(t.Context(), &b, []*suite{in}, nil), "not passed: trusting", b.String())
	require.Contains(t, b.String(), "| passed | 1 | ")
}

func TestChoose(t *testing.T) {
	all := suites()
	_, err := choose(all, nil)
	require.ErrorContains(t, err, "-sdk DIR, -rodinia DIR or -ispass DIR")
	all[1].folder = "rodinia"
	require.NoError(t, locate(all, ""))
	require.True(t, filepath.IsAbs(all[1].folder))
	chosen, err := choose(all, []string{"lud"})
	require.NoError(t, err)
	require.Equal(t, []*suite{all[1]}, chosen)
	_, err = choose(all, []string{"scan"})
	require.EqualError(t, err, "no program scan in these suites")
}

// Each program has a unique name, and no required program is missing.
func TestPrograms(t *testing.T) {
	for _, s := range suites() {
		required := 0
		known := map[string]bool{}
		for _, p := range s.programs {
			require.False(t, known[p.name], p.name)
			known[p.name] = true
			if p.required {
				required++
			}
		}
		require.Equal(t, map[string]int{"sdk": 22, "rodinia": 14, "ispass": 8}[s.name], required, s.name)
	}
}
