package replay_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/otherdriver"
	"jacquard/board/replay"
)

// build returns the path of the simulator's own library.
func build(t *testing.T) string {
	t.Helper()
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no compiler: %v; install one or set CC", err)
	}
	dir := t.TempDir()
	out, err := exec.Command("make", "-s", "-C", "../..", "lib", "LIBDIR="+dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return filepath.Join(dir, "libcuda.so.1")
}

// other starts the library in the role of a board's driver.
func other(t *testing.T) *replay.OtherDriver {
	t.Helper()
	path := build(t)
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	library, err := otherdriver.Open(path)
	require.NoError(t, err)
	f, err := replay.NewOtherDriver(library, &replay.Engine{Workers: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// On another library with other addresses, launches leave the same memory. Launches that cannot run
// there are reported.
func TestAnotherLibrary(t *testing.T) {
	f := other(t)
	path, launches := recordMesa(t)
	total, said := replayed(t, path, f, replay.Options{})
	require.Empty(t, said)
	require.Equal(t, replay.Total{Same: launches}, total)

	total, said = replayed(t, recordEverything(t), f, replay.Options{})
	require.Empty(t, said)
	require.Equal(t, replay.Total{Same: 5}, total)
}
