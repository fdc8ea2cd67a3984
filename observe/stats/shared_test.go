package stats_test

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
)

// Processes that share a file name lose no launch: one process holds the file, and each of the
// others writes one beside it.
func TestProcesses(t *testing.T) {
	// name is set to the target in the child processes of the test.
	const name, processes, rounds, launches = "JACQUARD_TEST_STATS", 4, 8, 8
	if text := os.Getenv(name); text != "" {
		target, err := stats.ParseTarget(text)
		require.NoError(t, err)
		l := launch(t, "k", 32)
		bufio.NewReader(os.Stdin).ReadString('\n')
		w, err := target.Create(run())
		require.NoError(t, err)
		for range launches {
			require.NoError(t, w.Add(l))
		}
		fmt.Println("written")
		io.Copy(io.Discard, os.Stdin) // keeps the file until all processes have theirs
		return
	}
	count := map[string]func(path string) int{"s.json": jsonLaunches, "s.csv": csvLaunches}
	for target, counted := range count {
		for round := range rounds / 2 {
			folder := t.TempDir()
			var in []io.WriteCloser
			var out []*bufio.Reader
			var all []*exec.Cmd
			for range processes {
				c := exec.Command(os.Args[0], "-test.run", "^TestProcesses$")
				c.Env = append(os.Environ(), name+"="+filepath.Join(folder, target))
				w, err := c.StdinPipe()
				require.NoError(t, err)
				r, err := c.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, c.Start())
				in, out, all = append(in, w), append(out, bufio.NewReader(r)), append(all, c)
			}
			for _, w := range in {
				_, err := io.WriteString(w, "go\n")
				require.NoError(t, err)
			}
			for _, r := range out {
				line, err := r.ReadString('\n')
				require.NoError(t, err)
				require.Equal(t, "written\n", line)
			}
			files, err := filepath.Glob(filepath.Join(folder, "*"))
			require.NoError(t, err)
			require.Len(t, files, processes)
			sum := 0
			for _, path := range files {
				sum += counted(path)
			}
			require.Equal(t, processes*launches, sum, "%s, round %d", target, round)
			for i, c := range all {
				require.NoError(t, in[i].Close())
				_, err := io.Copy(io.Discard, out[i])
				require.NoError(t, err)
				require.NoError(t, c.Wait())
			}
		}
	}
}

func jsonLaunches(path string) int {
	r, err := stats.Load(path)
	if err != nil {
		return 0
	}
	return len(r.Launches)
}

func csvLaunches(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return 0
	}
	return (len(rows) - 1) / (len(words()) / 2)
}
