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
	"jacquard/observe/bundle"
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

// A texture of memory that is gone has no counterpart, and neither has an array without texels.
func TestTexturesOfNothing(t *testing.T) {
	f := other(t)
	image, err := os.ReadFile("../../libcuda/driver/testdata/textures.cubin")
	require.NoError(t, err)
	l := &bundle.Launch{
		Kernel: &bundle.Kernel{Module: &bundle.Module{Image: image, Arch: "sm_10"}, Name: "sample", Textures: []string{"image"}}, Arch: "sm_10",
		Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Params: make([]byte, 16), Outcome: bundle.Outcome{Result: bundle.Success},
		Textures: []bundle.Texture{{Kind: "linear", Format: 1, Channels: 1, Base: 0x1000, Size: 64}},
	}
	_, err = f.RunAddresses(l)
	require.Equal(t, &replay.Uncomparable{Reason: "texture reference image reads memory that is not mirrored"}, err)
	l.Textures[0] = bundle.Texture{Kind: "array", Format: 1, Channels: 1, Width: 4, Array: 7}
	_, err = f.RunAddresses(l)
	require.ErrorContains(t, err, "the array of texture unit 0 is not there")
	l.Memory = []*bundle.Object{{Kind: bundle.Array, Address: 7, Bytes: make([]byte, 3)}}
	_, err = f.RunAddresses(l)
	require.ErrorContains(t, err, "texture unit 0: an array of 3 bytes for texels of 4")
}
