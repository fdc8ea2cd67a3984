package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/study"
	"jacquard/study/sweep"
	"jacquard/study/sweep/slurm"
)

// errDetached ends a sweep that is left to Slurm.
var errDetached = errors.New("left to Slurm")

// submit submits the cells that are not in the queue yet, and waits until no task is there.
func (f *sweepFlags) submit(ctx context.Context, c *cobra.Command, s *study.Study, r sweep.Runner, todo []int, p *sweep.Progress) error {
	q := &slurm.Queue{Folder: r.Folder, Options: f.Options}
	live, err := q.Live(ctx)
	if err != nil {
		return err
	}
	queued, err := q.Cells(live)
	if err != nil {
		return err
	}
	if len(live) == 0 {
		if err := r.Folder.Clean(); err != nil {
			return err
		}
	}
	b := &slurm.Batch{Dir: r.Dir, Tool: r.Tool, Library: r.Library, Each: f.each, Jobs: max(f.jobs, 1)}
	waiting := map[string]struct{}{}
	submit := func() error {
		if len(b.Cells) == 0 {
			return nil
		}
		job, err := q.Submit(ctx, b)
		if err != nil {
			return err
		}
		plain.Fprintf(c.ErrOrStderr(), "jacquard: job %s: %s in %s\n", job, counted(len(b.Cells), "cell", "cells"), counted(b.Tasks(), "task", "tasks"))
		b.Cells = nil
		return nil
	}
	for _, i := range todo {
		cell := s.Cell(i)
		waiting[cell.Name] = struct{}{}
		if _, there := queued[cell.Name]; there {
			continue
		}
		if f.again {
			if err := r.Folder.Forget(cell.Name); err != nil {
				return err
			}
		}
		if b.Cells = append(b.Cells, cell); len(b.Cells) == slurm.MostCells {
			if err := submit(); err != nil {
				return err
			}
		}
	}
	if err := submit(); err != nil {
		return err
	}
	if f.detach {
		plain.Fprintf(c.OutOrStdout(), "%s: jacquard sweep status says more, and the same command without --detach waits\n", p)
		return errDetached
	}
	return wait(ctx, c, q, waiting, p)
}

// The pauses between looks at the queue: the first, and the longest.
const firstPause, longestPause = time.Second, 15 * time.Second

// wait waits until all cells have results, or no task is left. A shared file system may show a
// result some time after its task has ended.
func wait(ctx context.Context, c *cobra.Command, q *slurm.Queue, waiting map[string]struct{}, p *sweep.Progress) error {
	empty, pause := 0, firstPause
	for len(waiting) > 0 {
		select {
		case <-ctx.Done():
			return errLeft
		case <-time.After(pause):
		}
		pause = min(pause*5/4, longestPause)
		live, err := q.Live(ctx)
		switch {
		case ctx.Err() != nil:
			return errLeft
		case err != nil: // the controller may be away for a while
			progress(c, "")
			plain.Fprintf(c.ErrOrStderr(), "jacquard: %v\n", err)
			continue
		}
		finished, err := q.Folder.Finished()
		if err != nil {
			return err
		}
		for name := range waiting {
			if _, ok := finished[name]; !ok {
				continue
			}
			result, err := q.Folder.Read(name)
			if err != nil {
				continue // damaged, or not all there yet
			}
			delete(waiting, name)
			p.Add(result)
		}
		p.Running = 0
		for _, t := range live {
			if t.State == "RUNNING" {
				p.Running++
			}
		}
		progress(c, p.String())
		if empty++; len(live) > 0 {
			empty = 0
		}
		const sure = 3
		if empty == sure {
			p.Unfinished = len(waiting)
			break
		}
	}
	p.Running = 0
	return nil
}

// errLeft ends the wait for Slurm: the jobs stay.
var errLeft = errors.New("interrupted: Slurm goes on with the jobs, and jacquard sweep cancel ends them")

func newSweepStatus() *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use:     "status STUDY",
		Short:   "Say how many cells of a study are done, and what of it is in Slurm's queue",
		Example: "  jacquard sweep status study.toml",
		Args:    arguments(1, 1, "a study file"),
		RunE: func(c *cobra.Command, args []string) error {
			s, f, err := openStudy(args[0], folder)
			if err != nil {
				return err
			}
			_, p, err := f.Todo(s, false, func(err error) { plain.Fprintf(c.ErrOrStderr(), "jacquard: %v\n", err) })
			if err != nil {
				return err
			}
			plain.Fprintf(c.OutOrStdout(), "%s: %s\n", sweepFolder(args[0], folder), p)
			q := &slurm.Queue{Folder: f}
			if !q.Used() {
				return nil
			}
			if err := slurm.Check(); err != nil {
				return err
			}
			live, err := q.Live(c.Context())
			if err != nil {
				return err
			}
			printQueue(c, live)
			return nil
		},
	}
	addSweepFolder(c, &folder)
	return c
}

// printQueue prints how many tasks are in which state.
func printQueue(c *cobra.Command, live []slurm.Task) {
	states := map[string]int{}
	for _, t := range live {
		state := strings.ToLower(t.State)
		if t.State == "PENDING" {
			state += " (" + t.Reason + ")"
		}
		states[state]++
	}
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(states)) {
		parts = append(parts, fmt.Sprintf("%d %s", states[state], state))
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	plain.Fprintf(c.OutOrStdout(), "queue: %s\n", strings.Join(parts, ", "))
}

func newSweepCancel() *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use:     "cancel STUDY",
		Short:   "Cancel the jobs of a study in Slurm's queue; results stay",
		Example: "  jacquard sweep cancel study.toml",
		Args:    arguments(1, 1, "a study file"),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := sweep.Open(sweepFolder(args[0], folder))
			if err != nil {
				return err
			}
			if err := slurm.Check(); err != nil {
				return err
			}
			jobs, err := (&slurm.Queue{Folder: f}).Cancel(c.Context())
			if err != nil {
				return err
			}
			plain.Fprintf(c.OutOrStdout(), "%s cancelled\n", counted(len(jobs), "job", "jobs"))
			return nil
		},
	}
	addSweepFolder(c, &folder)
	return c
}

// taskVariable tells a task of an array its number.
const taskVariable = "SLURM_ARRAY_TASK_ID"

// newSweepTask is the command of a task of an array.
func newSweepTask() *cobra.Command {
	return &cobra.Command{
		Use:     "task BATCH",
		Short:   "Run the cells of one task of a batch; Slurm's jobs call this",
		Example: "  SLURM_ARRAY_TASK_ID=0 jacquard sweep task study.sweep/batches/00000.json",
		Hidden:  true,
		Args:    arguments(1, 1, "the file of a batch"),
		RunE: func(c *cobra.Command, args []string) error {
			number, err := strconv.Atoi(os.Getenv(taskVariable))
			if err != nil {
				return usagef("%s=%q: want the number of a task", taskVariable, os.Getenv(taskVariable))
			}
			ctx, stop := until(os.Interrupt, syscall.SIGTERM)
			defer stop()
			return runTask(ctx, c, args[0], number)
		},
	}
}

// runTask runs the cells of a task that are not finished.
func runTask(ctx context.Context, c *cobra.Command, path string, number int) error {
	b, err := slurm.Load(path)
	if err != nil {
		return err
	}
	folder, err := sweep.Open(b.Folder)
	if err != nil {
		return err
	}
	var todo []*study.Cell
	for _, cell := range b.Task(number) {
		if _, err := folder.Read(cell.Name); err != nil {
			todo = append(todo, cell)
		}
	}
	unfinished := 0
	l := &sweep.Local{
		Runner: sweep.Runner{Folder: folder, Dir: b.Dir, Tool: b.Tool, Library: b.Library, Host: host()}, Jobs: b.Jobs,
		Ended: func(_ *study.Cell, _ *sweep.Result, err error) {
			if err != nil {
				unfinished++
				plain.Fprintf(c.ErrOrStderr(), "jacquard: %v\n", err)
			}
		},
	}
	if err := l.Run(ctx, len(todo), func(i int) *study.Cell { return todo[i] }); err != nil {
		return err
	}
	if unfinished > 0 {
		return errSaid
	}
	return nil
}
