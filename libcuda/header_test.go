package main_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// interfaces are the flags that select an interface of cuda.h.
var interfaces = []struct{ name, flag string }{
	{"newest", ""},
	{"5000", "-DCUDA_VERSION=5000"},
	{"4000", "-DCUDA_VERSION=4000"},
	{"3020", "-DCUDA_VERSION=3020"},
	{"force 3010", "-DCUDA_FORCE_API_VERSION=3010"},
	{"force 2030", "-DCUDA_FORCE_API_VERSION=2030"},
	{"force 2000", "-DCUDA_FORCE_API_VERSION=2000"},
}

// TestHeaderCompiles compiles a program that names every structure, in each interface and language.
func TestHeaderCompiles(t *testing.T) {
	for _, language := range []struct{ name, variable, usual, std string }{
		{"C89", "CC", "cc", "-xc -std=c89"},
		{"C99", "CC", "cc", "-xc -std=c99"},
		{"C++98", "CXX", "c++", "-xc++ -std=c++98"},
		{"C++17", "CXX", "c++", "-xc++ -std=c++17"},
	} {
		t.Run(language.name, func(t *testing.T) {
			command := compiler(t, language.variable, language.usual)
			for _, api := range interfaces {
				args := append(strings.Fields(language.std), strict...)
				args = append(args, "-include", "cudaProfiler.h", "-include", "cudaGL.h", "-fsyntax-only", "-Iinclude")
				if api.flag != "" {
					args = append(args, api.flag)
				}
				args = append(args, filepath.Join(programs, "layout_gen.c"))
				out, err := exec.Command(command, args...).CombinedOutput()
				require.NoError(t, err, "%s: %s", api.name, out)
			}
		})
	}
}

func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, golden, flag string }{
		{"wide", "layout-wide.golden", "-DCUDA_VERSION=6050"},
		{"narrow", "layout-narrow.golden", "-DCUDA_FORCE_API_VERSION=2030"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, err := run(t, nil, compile(t, "layout_gen.c", c.flag))
			require.NoError(t, err, "%s", stderr)
			if narrow() {
				c.golden = "32bit-" + c.golden
			}
			requireGolden(t, c.golden, stdout)
		})
	}
}

// TestRenames checks which symbol a plain name becomes in each interface.
func TestRenames(t *testing.T) {
	const text = "#include <cuda.h>\ncuMemAlloc cuCtxDestroy cuTexRefSetAddress2D cuLinkCreate cuInit\n"
	for _, c := range []struct{ flag, want string }{
		{"-DCUDA_FORCE_API_VERSION=2030", "cuMemAlloc cuCtxDestroy cuTexRefSetAddress2D cuLinkCreate cuInit"},
		{"-DCUDA_FORCE_API_VERSION=3010", "cuMemAlloc cuCtxDestroy cuTexRefSetAddress2D cuLinkCreate cuInit"},
		{"-DCUDA_VERSION=3020", "cuMemAlloc_v2 cuCtxDestroy cuTexRefSetAddress2D_v2 cuLinkCreate cuInit"},
		{"-DCUDA_VERSION=4000", "cuMemAlloc_v2 cuCtxDestroy_v2 cuTexRefSetAddress2D_v2 cuLinkCreate cuInit"},
		{"-DCUDA_VERSION=4010", "cuMemAlloc_v2 cuCtxDestroy_v2 cuTexRefSetAddress2D_v3 cuLinkCreate cuInit"},
		{"-UCUDA_VERSION", "cuMemAlloc_v2 cuCtxDestroy_v2 cuTexRefSetAddress2D_v3 cuLinkCreate_v2 cuInit"},
		// A program for one release, compiled for another release's interface.
		{"-DCUDA_VERSION=4000 -DCUDA_FORCE_API_VERSION=3010", "cuMemAlloc cuCtxDestroy cuTexRefSetAddress2D cuLinkCreate cuInit"},
	} {
		t.Run(c.flag, func(t *testing.T) {
			args := append(strings.Fields(c.flag), "-Iinclude", "-E", "-P", "-xc", "-")
			command := exec.Command(compiler(t, "CC", "cc"), args...)
			command.Stdin = strings.NewReader(text)
			out, err := command.Output()
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			require.Equal(t, c.want, lines[len(lines)-1])
		})
	}
}
