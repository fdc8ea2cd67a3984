package slurm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study"
	"jacquard/study/sweep"
)

// commands puts shell scripts before the system's programs.
func commands(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777))
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

// batch is one of n cells.
func batch(n, each int) *Batch {
	b := &Batch{Dir: "/study", Tool: "/bin/jacquard", Each: each, Jobs: 2}
	for i := range n {
		b.Cells = append(b.Cells, &study.Cell{Name: string(rune('a' + i))})
	}
	return b
}

func TestTasks(t *testing.T) {
	b := batch(7, 3)
	require.Equal(t, 3, b.Tasks())
	require.Len(t, b.Task(0), 3)
	require.Equal(t, []*study.Cell{{Name: "g"}}, b.Task(2))
	require.Nil(t, b.Task(3))
	require.Nil(t, b.Task(-1))
}

// One call of sbatch submits a batch. The names of jobs lead from the queue back to the cells.
func TestSubmit(t *testing.T) {
	dir := t.TempDir()
	commands(t, map[string]string{
		"sbatch":  "printf '%s\\n' \"$@\" > " + dir + "/args; cat > " + dir + "/script; echo '77;lab'",
		"squeue":  "cat " + dir + "/queue",
		"scancel": "echo $* > " + dir + "/cancelled",
	})
	require.NoError(t, Check())
	q := &Queue{Folder: &sweep.Folder{Path: dir, ID: "abc"}, Options: Options{Partition: "p", Time: "10", Memory: "1G", Limit: 4, More: []string{"--account=lab"}}}
	job, err := q.Submit(t.Context(), batch(7, 3))
	require.NoError(t, err)
	require.Equal(t, "77", job)
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	require.NoError(t, err)
	require.Equal(t, "--parsable\n--job-name=jacquard-abc-0\n--array=0-2%4\n--open-mode=append\n--output="+dir+
		"/slurm/0_%a.out\n--chdir=/study\n--cpus-per-task=2\n--partition=p\n--time=10\n--mem=1G\n--account=lab\n", string(args))
	script, err := os.ReadFile(filepath.Join(dir, "script"))
	require.NoError(t, err)
	require.Equal(t, "#!/bin/sh\nexec /bin/jacquard sweep task "+dir+"/batches/00000.json\n", string(script))
	_, err = q.Submit(t.Context(), batch(1, 1))
	require.NoError(t, err)

	queue := "77|1|RUNNING|None|jacquard-abc-0\n77|2|PENDING|Resources|jacquard-abc-0\n77|0|COMPLETING|None|jacquard-abc-0\n" +
		"78|0|RUNNING|None|jacquard-abd-0\n79|N/A|RUNNING|None|other\n80|0|PENDING|Priority|jacquard-abc-1\n81|0|PENDING|Priority|jacquard-abc-99\nrubbish\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "queue"), []byte(queue), 0o666))
	live, err := q.Live(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Task{{"77", 0, 1, "RUNNING", "None"}, {"77", 0, 2, "PENDING", "Resources"}, {"80", 1, 0, "PENDING", "Priority"}, {"81", 99, 0, "PENDING", "Priority"}}, live)
	names, err := q.Cells(live)
	require.NoError(t, err)
	require.Equal(t, map[string]struct{}{"d": {}, "e": {}, "f": {}, "g": {}, "a": {}}, names)
	jobs, err := q.Cancel(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"77", "80", "81"}, jobs)
	cancelled, err := os.ReadFile(filepath.Join(dir, "cancelled"))
	require.NoError(t, err)
	require.Equal(t, "77 80 81\n", string(cancelled))
}

// A batch that Slurm refuses leaves no file.
func TestRefusedBatch(t *testing.T) {
	dir := t.TempDir()
	commands(t, map[string]string{"sbatch": "echo 'sbatch: error: first' >&2; echo 'sbatch: error: too many jobs' >&2; exit 1"})
	t.Setenv("PATH", os.Getenv("PATH")[:len(os.Getenv("PATH"))-len(":/usr/bin:/bin")]) // a system may have Slurm
	require.ErrorContains(t, Check(), "there is no squeue here")
	q := &Queue{Folder: &sweep.Folder{Path: dir, ID: "abc"}}
	_, err := q.Submit(t.Context(), batch(2, 1))
	var failed *CommandError
	require.ErrorAs(t, err, &failed)
	require.EqualError(t, err, "sbatch: sbatch: error: too many jobs")
	list, err := os.ReadDir(filepath.Join(dir, "batches"))
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestLoadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.json")
	for _, text := range []string{"", "{}", `{"format":"jacquard sweep","version":1,"each":0}`, `{"format":"jacquard sweep","version":2,"each":1}`} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := Load(path)
		var bad *sweep.FormatError
		require.ErrorAs(t, err, &bad, text)
	}
}
