package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/study/kerneltest"
)

// mesa returns the statistics file of a run of the named tests of testdata, each with its last
// build.
func mesa(t testing.TB, names ...string) []byte {
	t.Helper()
	data, _ := traced(t, names...)
	return data
}

// traced returns the statistics and the trace of such a run.
func traced(t testing.TB, names ...string) (statistics []byte, traced *trace.File) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.json")
	w, err := stats.Create(path, &stats.Run{Program: "/home/me/mesa", Devices: []string{"gtx280"}, Policy: "nvidia"})
	require.NoError(t, err)
	var b bytes.Buffer
	recorder, err := trace.NewRecorder(&b, trace.Options{}, nil)
	require.NoError(t, err)
	for i, name := range names {
		test, err := kerneltest.Load("../../testdata/mesa-kernels/" + name + "/test.json")
		require.NoError(t, err)
		require.NoError(t, w.Add(launched(t, i, test, recorder)))
	}
	require.NoError(t, w.Close())
	require.NoError(t, recorder.Close())
	statistics, err = os.ReadFile(path)
	require.NoError(t, err)
	traced, err = trace.NewFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	return statistics, traced
}

var update = flag.Bool("update", false, "rewrite the golden files")

// The example reads a file as the tool writes it.
func TestExampleFile(t *testing.T) {
	const path = "testdata/run.json"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, mesa(t, "vecadd", "calls", "vecadd"), 0o666))
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "vecadd", read(t, data).Launches[2].Kernel.Name)
}

// launched runs a test as the launch with a number, and describes it.
func launched(t testing.TB, number int, test *kerneltest.Test, recorder *trace.Recorder) *stats.Launch {
	t.Helper()
	build := &test.Builds[len(test.Builds)-1]
	img, err := test.Image(build)
	require.NoError(t, err)
	k := img.Kernel(test.Name)
	program, err := load.Program(build.Arch, k, simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 24)
	l := &simt.Launch{Program: program, Grid: test.Grid, Block: test.Block, Global: space}
	l.Params = test.ParamBlock(func(i int) uint32 {
		at, err := space.Alloc(uint64(len(test.Params[i].Init)))
		require.NoError(t, err)
		memory, err := space.Bytes(at, uint64(len(test.Params[i].Init)))
		require.NoError(t, err)
		copy(memory, test.Params[i].Init)
		return at
	})
	end := recorder.Attach(l, "", number)
	s, err := simt.Run(l)
	end(err)
	require.NoError(t, err)
	return &stats.Launch{Number: number, Kernel: stats.Describe(&program.Kernel), Device: "gtx280", Stats: *s}
}

// read reads undamaged statistics.
func read(t testing.TB, data []byte) *Report {
	t.Helper()
	r, err := Read(bytes.NewReader(data), "")
	require.NoError(t, err)
	require.Nil(t, r.Run.Damage)
	return r
}
