package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/observe/stats"
	"jacquard/study"
)

// begun returns the files that the processes of a cell began for one name, which [outfile.Create]
// keeps apart: the first process's file, and numbered files beside it for the others. They come in
// the order of processes.
func (r *Runner) begun(name string) ([]string, error) {
	suffix := filepath.Ext(name)
	stem := strings.TrimSuffix(name, suffix) + "."
	entries, err := os.ReadDir(r.scratch)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), stem) && strings.HasSuffix(e.Name(), suffix) {
			names = append(names, e.Name())
		}
	}
	place := func(file string) int {
		if file == name {
			return -1
		}
		number := 0
		fmt.Sscanf(strings.TrimPrefix(file, stem), "%d", &number)
		if i := slices.Index(r.order, number); i >= 0 {
			return i
		}
		return len(r.order) // it ended before its first launch did
	}
	slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	for i := range names {
		names[i] = r.file(names[i])
	}
	return names, nil
}

// sum merges the files of statistics of several processes into one. It leaves out empty files:
// something ended their processes.
func (r *Runner) sum(c *study.Cell, files []string) (err error) {
	target, err := stats.ParseTarget(r.statistics(c))
	if err != nil {
		return err
	}
	target.Path = r.file(sumFile)
	sink, err := target.Create(&stats.Run{Program: c.File})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	var series stats.Series
	for _, file := range files {
		_, err := series.LoadEach(file, sink.Add)
		if none := new(stats.FormatError); err != nil && !errors.As(err, &none) {
			return err
		}
	}
	return nil
}

// keepStatistics moves the statistics of a cell to their place, in one file.
func (r *Runner) keepStatistics(c *study.Cell) error {
	files, err := r.begun(statsFile)
	if err != nil {
		return err
	}
	from := r.file(statsFile)
	if len(files) > 1 {
		from = r.file(sumFile)
		if err := r.sum(c, files); err != nil {
			return err
		}
	}
	return move(from, r.Folder.Statistics(c.Name))
}

// keepTraces moves the traces of a cell to their places, one for each process. Traces that are
// already there are of an earlier run of the cell.
func (r *Runner) keepTraces(c *study.Cell) error {
	for i := 0; ; i++ {
		err := os.Remove(r.Folder.Trace(c.Name, i))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return err
		}
	}
	files, err := r.begun(traceFile)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fs.ErrNotExist
	}
	for i, file := range files {
		if err := move(file, r.Folder.Trace(c.Name, i)); err != nil {
			return err
		}
	}
	return nil
}
