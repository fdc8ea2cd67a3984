package terminal_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	root    = "../.."
	sources = "debug/dap/testdata" // of the programs, from the root
)

// compiled compiles a program of the tests of debug/dap. Without the toolkit the test is skipped.
func compiled(t *testing.T, name string) (path string) {
	t.Helper()
	for _, tool := range []string{"toolkit/bin/nvcc", "bin/jacquard", "lib/libcuda.so.1"} {
		if _, err := os.Stat(filepath.Join(root, "build", tool)); err != nil {
			t.Skipf("no build/%s: make all toolkit builds it", tool)
		}
	}
	path = filepath.Join(t.TempDir(), name)
	source, err := filepath.Abs(filepath.Join(root, sources, name+".cu"))
	require.NoError(t, err)
	out, err := exec.Command(filepath.Join(root, "build/toolkit/bin/nvcc"), "-g", "-G", "-arch=sm_13", "-o", path, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// session is the tool on a program.
type session struct {
	*exec.Cmd
	out bytes.Buffer
}

// tool returns jacquard debug, which ends after a minute.
func tool(t *testing.T, arguments ...string) *session {
	t.Helper()
	s := &session{Cmd: exec.Command(filepath.Join(root, "build/bin/jacquard"), append([]string{"debug"}, arguments...)...)}
	s.Stdout, s.Stderr = &s.out, &s.out
	deadline := time.AfterFunc(time.Minute, func() { s.Process.Kill() })
	t.Cleanup(func() { deadline.Stop() })
	return s
}

// Sessions of testdata/programs are those of the tool on real programs. A first line "check" has the
// program checked.
func TestPrograms(t *testing.T) {
	paths, err := filepath.Glob("testdata/programs/*.session")
	require.NoError(t, err)
	require.Len(t, paths, 9)
	folder, err := filepath.Abs(filepath.Join(root, sources))
	require.NoError(t, err)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".session")
		t.Run(name, func(t *testing.T) {
			program := compiled(t, name)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			head, flags := "", []string{"--", program}
			if bytes.HasPrefix(data, []byte("check\n")) {
				head, flags = "check\n", append([]string{"--check"}, flags...)
			}
			var commands []string
			for line := range strings.SplitSeq(string(data), "\n") {
				if c, ok := strings.CutPrefix(line, "(jacquard) "); ok {
					commands = append(commands, c)
				}
			}
			s := tool(t, flags...)
			s.Stdin = strings.NewReader(strings.Join(commands, "\n"))
			require.NoError(t, s.Run(), "%s", s.out.String())
			text := head + strings.ReplaceAll(s.out.String(), folder+"/", "")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
				return
			}
			require.Equal(t, string(data), text)
		})
	}
}

// The interrupt key stops a kernel that runs, and not the program.
func TestInterrupt(t *testing.T) {
	s := tool(t, "--", compiled(t, "spin"))
	in, err := s.StdinPipe()
	require.NoError(t, err)
	out, err := os.CreateTemp(t.TempDir(), "out")
	require.NoError(t, err)
	s.Stdout = out
	printed := func() string {
		text, err := os.ReadFile(out.Name())
		require.NoError(t, err)
		return string(text)
	}
	require.NoError(t, s.Start())
	defer s.Process.Kill()
	_, err = io.WriteString(in, "run\n")
	require.NoError(t, err)
	shows := func(text string) {
		require.Eventually(t, func() bool { return strings.Contains(printed(), text) }, 20*time.Second, time.Millisecond)
	}
	shows("begin\n")
	require.NoError(t, s.Process.Signal(os.Interrupt))
	shows("Interrupted, spin<<<(1,1),(32,1,1)>>> at ")
	_, err = io.WriteString(in, "step\nstep\nstep\nset var *go = 0\nprint *go\ncontinue\n")
	require.NoError(t, err)
	require.NoError(t, in.Close())
	require.NoError(t, s.Wait())
	require.Regexp(t, regexp.MustCompile(`(?s)\*go = 0\n.*\nend [01]\n\[the program ended with status 0\]`), printed())
}
