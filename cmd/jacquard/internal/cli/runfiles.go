package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
	"jacquard/observe/stats"
	"jacquard/observe/trace"
)

// writable returns an error if no file can be written at path; what describes the content in the
// error. Nothing at path changes. A device or a pipe is not tried: opening it is an act of its own.
func writable(what, path string) error {
	if err := tryToWrite(path); err != nil {
		return fmt.Errorf("%s cannot be written: %w", what, err)
	}
	return nil
}

func tryToWrite(path string) error {
	info, err := os.Stat(path)
	switch {
	case path == standardOutput:
		return nil
	case err == nil && info.IsDir():
		return &os.PathError{Op: "open", Path: path, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return nil
	case err == nil:
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return f.Close()
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if target, err := os.Readlink(path); err == nil { // a link to nothing
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(path))
}

// checkOutputs returns the files that a run with these settings writes, and an error if one of them
// cannot be written, or is also an input or another output. A command checks before it runs:
// otherwise the results of hours could be lost.
func checkOutputs(s knobs.Settings, inputs []string, others ...output) (knobs.Outputs, error) {
	o, err := s.Outputs()
	if err != nil {
		return o, err
	}
	files := outputsOf(s, o.OfProcess())
	if err := notStandardOutput(files...); err != nil {
		return o, err
	}
	if err := apart(inputs, append(files, others...)...); err != nil {
		return o, err
	}
	if s.Progress != "" && s.Progress != knobs.ProgressOff {
		if err := writable("the progress", s.Progress); err != nil {
			return o, err
		}
	}
	if s.CheckReport != "" {
		if err := writable("what is found", s.CheckReport); err != nil {
			return o, err
		}
	}
	return o, allWritable(o.OfProcess())
}

// notStandardOutput refuses an output on which a command prints other text.
func notStandardOutput(files ...output) error {
	for _, f := range files {
		if f.path == standardOutput {
			return usagef("%s -: want a file: standard output is for other text", f.what)
		}
	}
	return nil
}

// outputsOf returns the files that a run with these settings writes.
func outputsOf(s knobs.Settings, o knobs.Outputs) []output {
	files := []output{{"--trace", o.Trace.Path}, {"--record", o.Record.Path}, {"--summary", s.Summary}, {"--check-report", s.CheckReport}}
	if o.Stats.Write {
		files = append(files, output{"--stats", o.Stats.To.Path})
	}
	if s.Progress != knobs.ProgressOff {
		files = append(files, output{"--progress", s.Progress})
	}
	return files
}

func allWritable(o knobs.Outputs) error {
	if o.Stats.Write {
		path := o.Stats.To.Path
		if err := writable("statistics", path); err != nil {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			return fmt.Errorf("statistics cannot be written: %s is a pipe, and they are written piece by piece", path)
		}
	}
	if o.Trace.Path != "" {
		if err := writable("the trace", o.Trace.Path); err != nil {
			return err
		}
	}
	if o.Record.Path != "" {
		return writable("the bundle", o.Record.Path)
	}
	return nil
}

// absoluteOutputs makes the paths of these files absolute, because a program may change its folder,
// and returns the files, too.
func absoluteOutputs(s knobs.Settings) (knobs.Settings, knobs.Outputs, error) {
	o, err := s.Outputs()
	if err != nil {
		return s, o, err
	}
	if o.Stats.Write {
		o.Stats.To, err = o.Stats.To.Absolute()
		s.Stats = o.Stats.To.String()
	}
	absolute := func(knob, path *string) { // the knob begins with the path
		if *path != "" && err == nil {
			options := strings.TrimPrefix(*knob, *path)
			*path, err = filepath.Abs(*path)
			*knob = *path + options
		}
	}
	absolute(&s.Trace, &o.Trace.Path)
	absolute(&s.Record, &o.Record.Path)
	path := s.CheckReport
	absolute(&s.CheckReport, &path)
	if path := s.Progress; path != knobs.ProgressOff {
		absolute(&s.Progress, &path)
	}
	return s, o, err
}

// reportStats sums up the statistics file of a run that ended. Formats that the tool does not read,
// and devices, are left alone.
func reportStats(w io.Writer, s knobs.Stats) {
	t := s.To
	if !s.Write || t.Kind != stats.JSON || isDevice(t.Path) {
		return
	}
	launches := 0
	r, err := stats.LoadEach(t.Path, func(*stats.Launch) error { launches++; return nil })
	if err != nil {
		plain.Fprintf(w, "jacquard: there are no statistics: %v\n", err)
		return
	}
	plain.Fprintf(w, "jacquard: %s: %s of %s; jacquard stats sums them up\n", t.Path,
		counted(launches, "launch", "launches"), counted(len(r.Kernels), "kernel", "kernels"))
}

// reportTrace sums up the trace of a run that ended. A device is left alone.
func reportTrace(w io.Writer, path string) {
	if path == "" || isDevice(path) {
		return
	}
	f, err := trace.Open(path)
	if err != nil {
		plain.Fprintf(w, "jacquard: there is no trace: %v\n", err)
		return
	}
	defer f.Close()
	var count uint64
	for _, l := range f.Launches {
		count += l.Count
	}
	plain.Fprintf(w, "jacquard: %s: %d warp-instructions of %s; jacquard trace show prints them\n",
		path, count, counted(len(f.Launches), "launch", "launches"))
}

// damaged is the annotation of a command that used a part of a file: it fails at its end.
const damaged = "damaged"

// reportDamage says on standard error that only the start of the file at path can be read, and makes
// the command fail after it has used that part.
func reportDamage(c *cobra.Command, path string, damage error) {
	plain.Fprintf(c.ErrOrStderr(), "jacquard: %s: %v: the part before is used\n", path, damage)
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[damaged] = path
}

// finishRecord marks the bundle of a program that ended as finished, and sums it up.
func finishRecord(w io.Writer, path string, status int, quiet bool) {
	launches, err := bundle.Finish(path, bundle.Closing{Status: status})
	switch {
	case err != nil:
		plain.Fprintf(w, "jacquard: %s: %v\n", path, err)
	case !quiet:
		plain.Fprintf(w, "jacquard: %s: %s; jacquard replay runs them again\n", path, counted(launches, "launch", "launches"))
	}
}

// closeBundle ends a bundle that the tool itself wrote at path.
func closeBundle(r *bundle.Recorder, path string, c bundle.Closing) error {
	if err := r.Close(); err != nil {
		return err
	}
	_, err := bundle.Finish(path, c)
	return err
}

// isBundle reports whether the file at path is a bundle. Pipes are none: a look would take their
// start away.
func isBundle(path string) bool {
	if isDevice(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var start [16]byte
	_, err = io.ReadFull(f, start[:])
	return err == nil && bundle.Sniff(start[:])
}

// output is a file that a command writes.
type output struct {
	what string // a flag, or words
	path string // "" for none
}

// apart refuses an output that is also an input, and two outputs that are one file: the first
// content would be lost. Devices and pipes are no files.
func apart(inputs []string, outputs ...output) error {
	for i, o := range outputs {
		if o.path == "" {
			continue
		}
		for _, in := range inputs {
			if same(o.path, in) {
				return usagef("%s %q is a file that is read: name another", o.what, o.path)
			}
		}
		for _, other := range outputs[:i] {
			if same(o.path, other.path) {
				return usagef("%s and %s are one file, %q: name two", other.what, o.what, o.path)
			}
		}
	}
	return nil
}

// same reports whether two paths lead to one regular file, which may not exist yet.
func same(a, b string) bool {
	if a == "" || b == "" || a == standardOutput {
		return false
	}
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return x.Mode().IsRegular() && os.SameFile(x, y)
	}
	return err != nil && err2 != nil && place(a) == place(b)
}

// place returns the absolute path of a file that does not exist, without links in its folder.
func place(path string) string {
	folder, name := filepath.Split(path)
	if real, err := filepath.EvalSymlinks(filepath.Clean(folder)); err == nil {
		folder = real
	}
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	return filepath.Join(folder, name)
}
