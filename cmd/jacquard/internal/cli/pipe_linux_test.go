package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pipe returns the path of a pipe that holds data, as a shell gives it for <(cat file).
func pipe(t *testing.T, data []byte) string {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	go func() {
		w.Write(data)
		w.Close()
	}()
	return fmt.Sprintf("/proc/self/fd/%d", r.Fd())
}

// info reads device code from a pipe, and says that a bundle must be a file.
func TestInfoOfAPipe(t *testing.T) {
	file := kernel("vecadd", "sm_10.cubin")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	path := pipe(t, data)
	require.Equal(t, strings.ReplaceAll(fine(t, "info", file), file, path), fine(t, "info", path))

	data, err = os.ReadFile(recorded(t))
	require.NoError(t, err)
	path = pipe(t, data)
	require.Equal(t, answer{1, "", "jacquard: " + path + ": this is a bundle: jacquard replay runs it, and jacquard info describes it if it is no pipe\n"}, jacquard("info", path))
}

// Statistics are refused a pipe before anything runs.
func TestStatisticsOntoPipe(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	path := filepath.Join(t.TempDir(), "s.json")
	require.NoError(t, os.Symlink(fmt.Sprintf("/proc/self/fd/%d", w.Fd()), path))
	a := jacquard(vecadd("--stats", path)...)
	require.Equal(t, answer{1, "", "jacquard: statistics cannot be written: " + path + " is a pipe, and they are written piece by piece\n"}, a)
}
