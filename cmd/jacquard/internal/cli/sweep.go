package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/study"
	"jacquard/study/bind"
	"jacquard/study/sweep"
	"jacquard/study/sweep/slurm"
)

type sweepFlags struct {
	on           string
	folder       string
	lib          string
	jobs         int
	dryRun       bool
	json         bool
	again        bool
	instructions bool
	detach       bool
	each         int
	slurm.Options
}

// The engines of a sweep.
const (
	onLocal = "local"
	onSlurm = "slurm"
)

func newSweep() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep STUDY",
		Short: "Run a study: programs and kernels under many settings, here or on Slurm",
		Long: `Run every cell of a study: programs, kernels, tests and bundles, under each of the policies,
devices, knobs, environment variables and arguments that the study file lists. docs/sweep.md
describes the file. Each cell is a process of its own, and its result is kept in a folder as
it ends. The same command goes on where a sweep was interrupted: it runs the cells that have
no result. At the end it writes Parquet tables of all cells, and of their kernels.

With --on slurm the cells are submitted as job arrays, and the command waits for them;
--detach does not wait. The folder, the study's files and the tool must be on file systems
that the nodes share.

Exit status 1 if a cell failed, differs or has no result.`,
		Example: `  jacquard sweep study.toml --dry-run
  jacquard sweep study.toml --jobs 4
  jacquard sweep study.toml --on slurm --partition short --time 10:00 --cells 20
  jacquard sweep report study.toml --rows subject --columns policy --page study.html`,
		Args: arguments(1, 1, "a study file"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0]) },
	}
	fl := c.Flags()
	fl.StringVar(&f.on, "on", onLocal, "run the cells on `ENGINE`: local, by processes of this machine, or slurm")
	fl.IntVar(&f.jobs, "jobs", 0, "run `N` cells at a time (default: as many as there are cores; 1 in a task of Slurm)")
	fl.StringVar(&f.lib, "lib", "", libHelp)
	fl.BoolVar(&f.dryRun, "dry-run", false, "print the cells and run none")
	fl.BoolVar(&f.json, "json", false, "with --dry-run: one JSON object per cell")
	fl.BoolVar(&f.again, "again", false, "run cells that failed again, too")
	fl.BoolVar(&f.instructions, "instructions", false, "write a table of all instructions, too; the study must keep statistics")
	fl.IntVar(&f.each, "cells", 10, "Slurm: `N` cells in each task of an array")
	fl.StringVar(&f.Partition, "partition", "", "Slurm: the `PARTITION`")
	fl.StringVar(&f.Time, "time", "", "Slurm: the `TIME` of a task, as sbatch takes it")
	fl.StringVar(&f.Memory, "memory", "", "Slurm: the `MEMORY` of a task, as sbatch --mem takes it")
	fl.IntVar(&f.Limit, "array-limit", 0, "Slurm: at most `N` tasks of an array at a time")
	fl.StringArrayVar(&f.More, "sbatch", nil, "Slurm: one more `OPTION` of sbatch, as --account=lab; may be given several times")
	fl.BoolVar(&f.detach, "detach", false, "Slurm: submit, and do not wait")
	addSweepFolder(c, &f.folder)
	c.AddCommand(newSweepStatus(), newSweepCancel(), newSweepReport(), newSweepTask())
	return c
}

// addSweepFolder adds the flag of the folder of results.
func addSweepFolder(c *cobra.Command, folder *string) {
	c.Flags().StringVarP(folder, "output", "o", "", "the `FOLDER` of results (default: STUDY's name, with .sweep)")
}

// openStudy reads a study, and opens its folder of results.
func openStudy(path, folder string) (*study.Study, *sweep.Folder, error) {
	s, err := study.Load(path)
	if err != nil {
		return nil, nil, err
	}
	f, err := sweep.Open(sweepFolder(path, folder))
	return s, f, err
}

// sweepFolder returns the folder of results of a study.
func sweepFolder(path, given string) string {
	return cmp.Or(given, strings.TrimSuffix(path, filepath.Ext(path))+".sweep")
}

// check refuses flags that make no sense.
func (f *sweepFlags) check(s *study.Study) error {
	if err := oneOf("on", f.on, onLocal, onSlurm); err != nil {
		return err
	}
	switch {
	case f.jobs < 0:
		return usagef("--jobs %d: want 1 or more", f.jobs)
	case f.each < 1:
		return usagef("--cells %d: want 1 or more", f.each)
	case f.Limit < 0:
		return usagef("--array-limit %d: want 1 or more", f.Limit)
	case f.json && !f.dryRun:
		return usagef("--json goes with --dry-run: the tables have the results")
	case f.instructions && !s.Keep.Statistics:
		return usagef("--instructions wants statistics = true in [keep] of the study")
	}
	return nil
}

func (f *sweepFlags) run(c *cobra.Command, path string) error {
	s, err := study.Load(path)
	if err != nil {
		return err
	}
	if err := f.check(s); err != nil {
		return err
	}
	if f.dryRun {
		return f.print(c, s)
	}
	if f.on == onSlurm {
		if err := slurm.Check(); err != nil {
			return err
		}
	}
	tool, err := os.Executable()
	if err != nil {
		return err
	}
	files, err := f.files(s, tool)
	if err != nil {
		return err
	}
	folder, err := sweep.Create(sweepFolder(path, f.folder), s, files)
	if err != nil {
		return err
	}
	defer folder.Close()
	ctx, stop := until(os.Interrupt, syscall.SIGTERM)
	defer stop()
	todo, p, err := folder.Todo(s, f.again, func(err error) { plain.Fprintf(c.ErrOrStderr(), "jacquard: %v: the cell is run again\n", err) })
	if err != nil {
		return err
	}
	r := sweep.Runner{Folder: folder, Dir: s.Dir(), Tool: tool, Library: f.lib}
	if f.on == onSlurm {
		err = f.submit(ctx, c, s, r, todo, p)
	} else {
		r.Host = host()
		err = f.local(ctx, c, s, r, todo, p)
	}
	progress(c, "")
	if errors.Is(err, errDetached) {
		return nil
	}
	return f.conclude(c, s, folder, sweepFolder(path, f.folder), p, err)
}

// files returns the files that must not change while a folder is in use, as far as they are known:
// the study's subjects, the tool and the library.
func (f *sweepFlags) files(s *study.Study, tool string) ([]string, error) {
	files := append(s.Files(), tool)
	if f.lib != "" {
		var err error
		if f.lib, err = filepath.Abs(f.lib); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for i := range s.Len() {
		cell := s.Cell(i)
		if cell.Kind != study.Program || seen[cell.File] {
			continue
		}
		seen[cell.File] = true
		program := cell.File
		if strings.Contains(program, "/") && !filepath.IsAbs(program) {
			program = filepath.Join(s.Dir(), program)
		}
		p, err := findProgram([]string{program}, f.lib)
		if err != nil {
			return nil, err
		}
		if !seen[p.lib.Path] {
			seen[p.lib.Path] = true
			files = append(files, p.lib.Path, filepath.Join(p.lib.Dir(), bind.Engine))
		}
	}
	return files, nil
}

// host returns the name of this machine, or of its Slurm node if Slurm runs several on one machine.
func host() string {
	if node := os.Getenv("SLURMD_NODENAME"); node != "" {
		return node
	}
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

// local runs cells as processes of this machine.
func (f *sweepFlags) local(ctx context.Context, c *cobra.Command, s *study.Study, r sweep.Runner, todo []int, p *sweep.Progress) error {
	if q := (slurm.Queue{Folder: r.Folder}); !q.Used() { // tasks of Slurm may run there
		if err := r.Folder.Clean(); err != nil {
			return err
		}
	}
	shown := time.Time{}
	show := func() {
		if time.Since(shown) > 100*time.Millisecond {
			shown = time.Now()
			progress(c, p.String())
		}
	}
	l := &sweep.Local{Runner: r, Jobs: cmp.Or(f.jobs, runtime.NumCPU()),
		Begun: func(*study.Cell) { p.Running++; show() },
		Ended: func(_ *study.Cell, result *sweep.Result, err error) {
			p.Running--
			p.Add(result)
			if err != nil && ctx.Err() == nil {
				progress(c, "")
				plain.Fprintf(c.ErrOrStderr(), "jacquard: %v\n", err)
			}
			show()
		}}
	return l.Run(ctx, len(todo), func(i int) *study.Cell { return s.Cell(todo[i]) })
}

// mostBad bounds the cells that are printed because they failed.
const mostBad = 20

// conclude writes the tables and says how the sweep went; name is the folder's for the user, and why
// the reason if the sweep ended early.
func (f *sweepFlags) conclude(c *cobra.Command, s *study.Study, folder *sweep.Folder, name string, p *sweep.Progress, why error) error {
	out := c.OutOrStdout()
	counts, bad := map[sweep.Status]int{}, 0
	err := folder.WriteTables(s, f.instructions, func(r *sweep.Result) error {
		counts[r.Status]++
		if r.Status.Good() {
			return nil
		}
		if bad++; bad <= mostBad {
			plain.Fprintf(out, "%s: %s: %s\n", r.Cell.Name, r.Status, r.Reason)
		}
		return nil
	})
	if err != nil {
		return errors.Join(why, err)
	}
	if bad > mostBad {
		plain.Fprintf(out, "and %d more: jacquard sweep report shows all\n", bad-mostBad)
	}
	done := 0
	var parts []string
	for _, status := range [...]sweep.Status{sweep.Passed, sweep.Refused, sweep.Failed, sweep.Differs, sweep.Late} {
		if n := counts[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
			done += n
		}
	}
	if missing := s.Len() - done; missing > 0 {
		parts = append(parts, fmt.Sprintf("%d without a result", missing))
	}
	plain.Fprintf(out, "%s: %s\n", counted(s.Len(), "cell", "cells"), strings.Join(parts, ", "))
	plain.Fprintf(out, "tables: %s, %s\n", filepath.Join(name, sweep.CellTable), filepath.Join(name, sweep.KernelTable))
	switch {
	case errors.Is(why, errLeft):
		return fmt.Errorf("%s: %w", p, why)
	case errors.Is(why, context.Canceled):
		return fmt.Errorf("interrupted: %s: what is done stays, and the same command runs the rest", p)
	case why != nil:
		return fmt.Errorf("%w: %s: what is done stays, and the same command runs the rest", why, p)
	case done < s.Len():
		return fmt.Errorf("%s: the same command runs the rest", p)
	case bad > 0:
		return errSaid
	}
	return nil
}

// print prints the cells of a study.
func (f *sweepFlags) print(c *cobra.Command, s *study.Study) error {
	out := c.OutOrStdout()
	encoder := json.NewEncoder(out)
	for i := range s.Len() {
		cell := s.Cell(i)
		if f.json {
			line := struct {
				*study.Cell
				Command string `json:"command"`
			}{cell, cell.Line()}
			if err := encoder.Encode(line); err != nil {
				return err
			}
			continue
		}
		if _, err := plain.Fprintf(out, "%s  %s\n", cell.Name, cell.Line()); err != nil {
			return err
		}
	}
	if !f.json {
		plain.Fprintf(c.ErrOrStderr(), "jacquard: %s, to be run in %s\n", counted(s.Len(), "cell", "cells"), s.Dir())
	}
	return nil
}
