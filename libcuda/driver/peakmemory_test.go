package driver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// soak has tests measure quantities that a busy machine disturbs; "make soak" sets it.
var soak = flag.Bool("soak", false, "hold the most memory that a process has had to a close bound")

// touching, in its environment, makes a process of this test the one to be measured; the value is
// its settings.
const touching = "JACQUARD_TEST_TOUCHING"

// A program with nearly all of the device's memory takes as much host memory as it touches, and
// some for the library: independent of the number of launches, workers and files.
func TestPeakMemory(t *testing.T) {
	if text := os.Getenv(touching); text != "" {
		var s knobs.Settings
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		touch(t, s)
		return
	}
	if watched {
		t.Skip("the race detector takes several times what the program does")
	}
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("wants /proc/self/status, which tells the most memory a process has had")
	}
	files := t.TempDir()
	for name, s := range map[string]knobs.Settings{
		"one worker":      {Workers: "1"},
		"two workers":     {Workers: "2"},
		"seven workers":   {Workers: "7"},
		"statistics":      {Workers: "2", Stats: files + "/s.json", Summary: files + "/summary.jsonl"},
		"columns":         {Workers: "2", Stats: files + "/s.parquet"},
		"trace":           {Workers: "2", Trace: files + "/t.jqt"},
		"bundle":          {Workers: "2", Record: files + "/b.jqb:launches=3"},
		"trace of values": {Workers: "2", Trace: files + "/v.jqt:values=all"},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(s)
			require.NoError(t, err)
			command := exec.Command(os.Args[0], "-test.run", "^TestPeakMemory$", "-test.v", fmt.Sprint("-soak=", *soak))
			command.Env = append(os.Environ(), touching+"="+string(text))
			out, err := command.CombinedOutput()
			require.NoError(t, err, string(out))
			t.Log(string(out))
		})
	}
}

// touch is the program.
func touch(t *testing.T, s knobs.Settings) {
	const (
		n     = 2 << 20 // elements per launch
		parts = 2       // of each buffer, touched one after the other
	)
	spare := uint64(64 << 20)
	if s.Trace != "" { // frames under compression, several at a time
		spare *= 2
	}
	_, th, log := start(t, s)
	create(t, th)
	f := function(t, th, "vecadd_sm13.cubin", "vecadd")
	const size = 320 << 20
	a, b, c := alloc(t, th, size), alloc(t, th, size), alloc(t, th, size)
	for k := range 4 * parts {
		at := driver.DevicePtr(k % parts * (size / parts))
		for _, in := range []driver.DevicePtr{a, b} { // a page that is only read costs nothing
			require.NoError(t, th.MemsetD8(in+at, 1, 4*n))
		}
		args := driver.Arguments{Packed: words(uint32(a+at), uint32(b+at), uint32(c+at), n)}
		require.NoError(t, th.LaunchKernel(f, [3]uint32{n / 64, 1, 1}, [3]uint32{64, 1, 1}, 0, 0, args))
	}
	require.NoError(t, th.CtxSynchronize())
	require.Empty(t, log.String())
	const touched = 3 * parts * 4 * n
	t.Logf("%d MB of %d MB touched, at most %d MB taken", touched>>20, 3*size>>20, highWater(t)>>20)
	if !*soak {
		// Frames waiting for a processor, and garbage: far less than all buffers.
		spare = size
	}
	require.Less(t, highWater(t), touched+spare)
	require.Greater(t, highWater(t), uint64(touched), "it touched them")
}

// highWater returns the peak memory of the process in bytes.
func highWater(t *testing.T) uint64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kb, err := strconv.ParseUint(string(bytes.Fields(rest)[0]), 10, 64)
			require.NoError(t, err)
			return kb << 10
		}
	}
	require.Fail(t, "no VmHWM")
	return 0
}
