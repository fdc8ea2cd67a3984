package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"jacquard/internal/outfile"
	"jacquard/internal/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/stats"
)

// gathering makes one statistics file of the files of many runs. Each run writes a temporary file,
// and its launches are added as it ends: the file is whole after every run. The first launch begins
// the file, so runs without launches do not touch an older file.
type gathering struct {
	target stats.Target
	about  string // the program
	folder string
	run    string        // the first process's temporary file; others' files are beside it
	sink   *stats.Writer // nil before the first launch
	files  stats.Series
}

// checkStats parses --stats of a comparison, and returns an error if it is impossible.
func checkStats(text string) (t stats.Target, err error) {
	if text == "" {
		return t, nil
	}
	if t, err = stats.ParseTarget(text); err != nil {
		return t, usagef("--stats %q: want a file that ends in .json, .csv or .parquet", text)
	}
	return t, allWritable(knobs.Outputs{Stats: knobs.Stats{Write: true, To: t}})
}

// gather prepares a file of the statistics of several runs. For the zero target it returns nil, which
// gathers nothing.
func gather(t stats.Target, program string) (*gathering, error) {
	if t.Path == "" {
		return nil, nil
	}
	folder, err := os.MkdirTemp("", "jacquard-compare-*")
	if err != nil {
		return nil, err
	}
	return &gathering{target: t, about: program, folder: folder, run: filepath.Join(folder, "run.json")}, nil
}

// knob returns the stats knob of a run; other is its value if nothing is gathered.
func (g *gathering) knob(other string) string {
	if g == nil {
		return other
	}
	return stats.Target{Path: g.run, Tags: g.target.Tags, Costs: g.target.Costs}.String()
}

// add adds the launches of the run of this process that ended.
func (g *gathering) add() error {
	if g == nil {
		return nil
	}
	return g.addFile(g.run)
}

// addProgram adds the launches of all processes of the program that ended; list has their files.
func (g *gathering) addProgram(list runList) error {
	if g == nil {
		return nil
	}
	begun, err := outfile.Files(list.path)
	if err != nil {
		return err
	}
	for _, file := range begunFor(begun, g.run) {
		if err := g.addFile(file); err != nil {
			return err
		}
	}
	return nil
}

// addFile adds the launches in a file, and removes it. The file may be absent: nothing was
// launched, or it was added before.
func (g *gathering) addFile(path string) error {
	_, err := g.files.LoadEach(path, g.addLaunch)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, os.Remove(path))
}

// addLaunch adds a launch to the file.
func (g *gathering) addLaunch(l *stats.Launch) (err error) {
	if g.sink == nil {
		if g.sink, err = g.target.Create(&stats.Run{Program: g.about}); err != nil {
			return err
		}
	}
	return g.sink.Add(l)
}

// end closes the file, and lists its content on standard error.
func (g *gathering) end(c *cobra.Command) error {
	if g == nil {
		return nil
	}
	err := os.RemoveAll(g.folder)
	if g.sink == nil {
		reportNone(c.ErrOrStderr(), "statistics", g.target.Path)
		return err
	}
	if err := errors.Join(err, g.sink.Close()); err != nil {
		return err
	}
	if g.sink.Path() != g.target.Path {
		plain.Fprintf(c.ErrOrStderr(), "jacquard: another process has %s: the statistics go to %s\n", g.target.Path, g.sink.Path())
	}
	reportStats(c.ErrOrStderr(), knobs.Stats{Write: true, To: stats.Target{Path: g.sink.Path(), Kind: g.target.Kind}})
	return nil
}
