package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"jacquard/study"
	"jacquard/study/sweep"
)

// Options are passed on to sbatch.
type Options struct {
	Partition string
	Time      string   // of a task, as --time takes it
	Memory    string   // of a task, as --mem takes it
	Limit     int      // tasks of an array that run at a time; 0 is no limit
	More      []string // further options of sbatch
}

// Queue is Slurm's queue, as far as it is about one folder.
type Queue struct {
	Folder *sweep.Folder
	Options
}

// CommandError is a command of Slurm's that failed.
type CommandError struct {
	Command string
	Said    string
	Err     error
}

// Error gives the last line that the command printed.
func (e *CommandError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("%s: %v", e.Command, e.Err)
	}
	lines := strings.Split(e.Said, "\n")
	return fmt.Sprintf("%s: %s", e.Command, lines[len(lines)-1])
}

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

// Check returns an error if a command of Slurm's is missing here.
func Check() error {
	for _, name := range [...]string{"sbatch", "squeue", "scancel"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("there is no %s here: want a machine that submits to Slurm, or --on local", name)
		}
	}
	return nil
}

// call runs a command of Slurm's and returns its output.
func call(ctx context.Context, stdin, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &said
	out, err := cmd.Output()
	if err != nil {
		return "", &CommandError{name, strings.TrimSpace(said.String()), err}
	}
	return strings.TrimSpace(string(out)), nil
}

// prefix begins the names of the folder's jobs; the number of the batch follows.
func (q *Queue) prefix() string { return "jacquard-" + q.Folder.ID + "-" }

// Used reports whether cells of the folder have been submitted.
func (q *Queue) Used() bool {
	_, err := os.Stat(filepath.Join(q.Folder.Path, batches))
	return err == nil
}

// Submit writes a batch and submits it, by one call of sbatch. It returns the number of the job.
func (q *Queue) Submit(ctx context.Context, b *Batch) (job string, err error) {
	if len(b.Cells) == 0 || len(b.Cells) > MostCells || b.Each < 1 {
		panic("slurm: a batch without cells, or with too many")
	}
	b.Folder = q.Folder.Path
	number, err := b.write()
	if err != nil {
		return "", err
	}
	said := filepath.Join(q.Folder.Path, "slurm")
	if err := os.MkdirAll(said, 0o777); err != nil {
		return "", err
	}
	array := fmt.Sprintf("0-%d", b.Tasks()-1)
	if q.Limit > 0 {
		array += "%" + strconv.Itoa(q.Limit)
	}
	args := []string{
		"--parsable", "--job-name=" + q.prefix() + strconv.Itoa(number), "--array=" + array, "--open-mode=append",
		"--output=" + filepath.Join(strings.ReplaceAll(said, "%", "%%"), strconv.Itoa(number)+"_%a.out"), "--chdir=" + b.Dir,
	}
	if b.Jobs > 1 {
		args = append(args, "--cpus-per-task="+strconv.Itoa(b.Jobs))
	}
	for _, o := range [...][2]string{{"--partition=", q.Partition}, {"--time=", q.Time}, {"--mem=", q.Memory}} {
		if o[1] != "" {
			args = append(args, o[0]+o[1])
		}
	}
	args = append(args, q.More...)
	script := "#!/bin/sh\nexec " + study.Quote([]string{b.Tool, "sweep", "task", path(q.Folder.Path, number)}) + "\n"
	job, err = call(ctx, script, "sbatch", args...)
	if err != nil {
		return "", errors.Join(err, os.Remove(path(q.Folder.Path, number)))
	}
	job, _, _ = strings.Cut(job, ";") // the cluster's name may follow
	return job, nil
}

// Task is a task of an array that has not ended.
type Task struct {
	Job    string // number of the array
	Batch  int
	Index  int
	State  string // RUNNING, PENDING and so on
	Reason string // why it is pending
}

// completing is the state of a task whose processes have ended.
const completing = "COMPLETING"

// Live returns the tasks of the folder's jobs that have not ended.
func (q *Queue) Live(ctx context.Context) ([]Task, error) {
	out, err := call(ctx, "", "squeue", "--me", "--noheader", "--array", "--format=%F|%K|%T|%r|%j")
	if err != nil {
		return nil, err
	}
	return q.parse(out), nil
}

// parse reads the answer of squeue; jobs of others are left out.
func (q *Queue) parse(out string) (tasks []Task) {
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSpace(line), "|", 5)
		if len(f) != 5 {
			continue
		}
		number, ours := strings.CutPrefix(f[4], q.prefix())
		batch, err := strconv.Atoi(number)
		index, err2 := strconv.Atoi(f[1])
		if ours && err == nil && err2 == nil && f[2] != completing {
			tasks = append(tasks, Task{Job: f[0], Batch: batch, Index: index, State: f[2], Reason: f[3]})
		}
	}
	return tasks
}

// Cells returns the names of the cells that tasks have or will run.
func (q *Queue) Cells(tasks []Task) (map[string]struct{}, error) {
	names, loaded := map[string]struct{}{}, map[int]*Batch{}
	for _, t := range tasks {
		b, ok := loaded[t.Batch]
		if !ok {
			var err error
			if b, err = load(q.Folder.Path, t.Batch); err != nil {
				return nil, err
			}
			loaded[t.Batch] = b
		}
		if b == nil {
			continue
		}
		for _, c := range b.Task(t.Index) {
			names[c.Name] = struct{}{}
		}
	}
	return names, nil
}

// Cancel cancels all jobs of the folder, and returns their numbers.
func (q *Queue) Cancel(ctx context.Context) (jobs []string, err error) {
	tasks, err := q.Live(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		if !slices.Contains(jobs, t.Job) {
			jobs = append(jobs, t.Job)
		}
	}
	if len(jobs) > 0 {
		_, err = call(ctx, "", "scancel", jobs...)
	}
	return jobs, err
}
