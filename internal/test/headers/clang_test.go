package headers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// clangs returns the releases of clang that are here and that the toolkit works with.
func clangs(t *testing.T) []string {
	t.Helper()
	var found []string
	for release := 14; release < 30; release++ {
		if path, err := exec.LookPath(fmt.Sprintf("clang++-%d", release)); err == nil {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		t.Skip("no clang++-14 or later: make toolkit installs one")
	}
	return found
}

// parse has a clang check one half of a CUDA file.
func parse(t *testing.T, clang, file string, options ...string) {
	t.Helper()
	args := []string{"-x", "cuda", "-nocudainc", "-nocudalib", "-fsyntax-only",
		"-I", filepath.Join(root, "toolkit/include"), "-I", filepath.Join(root, "libcuda/include"),
		"-include", "cuda_runtime.h", "-Wno-c++11-narrowing", "-Xclang", "-target-sdk-version=10.0"}
	args = slices.Concat(args, options, []string{file})
	out, err := exec.Command(clang, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// halves are the options for both halves of a source, with the device half for three
// architectures.
var halves = map[string][]string{
	"host":  {"--cuda-host-only", "-fgpu-defer-diag"},
	"sm_20": {"--cuda-device-only", "--cuda-gpu-arch=sm_20"},
	"sm_35": {"--cuda-device-only", "--cuda-gpu-arch=sm_35",
		"-Xclang", "-target-feature", "-Xclang", "+ptx63"},
	"sm_75": {"--cuda-device-only", "--cuda-gpu-arch=sm_75",
		"-Xclang", "-target-feature", "-Xclang", "+ptx63"},
}

// TestReleases checks the programs of testdata with every clang.
func TestReleases(t *testing.T) {
	for _, clang := range clangs(t) {
		for _, file := range sources(t, "testdata") {
			t.Run(filepath.Base(clang)+"/"+filepath.Base(file), func(t *testing.T) {
				standard, arch := "-std=gnu++14", "sm_20"
				for _, o := range options(t, file) {
					if strings.HasPrefix(o, "-std=") {
						standard = o
					}
					if a, ok := strings.CutPrefix(o, "-arch="); ok {
						arch = a
					}
				}
				parse(t, clang, file, slices.Concat(halves["host"], []string{standard})...)
				require.Contains(t, halves, arch)
				parse(t, clang, file, slices.Concat(halves[arch], []string{standard})...)
			})
		}
	}
}

// headers returns the names of all headers, as programs include them.
func headers(t *testing.T) []string {
	t.Helper()
	var names []string
	include := filepath.Join(root, "toolkit/include")
	require.NoError(t, filepath.WalkDir(include, func(path string, d os.DirEntry, err error) error {
		own := filepath.Base(filepath.Dir(path)) == "jacquard"
		if err == nil && filepath.Ext(path) == ".h" && !own {
			name, _ := filepath.Rel(include, path)
			names = append(names, name)
		}
		return err
	}))
	require.NotEmpty(t, names)
	return names
}

var standards = []string{"-std=c++11", "-std=c++14", "-std=gnu++17", "-std=c++20"}

var strict = []string{"-Wall", "-Werror", "-Wno-unused-function"}

// TestStandards includes all headers, one after the other, in each standard of C++.
func TestStandards(t *testing.T) {
	var text strings.Builder
	for _, name := range headers(t) {
		fmt.Fprintf(&text, "#include <%s>\n", name)
	}
	file := filepath.Join(t.TempDir(), "all.cu")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o666))
	for _, clang := range clangs(t) {
		for _, standard := range standards {
			for name, half := range halves {
				t.Run(filepath.Base(clang)+standard+"/"+name, func(t *testing.T) {
					parse(t, clang, file, slices.Concat(half, strict, []string{standard})...)
				})
			}
		}
	}
}
