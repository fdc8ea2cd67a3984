package outfile_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/outfile"
)

func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.b.json")
	require.NoError(t, os.WriteFile(path, []byte("of an earlier run"), 0o666))
	var files []*os.File
	for i := range 3 {
		f, err := outfile.Create(path)
		require.NoError(t, err)
		want := []string{path, fmt.Sprintf("%s.%d.json", path[:len(path)-5], os.Getpid()), fmt.Sprintf("%s.%d-2.json", path[:len(path)-5], os.Getpid())}[i]
		require.Equal(t, want, f.Name())
		_, err = f.WriteString(fmt.Sprint(i))
		require.NoError(t, err)
		files = append(files, f)
	}
	for i, f := range files {
		data, err := os.ReadFile(f.Name())
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(i), string(data))
		require.NoError(t, f.Close())
	}
	f, err := outfile.Create(path)
	require.NoError(t, err)
	require.Equal(t, path, f.Name(), "whoever had it is gone")
	require.NoError(t, f.Close())

	_, err = outfile.Create(filepath.Join(path, "x"))
	require.Error(t, err)
}

// Processes of one run that come one after the other have a file each. The list names them all. A
// file of an earlier run is replaced.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	path, list := filepath.Join(dir, "a.json"), filepath.Join(dir, "of \"this\"\nrun")
	require.NoError(t, os.WriteFile(path, []byte("of an earlier run"), 0o666))
	require.NoError(t, os.WriteFile(list, nil, 0o666))
	t.Setenv(outfile.RunVariable, list)
	second := filepath.Join(dir, fmt.Sprintf("a.%d.json", os.Getpid()))
	for i, want := range []string{path, second} {
		f, err := outfile.Create(path)
		require.NoError(t, err)
		require.Equal(t, want, f.Name())
		_, err = f.WriteString(fmt.Sprint(i))
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	files, err := outfile.Files(list)
	require.NoError(t, err)
	require.Equal(t, []outfile.Begun{{path, path}, {path, second}}, files)
	for i, file := range []string{path, second} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(i), string(data))
	}

	require.NoError(t, os.Remove(list)) // the run is over
	f, err := outfile.Create(path)
	require.NoError(t, err)
	require.Equal(t, path, f.Name())
	require.NoError(t, f.Close())
}

// A file is taken until its writer ends.
func TestTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.False(t, outfile.Taken(path))
	f, err := outfile.Create(path)
	require.NoError(t, err)
	require.True(t, outfile.Taken(path))
	require.NoError(t, f.Close())
	require.False(t, outfile.Taken(path))
}

// A device is in no list, and the first half of a line is none.
func TestFiles(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	require.NoError(t, os.WriteFile(list, []byte(`"half" "of`), 0o666))
	t.Setenv(outfile.RunVariable, list)
	f, err := outfile.Create(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	files, err := outfile.Files(list)
	require.NoError(t, err)
	require.Empty(t, files)
	_, err = outfile.Files(list + ".none")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A device is opened as it is, any number of times.
func TestDevice(t *testing.T) {
	for range 2 {
		f, err := outfile.Create(os.DevNull)
		require.NoError(t, err)
		require.Equal(t, os.DevNull, f.Name())
		defer f.Close()
	}
}

// Processes that begin one file at once have a file each.
func TestProcesses(t *testing.T) {
	// name is set to the path in the child processes of the test.
	const name, processes, rounds = "JACQUARD_TEST_OUTFILE", 6, 10
	if path := os.Getenv(name); path != "" {
		bufio.NewReader(os.Stdin).ReadString('\n')
		f, err := outfile.Create(path)
		require.NoError(t, err)
		fmt.Fprint(f, os.Getpid())
		fmt.Println("written")
		io.Copy(io.Discard, os.Stdin) // keeps the file until all processes have theirs
		return
	}
	for range rounds {
		path := filepath.Join(t.TempDir(), "s.json")
		var in []io.WriteCloser
		var out []*bufio.Reader
		var all []*exec.Cmd
		for range processes {
			c := exec.Command(os.Args[0], "-test.run", "^TestProcesses$")
			c.Env = append(os.Environ(), name+"="+path)
			w, err := c.StdinPipe()
			require.NoError(t, err)
			r, err := c.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, c.Start())
			in, out, all = append(in, w), append(out, bufio.NewReader(r)), append(all, c)
		}
		want := map[string]bool{}
		for i, w := range in {
			want[fmt.Sprint(all[i].Process.Pid)] = true
			_, err := io.WriteString(w, "go\n")
			require.NoError(t, err)
		}
		for _, r := range out {
			line, err := r.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "written\n", line)
		}
		files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "s*.json"))
		require.NoError(t, err)
		require.Contains(t, files, path)
		got := map[string]bool{}
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			got[string(data)] = true
		}
		require.Equal(t, want, got)
		for i, c := range all {
			require.NoError(t, in[i].Close())
			_, err := io.Copy(io.Discard, out[i])
			require.NoError(t, err)
			require.NoError(t, c.Wait())
		}
	}
}
