package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"jacquard/internal/outfile"
	"jacquard/internal/plain"
	"jacquard/libcuda/driver/knobs"
)

// runList is the list of the files that the processes of a program begin. The library writes it, so
// that a file of an earlier run cannot pass for one of this run. outfile.RunVariable explains it.
type runList struct{ path string }

func newRunList() (runList, error) {
	f, err := os.CreateTemp("", "jacquard-run-*")
	if err != nil {
		return runList{}, err
	}
	return runList{f.Name()}, f.Close()
}

// variables returns the environment variables that hand the list and the names of the files to the
// program.
func (l runList) variables(s knobs.Settings) []string {
	return []string{outfile.RunVariable + "=" + l.path, "JACQUARD_TRACE=" + s.Trace, "JACQUARD_STATS=" + s.Stats, "JACQUARD_RECORD=" + s.Record, "JACQUARD_CHECK_REPORT=" + s.CheckReport}
}

func (l runList) close() { os.Remove(l.path) }

// joinRun returns the list for the files of this process: its run's list, or a new one. The caller
// calls leave.
func joinRun() (l runList, leave func(), err error) {
	if path := os.Getenv(outfile.RunVariable); path != "" {
		return runList{path}, func() {}, nil
	}
	if l, err = newRunList(); err != nil {
		return l, nil, err
	}
	leave = func() {
		os.Unsetenv(outfile.RunVariable)
		l.close()
	}
	return l, leave, os.Setenv(outfile.RunVariable, l.path)
}

// place returns the path of the last file that was begun for one at path. That is path itself, unless
// another process had that file.
func (l runList) place(path string) string {
	begun, _ := outfile.Files(l.path)
	asked, _ := filepath.Abs(path)
	if files := begunFor(begun, asked); len(files) > 0 && files[len(files)-1] != asked {
		return files[len(files)-1]
	}
	return path
}

// mostSummed is how many files of one kind are summed up: a program may have many processes.
const mostSummed = 10

// report finishes the bundles of a program that ended with a status, and sums up its files unless
// quiet. The files of each process (%p), and devices, are left alone. A file that could not be written
// to its end is an error.
func (l runList) report(w io.Writer, o knobs.Outputs, status int, quiet bool) error {
	begun, err := outfile.Files(l.path)
	if err != nil {
		return err
	}
	broken, err := outfile.BrokenFiles(l.path)
	if err != nil {
		return err
	}
	r := runReport{w, begun, quiet}
	r.each("bundle", o.Record.Path, func(path string, quiet bool) { finishRecord(w, path, status, quiet) })
	r.each("trace", o.Trace.Path, func(path string, quiet bool) {
		if !quiet {
			reportTrace(w, path)
		}
	})
	if to := o.Stats.To; o.Stats.Write {
		r.each("statistics", to.Path, func(path string, quiet bool) {
			if to.Path = path; !quiet {
				reportStats(w, knobs.Stats{Write: true, To: to})
			}
		})
	}
	for _, b := range broken {
		err = errors.Join(err, b)
	}
	return err
}

// runReport sums up on w the files that a run began, unless quiet.
type runReport struct {
	w     io.Writer
	begun []outfile.Begun
	quiet bool
}

// each calls sum for the files that processes began when they were asked for one at path. what
// describes their content.
func (r *runReport) each(what, path string, sum func(path string, quiet bool)) {
	if path == "" || knobs.PerProcess(path) || isDevice(path) {
		return
	}
	files := begunFor(r.begun, path)
	if len(files) == 0 {
		reportNone(r.w, what, path)
	}
	for i, file := range files {
		if outfile.Taken(file) {
			plain.Fprintf(r.w, "jacquard: %s: a process of the program still writes it\n", file)
			continue
		}
		sum(file, r.quiet || i >= mostSummed)
	}
	if more := len(files) - mostSummed; more > 0 && !r.quiet {
		plain.Fprintf(r.w, "jacquard: %s, and %s more beside it\n", path, counted(more, "file", "files"))
	}
}

// begunFor returns the files that processes began when they were asked for one at path.
func begunFor(begun []outfile.Begun, path string) (files []string) {
	for _, b := range begun {
		if b.Asked == filepath.Clean(path) {
			files = append(files, b.Path)
		}
	}
	return files
}

// reportNone says that a run wrote no file at path, and which run the present file is from.
func reportNone(w io.Writer, what, path string) {
	of := ""
	if outfile.Taken(path) {
		of = fmt.Sprintf(": another process writes %s", path)
	} else if _, err := os.Stat(path); err == nil {
		of = fmt.Sprintf(": %s is of an earlier run", path)
	}
	plain.Fprintf(w, "jacquard: the program wrote no %s%s\n", what, of)
}
