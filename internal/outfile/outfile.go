package outfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Create begins a file at path and replaces an existing one. If another process, or another part of
// this one, is writing that file, or a process of this run wrote it, the new file has another name:
// the number of the process goes before the suffix of path, as in s.json and s.1234.json. The
// file's Name returns it. A device or a pipe is opened as it is, to write: a named pipe waits ten
// seconds for a reader. [RunVariable] says what a run is.
func Create(path string) (*os.File, error) {
	suffix := filepath.Ext(path)
	name := path
	for n := 1; ; n++ {
		f, taken, err := open(name)
		if err != nil {
			return nil, err
		}
		if !taken {
			noteBegun(path, f)
			if err := f.Truncate(0); err != nil && plain(f) {
				return nil, errors.Join(err, f.Close())
			}
			return f, nil
		}
		name = fmt.Sprintf("%s.%d%s", path[:len(path)-len(suffix)], os.Getpid(), suffix)
		if n > 1 {
			name = fmt.Sprintf("%s.%d-%d%s", path[:len(path)-len(suffix)], os.Getpid(), n, suffix)
		}
	}
}

// errTaken says that another open file holds the lock.
var errTaken = errors.New("locked")

// open opens the named file and locks it. taken reports whether another open file holds the lock,
// or the file is one of this run.
func open(name string) (f *os.File, taken bool, err error) {
	for {
		if special(name) {
			f, err := openSpecial(name)
			return f, false, err
		}
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil || !plain(f) {
			return f, false, err
		}
		if err := lock(f); err == errTaken {
			return nil, true, f.Close()
		}
		if !current(f) {
			f.Close() // it was moved or removed meanwhile
			continue
		}
		if ofThisRun(f) {
			return nil, true, f.Close()
		}
		return f, false, nil
	}
}

// Taken reports whether another open file holds the file at path, because a process writes it.
func Taken(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return plain(f) && lock(f) == errTaken
}

// special reports whether a device or a pipe is at path. Opened to read as well, a pipe would be its
// own reader, and never break.
func special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// plain reports whether f is a regular file.
func plain(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// current reports whether f is still the file of its name.
func current(f *os.File) bool {
	here, err := f.Stat()
	there, err2 := os.Stat(f.Name())
	return err == nil && err2 == nil && os.SameFile(here, there)
}
