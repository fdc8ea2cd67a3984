package driver_test

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

// touching says to a process of this test that it is the one to be measured.
const touching = "JACQUARD_TEST_TOUCHING"

// A program that has nearly all of the device's memory takes as much of the host's as it touches, and some for the
// library, however often it launches.
func TestPeakMemory(t *testing.T) {
	const (
		spare = 64 << 20
		n     = 2 << 20 // elements that a launch adds
		parts = 2       // of each buffer that are touched, one after the other
	)
	if os.Getenv(touching) == "" {
		if _, err := os.Stat("/proc/self/status"); err != nil {
			t.Skip("wants /proc/self/status, which tells the most memory a process has had")
		}
		command := exec.Command(os.Args[0], "-test.run", "^TestPeakMemory$", "-test.v")
		command.Env = append(os.Environ(), touching+"=1")
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	th, _ := current(t)
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
	const touched = 3 * parts * 4 * n
	t.Logf("%d MB of %d MB touched, at most %d MB taken", touched>>20, 3*size>>20, highWater(t)>>20)
	require.Less(t, highWater(t), uint64(touched+spare))
	require.Greater(t, highWater(t), uint64(touched), "it touched them")
}

// highWater returns the most memory that the process has had, in bytes.
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
