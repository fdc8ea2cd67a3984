package slurm_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/study/sweep"
)

var cells = flag.Int("cells", 0, "cells of the study that runs on a cluster: 42 or more; 0 runs none")

// root is the way to the root of the module.
const root = "../../.."

// built is the tool.
func built(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "jacquard")
	cmd := exec.Command("go", "build", "-o", tool, "./cmd/jacquard")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return tool
}

// made writes a study of n cells: tests under policies, and a kernel with several arguments, to
// which more options are given.
func made(t *testing.T, n int, more string) string {
	t.Helper()
	tests, err := filepath.Abs(filepath.Join(root, "testdata"))
	require.NoError(t, err)
	const policies, most = 21, 21 // in testdata
	of := min(n/policies, most)
	var text strings.Builder
	fmt.Fprintf(&text, "[matrix]\npolicy = 'all'\n")
	names, err := filepath.Glob(filepath.Join(tests, "mesa-kernels/*/test.json"))
	require.NoError(t, err)
	for _, name := range names[:of] {
		fmt.Fprintf(&text, "[[run]]\ntest = %q\n", name)
	}
	if rest := n - of*policies; rest > 0 {
		fmt.Fprintf(&text, "[[run]]\nkernel = %q\nmatrix = { policy = 'tbc' %s }\narguments = [\n", filepath.Join(tests, "demo/vectoradd.cubin"), more)
		for i := range rest {
			fmt.Fprintf(&text, "[%s'--block', '64', '--arg', 'buf:1m:seed=1', '--arg', 'buf:1m:seed=2', '--arg', 'buf:1m', '--arg', 'u32:%d'],\n", options[more], 200000+i)
		}
		text.WriteString("]\n")
	}
	path := filepath.Join(t.TempDir(), "s.toml")
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
	return path
}

// slow makes cells that take some tenths of a second.
const slow = ", engine = 'reference'"

// options of the kernel.
var options = map[string]string{"": "'--grid', '40', ", slow: "'--grid', '60', "}

// said runs the tool to its end and returns its output. A study has cells that fail, with status 1.
func said(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode(), "%s", out)
	}
	return string(out)
}

// table reads a table without what differs from run to run, and returns the hosts that its cells
// ran on.
func table(t *testing.T, folder, name string) (rows []sweep.Row, hosts map[string]int) {
	t.Helper()
	rows, err := parquet.ReadFile[sweep.Row](filepath.Join(folder, name))
	require.NoError(t, err)
	hosts = map[string]int{}
	for i := range rows {
		hosts[rows[i].Host]++
		rows[i].Host, rows[i].Seconds = "", 0
	}
	return rows, hosts
}

// same compares the tables of two folders.
func same(t *testing.T, n int, want, got string) (hosts map[string]int) {
	t.Helper()
	for _, name := range []string{sweep.CellTable, sweep.KernelTable} {
		a, _ := table(t, want, name)
		b, on := table(t, got, name)
		require.Len(t, a, n)
		require.Equal(t, a, b, name)
		hosts = on
	}
	return hosts
}

// A study gives the same tables here and on two nodes, and one call of sbatch submits it.
func TestCluster(t *testing.T) {
	c := start(t)
	tool, path := built(t), made(t, *cells, "")
	local, there := filepath.Join(t.TempDir(), "local"), filepath.Join(t.TempDir(), "slurm")
	began := time.Now()
	here := said(t, c.run(tool, "sweep", path, "-o", local))
	t.Logf("here: %v, %s", time.Since(began), here)
	require.Contains(t, here, fmt.Sprintf("%d cells: ", *cells))

	began = time.Now()
	out := said(t, c.run(tool, "sweep", path, "-o", there, "--on", "slurm", "--cells", "5", "--partition", "both", "--time", "10",
		"--memory", "100", "--array-limit", "2", "--sbatch", "--nice=1", "--detach"))
	t.Logf("submitted: %v, %s", time.Since(began), out)
	require.Equal(t, (*cells+999)/1000, strings.Count(out, "jacquard: job "))
	status := said(t, c.run(tool, "sweep", "status", path, "-o", there))
	require.Contains(t, status, fmt.Sprintf("of %d cells done", *cells))
	require.Contains(t, status, "queue: ")
	out = said(t, c.run(tool, "sweep", path, "-o", there, "--on", "slurm")) // waits, and submits nothing
	t.Logf("there: %v, %s", time.Since(began), out)
	require.NotContains(t, out, "jacquard: job ")
	hosts := same(t, *cells, local, there)
	require.Len(t, hosts, 2)
	require.Positive(t, hosts["n0"])
	require.Positive(t, hosts["n1"])
	require.Contains(t, said(t, c.run(tool, "sweep", "status", path, "-o", there)), "queue: nothing\n")
}

// A sweep that is interrupted while it waits leaves its jobs. The next sweep runs the cancelled
// cells.
func TestCancel(t *testing.T) {
	c := start(t)
	tool, path := built(t), made(t, 12, slow)
	there, local := filepath.Join(t.TempDir(), "slurm"), filepath.Join(t.TempDir(), "local")
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer log.Close()
	first := c.run(tool, "sweep", path, "-o", there, "--on", "slurm", "--cells", "2")
	first.Stdout, first.Stderr = log, log
	require.NoError(t, first.Start())
	text := func() string {
		text, err := os.ReadFile(log.Name())
		require.NoError(t, err)
		return string(text)
	}
	require.Eventually(t, func() bool { return strings.Contains(text(), "jacquard: job ") }, time.Minute, 20*time.Millisecond)
	require.NoError(t, first.Process.Signal(syscall.SIGINT))
	require.Error(t, first.Wait())
	require.Contains(t, text(), "of 12 cells done: interrupted: Slurm goes on with the jobs, and jacquard sweep cancel ends them\n")
	require.Equal(t, "1 job cancelled\n", said(t, c.run(tool, "sweep", "cancel", path, "-o", there)))
	require.Eventually(t, func() bool {
		return strings.Contains(said(t, c.run(tool, "sweep", "status", path, "-o", there)), "queue: nothing\n")
	}, time.Minute, 200*time.Millisecond)
	said(t, c.run(tool, "sweep", path, "-o", there, "--on", "slurm", "--cells", "2"))
	said(t, c.run(tool, "sweep", path, "-o", local))
	same(t, 12, local, there)
}

// processes returns the numbers of the processes whose command line has a text.
func processes(text string) (list []int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		command, err := os.ReadFile(path)
		if err == nil && bytes.Contains(bytes.ReplaceAll(command, []byte{0}, []byte(" ")), []byte(text)) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
				list = append(list, pid)
			}
		}
	}
	return list
}

// A tenth of the tasks is killed, and a daemon, and the submitter. The next sweep completes the
// table, which equals the table of a sweep without faults.
func TestFaults(t *testing.T) {
	c := start(t)
	tool, path := built(t), made(t, *cells, slow)
	local, there := filepath.Join(t.TempDir(), "local"), filepath.Join(t.TempDir(), "slurm")
	said(t, c.run(tool, "sweep", path, "-o", local))

	const each = 2
	submitter := c.run(tool, "sweep", path, "-o", there, "--on", "slurm", "--cells", strconv.Itoa(each))
	require.NoError(t, submitter.Start())
	batch := filepath.Join(there, "batches")
	require.Eventually(t, func() bool { return len(processes("sweep task "+batch)) > 0 }, time.Minute, 20*time.Millisecond)
	require.NoError(t, submitter.Process.Kill())
	submitter.Wait() // the error is the signal
	kills := max(*cells/each/10, 2)
	for killed := 0; killed < kills; {
		tasks := processes("sweep task " + batch)
		if len(tasks) == 0 && strings.Contains(said(t, c.run(tool, "sweep", "status", path, "-o", there)), "queue: nothing") {
			break
		}
		if len(tasks) > 0 && syscall.Kill(tasks[rand.IntN(len(tasks))], syscall.SIGKILL) == nil {
			killed++
			t.Logf("task %d of %d killed", killed, kills)
		}
		if killed == kills/2 {
			c.kill("n1")
		}
		time.Sleep(time.Duration(100+rand.IntN(300)) * time.Millisecond)
	}
	c.kill("n1") // if it is not
	t.Log(said(t, c.run(tool, "sweep", "status", path, "-o", there)))
	c.node("n1")
	for again := 0; ; again++ {
		require.Less(t, again, 4, "the study does not get complete")
		out := said(t, c.run(tool, "sweep", path, "-o", there, "--on", "slurm", "--cells", strconv.Itoa(each)))
		t.Log(out)
		if !strings.Contains(out, "without a result") {
			break
		}
	}
	same(t, *cells, local, there)
}
