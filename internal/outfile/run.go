package outfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// RunVariable is the environment variable that names the list of a run. Whoever starts the
// processes of a run makes the list, an empty file. Every process appends the files that it
// begins, and does not touch files of earlier processes. Without the variable, or without the
// list, a process replaces the file of a process that has ended.
const RunVariable = "JACQUARD_RUN"

// Begun is a file that a process of a run began. Both paths are absolute.
type Begun struct {
	Asked string // the path that Create was given
	Path  string // the file's own: that path, or one beside it
}

// Files returns the files that a list names, in the order in which they were begun.
func Files(list string) (files []Begun, err error) {
	err = scan(list, lineFormat, func(asked, path string) { files = append(files, Begun{asked, path}) })
	return files, err
}

// scan calls found with both texts of each line of a list that has a format.
func scan(list, format string, found func(a, b string)) error {
	data, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		var a, b string
		if n, _ := fmt.Sscanf(string(line), format, &a, &b); n == 2 {
			found(a, b)
		}
	}
	return nil
}

// lineFormat is a line of a list. Quotes keep any name in one line.
const lineFormat = "%q %q\n"

// Broken is a file of a run that its process could not write to the end.
type Broken struct {
	Path string
	Why  string
}

// Error names the file and the reason.
func (b Broken) Error() string { return fmt.Sprintf("%s is not whole: %s", b.Path, b.Why) }

// BrokenFiles returns the files of a list that are not whole.
func BrokenFiles(list string) (files []Broken, err error) {
	err = scan(list, brokenFormat, func(path, why string) { files = append(files, Broken{path, why}) })
	return files, err
}

// brokenFormat is a line of a list that reports a file.
const brokenFormat = "broken %q %q\n"

// NoteBroken reports in the list of this run, if there is one, that the file at path is not whole.
func NoteBroken(path string, why error) {
	if path, err := filepath.Abs(path); err == nil {
		note(fmt.Sprintf(brokenFormat, path, why.Error()))
	}
}

// ofThisRun reports whether a process of this run began f and wrote to it.
func ofThisRun(f *os.File) bool {
	list := os.Getenv(RunVariable)
	if list == "" {
		return false
	}
	info, err := f.Stat()
	path, err2 := filepath.Abs(f.Name())
	if err != nil || err2 != nil || info.Size() == 0 {
		return false
	}
	files, _ := Files(list) // the run is over if its list is gone
	return slices.ContainsFunc(files, func(b Begun) bool { return b.Path == path })
}

// noteBegun appends f to the list of this run, if there is one. A list that cannot be written does
// not keep the process from its file.
func noteBegun(asked string, f *os.File) {
	if !plain(f) {
		return
	}
	asked, err := filepath.Abs(asked)
	path, err2 := filepath.Abs(f.Name())
	if err == nil && err2 == nil {
		note(fmt.Sprintf(lineFormat, asked, path))
	}
}

// note appends a line to the list of this run, if there is one.
func note(line string) {
	name := os.Getenv(RunVariable)
	if name == "" {
		return
	}
	list, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer list.Close()
	list.WriteString(line)
}
