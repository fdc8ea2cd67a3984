package kernels

import (
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/conformance"
	"jacquard/internal/test/maze"
	"jacquard/ptx/compile"
	"jacquard/ptx/load"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/study/kerneltest"
	"jacquard/tesla"
)

// TestEngines compares the engines on every kernel of testdata, except clang's, which package
// clang runs, and endless.cubin, which only an interrupt ends. The flag -sample 1 runs all of them
// under every policy.
func TestEngines(t *testing.T) {
	w := conformance.Whole{Sample: 149}
	defer w.Report(t)
	for _, test := range mesaTests(t) {
		for i := range test.Builds {
			build := &test.Builds[i]
			for _, device := range tesla.Archs[build.Arch:] {
				w.Each(t, test.Name+"/"+build.File+" on "+device.String(), func() *simt.Launch {
					l, _ := mesaLaunch(t, test, build, device)
					return l
				})
			}
		}
	}
	inPTX := ptxTests(t)
	for _, path := range slices.Sorted(maps.Keys(inPTX)) {
		for _, device := range tesla.Archs {
			w.Each(t, path+" on "+device.String(), func() *simt.Launch { return ptxLaunch(t, path, inPTX[path], device) })
		}
	}
	const corpus = "../../../../shared/corpus"
	if _, err := os.Stat(corpus); errors.Is(err, os.ErrNotExist) {
		t.Log("no third-party cubins beside the repository, in ../shared/corpus")
		return
	}
	for _, e := range loadCorpus(t) {
		data, err := os.ReadFile(filepath.Join(corpus, e.File))
		require.NoError(t, err)
		img, err := cubin.Parse(data)
		require.NoError(t, err)
		for i, r := range e.Runs {
			for _, device := range tesla.Archs[img.Arch:] {
				w.Each(t, e.Name+"/run "+strconv.Itoa(i)+" on "+device.String(), func() *simt.Launch {
					l, _ := e.prepare(t, img, r.words(t), device)
					if r.End == "" && !onlyEnds[e.Name] { // in those, blocks race
						l.Watchdog = 0
					}
					return l
				})
			}
		}
	}
}

// TestNarrowEngines compares the engines on the kernels of Mesa's compiler with narrow warps.
func TestNarrowEngines(t *testing.T) {
	w := conformance.Whole{Sample: 59}
	for _, option := range []string{"warp=16", "warp=8", "warp=4"} {
		w.Policies = append(w.Policies, maze.With(maze.Policies(), option)...)
	}
	defer w.Report(t)
	for _, test := range mesaTests(t) {
		build := &test.Builds[len(test.Builds)-1]
		w.Each(t, test.Name, func() *simt.Launch {
			l, _ := mesaLaunch(t, test, build, build.Arch)
			return l
		})
	}
}

// ptxTests returns the tests of the kernels in PTX, by file.
func ptxTests(t *testing.T) map[string]*kerneltest.Test {
	t.Helper()
	tests := map[string]*kerneltest.Test{"../../../testdata/demo/collatz.ptx": {
		Name: "collatz", Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Params: []kerneltest.Param{{Buffer: true, Init: make([]byte, 4*64)}},
	}}
	files, err := filepath.Glob("../../../testdata/ptx/*.ptx")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		test, err := kerneltest.Load(mesaFolder + strings.TrimSuffix(filepath.Base(file), ".ptx") + "/test.json")
		require.NoError(t, err)
		tests[file] = test
	}
	return tests
}

// ptxLaunch returns a launch of a kernel in PTX, compiled for a device, with the inputs of a test.
func ptxLaunch(t *testing.T, path string, test *kerneltest.Test, device tesla.Arch) *simt.Launch {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	img, err := load.Compile(path, text, compile.Options{Arch: device, Verify: true})
	require.NoError(t, err)
	l := &simt.Launch{
		Program: program(t, img, test.Name, device), Grid: test.Grid, Block: test.Block,
		Global: mem.NewSpace(memoryBytes), Const: banks(t, img, test.Name),
	}
	for i, at := range img.Kernel(test.Name).Params {
		value := test.Params[i].Value
		if test.Params[i].Buffer {
			value = binary.LittleEndian.AppendUint32(nil, allocate(t, l.Global, test.Params[i].Init))
		}
		l.Params = append(l.Params, make([]byte, at.Offset+at.Size-len(l.Params))...)
		copy(l.Params[at.Offset:], value)
	}
	return l
}
