package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"jacquard/study"
	"jacquard/study/programs"
)

// Runner runs cells as child processes, one at a time.
type Runner struct {
	Folder  *Folder
	Dir     string // of the study: the children's working folder
	Tool    string // path of jacquard
	Library string // folder of the simulator's library, "" for that beside the tool
	Host    string // as results name it

	scratch string   // folder for the files of the cell that runs
	base    []string // environment of children
	order   []int    // the processes of the cell that launched kernels, by their first launch
}

// Begin makes a folder for the runner's files, which no other runner uses. The caller calls End.
func (r *Runner) Begin() error {
	running := filepath.Join(r.Folder.Path, "running")
	if err := os.MkdirAll(running, 0o777); err != nil {
		return err
	}
	var err error
	r.scratch, err = os.MkdirTemp(running, fmt.Sprintf("%s-%d-*", r.Host, os.Getpid()))
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "JACQUARD_") { // the study says which knobs are set
			r.base = append(r.base, v)
		}
	}
	return err
}

// End removes the runner's files.
func (r *Runner) End() { os.RemoveAll(r.scratch) }

// UnfinishedError says why a cell has no result: it is to be run again.
type UnfinishedError struct {
	Cell   string
	Reason string
	Full   bool // there was no room on the disk
}

// Error names the cell.
func (e *UnfinishedError) Error() string { return e.Cell + ": " + e.Reason }

// files of a cell that runs, in the runner's folder.
const (
	logFile     = "log"
	summaryFile = "summary.jsonl"
	statsFile   = "stats.json"
	traceFile   = "trace.jqt"
	sumFile     = "sum.json" // of the statistics of several processes
	partFile    = "cell"
)

func (r *Runner) file(name string) string { return filepath.Join(r.scratch, name) }

// Run runs a cell to its end and keeps its result. An *UnfinishedError costs this cell only.
func (r *Runner) Run(ctx context.Context, c *study.Cell) (*Result, error) {
	p, err := r.start(ctx, c)
	if err != nil {
		return nil, r.unfinished(c, err)
	}
	result, err := r.judge(c, p)
	// What ended the sweep, a full disk perhaps, may have made the cell fail.
	if ctx.Err() != nil && (err != nil || !result.Status.Good()) {
		err = context.Canceled
	}
	if err == nil {
		err = r.settle(c, result)
	}
	if err != nil {
		return nil, r.unfinished(c, err)
	}
	return result, nil
}

// unfinished is the error of a cell without a result.
func (r *Runner) unfinished(c *study.Cell, err error) error {
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	return &UnfinishedError{c.Name, err.Error(), full}
}

// start runs the child process of a cell to its end.
func (r *Runner) start(ctx context.Context, c *study.Cell) (*programs.Process, error) {
	if c.Kind != study.Program || strings.Contains(c.File, "/") { // a lost file system is no result
		file := c.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(r.Dir, file)
		}
		if _, err := os.Stat(file); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(os.RemoveAll(r.scratch), os.Mkdir(r.scratch, 0o700)); err != nil { // of the cell before
		return nil, err
	}
	log, err := os.Create(r.file(logFile))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p, err := programs.Command(func(ctx context.Context) (*exec.Cmd, error) {
		cmd := exec.CommandContext(ctx, r.Tool, c.Command(r.Library)...)
		cmd.Dir = r.Dir
		cmd.Env = slices.Concat(r.base, c.Variables(), r.knobs(c))
		cmd.SysProcAttr = child()
		return cmd, nil
	}).Run(ctx, time.Duration(c.Limit*float64(time.Second)), log)
	if exit := (*exec.ExitError)(nil); err == nil && p.Ended != nil && !p.Late && !errors.As(p.Ended, &exit) {
		err = p.Ended
	}
	return p, err
}

// knobs returns the variables that keep the cell's files.
func (r *Runner) knobs(c *study.Cell) []string {
	list := []string{"JACQUARD_SUMMARY=" + r.file(summaryFile)}
	if c.Keep.Digests {
		list = append(list, "JACQUARD_DIGEST=on")
	}
	if c.Keep.Statistics {
		list = append(list, "JACQUARD_STATS="+r.statistics(c))
	}
	switch c.Keep.Trace {
	case "":
	case study.TraceAll:
		list = append(list, "JACQUARD_TRACE="+r.file(traceFile))
	default:
		list = append(list, "JACQUARD_TRACE="+r.file(traceFile)+":"+c.Keep.Trace)
	}
	return list
}

// statistics is the stats knob of a cell.
func (r *Runner) statistics(c *study.Cell) string {
	if c.Keep.Counts == "" {
		return r.file(statsFile)
	}
	return r.file(statsFile) + ":" + c.Keep.Counts
}

// settle moves the cell's files to their places; the result comes last.
func (r *Runner) settle(c *study.Cell, result *Result) error {
	if c.Keep.Output || !result.Status.Good() {
		if err := move(r.file(logFile), r.Folder.Log(c.Name)); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		wanted bool
		keep   func(*study.Cell) error
	}{{c.Keep.Statistics, r.keepStatistics}, {c.Keep.Trace != "", r.keepTraces}} {
		if !f.wanted {
			continue
		}
		err := f.keep(c)
		if errors.Is(err, os.ErrNotExist) && (result.Status != Passed || len(result.Kernels) == 0) {
			continue // nothing ran
		}
		if err != nil {
			return err
		}
	}
	return r.Folder.keep(result, r.file(partFile))
}
