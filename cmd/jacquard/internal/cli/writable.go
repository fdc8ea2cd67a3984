package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"jacquard/libcuda/bundle"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt/stats"
	"jacquard/simt/trace"
)

// writable returns an error if no file can be written at path, in words that say what would be there.
// Nothing at path changes. What is no plain file, a device or a pipe, is opened when it is written.
func writable(what, path string) error {
	err := tryToWrite(path)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", what, err)
	}
	return nil
}

func tryToWrite(path string) error {
	info, err := os.Stat(path)
	switch {
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
	if target, err := os.Readlink(path); err == nil { // to nothing
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

// checkOutputs returns an error if statistics, trace or bundle that the knobs ask for cannot be written.
// Commands that run something check before it starts: what has run for hours would be lost.
func checkOutputs(s knobs.Settings) error {
	if isTarget(s.Stats) {
		t, err := stats.ParseTarget(s.Stats)
		if err != nil {
			return err
		}
		path := t.Path
		if t.Kind == stats.Barra {
			path += "kernel" // names begin with the prefix
			if _, err := os.Stat(filepath.Dir(ofProcess(path))); err != nil {
				return fmt.Errorf("statistics cannot be written: %w: the folder must be there", err)
			}
		}
		if err := writable("statistics", ofProcess(path)); err != nil {
			return err
		}
	}
	if s.Trace != "" {
		path, _, err := trace.ParsePath(s.Trace)
		if err != nil {
			return err
		}
		if err := writable("the trace", ofProcess(path)); err != nil {
			return err
		}
	}
	if s.Record != "" {
		path, _, err := bundle.ParsePath(s.Record)
		if err != nil {
			return err
		}
		if err := writable("the bundle", ofProcess(path)); err != nil {
			return err
		}
	}
	return nil
}

// ofProcess puts a process's number, as good as any other, where a name has %p.
func ofProcess(path string) string {
	return strings.ReplaceAll(path, "%p", strconv.Itoa(os.Getpid()))
}
