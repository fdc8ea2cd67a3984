package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// errFull stands for a disk that is full.
var errFull = errors.New("no space left")

// text writes a content.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// half writes some of a content and fails.
func half(w io.Writer) error { return errors.Join(text("ha")(w), errFull) }

func TestWriteFileWritesAllOrNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "out.json")

	require.ErrorIs(t, writeFile(nil, path, half), errFull)
	require.Empty(t, entries(t, folder), "half a file is left")

	require.NoError(t, writeFile(nil, path, text("whole")))
	require.ErrorIs(t, writeFile(nil, path, half), errFull)
	require.Equal(t, []string{"out.json"}, entries(t, folder))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "whole", string(data), "the old file is spoilt")

	require.NoError(t, writeFile(nil, path, text("new")))
	data, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "new", string(data))
}

func entries(t *testing.T, folder string) []string {
	t.Helper()
	list, err := os.ReadDir(folder)
	require.NoError(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteFileKeepsLinksAndDevices(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "out"), filepath.Join(folder, "link")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o666))
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, writeFile(nil, link, text("new")))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink, "the link was replaced")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "new", string(data))

	device := filepath.Join(folder, "null") // a link, so that the test can do no harm to the device
	require.NoError(t, os.Symlink(os.DevNull, device))
	require.ErrorIs(t, writeFile(nil, device, half), errFull)
	info, err = os.Lstat(device)
	require.NoError(t, err, "a device was deleted because writing failed")
	require.NotZero(t, info.Mode()&os.ModeSymlink)
	require.NoError(t, writeFile(nil, device, text("new")))
}

// The new file has the mode of the old one, whatever the mask for new files.
func TestWriteFileKeepsTheMode(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o664, 0o755} {
		path := filepath.Join(t.TempDir(), "out")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o666))
		require.NoError(t, os.Chmod(path, mode))
		require.NoError(t, writeFile(nil, path, text("new")))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode())
	}
}

func TestWriteFileToStandardOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	var b bytes.Buffer
	require.NoError(t, writeFile(newStream(&b), "-", text("new\x1b")))
	require.Equal(t, "new\x1b", b.String())
	require.Empty(t, entries(t, "."))
}

// Two names may be one file, which may not exist yet. Devices are no files.
func TestApart(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	require.NoError(t, os.WriteFile("file", nil, 0o666))
	require.NoError(t, os.Symlink("file", "link"))
	require.NoError(t, os.Mkdir("dir", 0o777))
	require.NoError(t, os.Symlink("dir", "way"))
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"file", "./file", true}, {"link", "file", true}, {filepath.Join(folder, "file"), "file", true},
		{"none", "dir/../none", true}, {"way/none", "dir/none", true}, {filepath.Join(folder, "none"), "none", true},
		{"file", "none", false}, {"none", "dir/none", false}, {os.DevNull, os.DevNull, false}, {"-", "-", false}, {"", "", false},
	} {
		inputs, outputs := apart([]string{c.b}, output{"-o", c.a}), apart(nil, output{"-o", c.a}, output{"--svg", c.b})
		if !c.same {
			require.NoError(t, errors.Join(inputs, outputs), c)
			continue
		}
		require.ErrorContains(t, inputs, fmt.Sprintf("-o %q is a file that is read: name another", c.a))
		require.ErrorContains(t, outputs, fmt.Sprintf("-o and --svg are one file, %q: name two", c.b))
	}
}

func TestWriteFileNamesWhatTheUserNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere", "out")
	err := writeFile(nil, path, text("new"))
	require.EqualError(t, err, "open "+path+": no such file or directory")
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestLostOutputIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"policies"}, {"--help"}, {"run", "--help"}, {"run", "--test", "../../../../testdata/mesa-kernels/vecadd/test.json"}} {
		var errs bytes.Buffer
		status := Main(args, Streams{In: nil, Out: full{}, Err: &errs})
		require.Equal(t, statusFailed, status, "%q", args)
		require.Equal(t, "jacquard: no space left\n", errs.String(), "%q", args)
	}
}

func TestInterruptedWriting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var b bytes.Buffer
	w := &interruptible{&b, ctx}
	require.NoError(t, text("whole")(w))
	cancel()
	require.ErrorContains(t, text("more")(w), "interrupted")
	require.Equal(t, "whole", b.String())
}
