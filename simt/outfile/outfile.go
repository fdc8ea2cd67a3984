package outfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Create begins a file at path, in place of one that is there. If another process, or another
// part of this one, is writing that file, the new one gets another name: that of path with the
// number of the process before its suffix, s.json and s.1234.json. The file's Name says which.
// A device or a pipe is opened as it is.
func Create(path string) (*os.File, error) {
	f, err := Take(path)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(0); err != nil && plain(f) {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Take opens a file as Create does, and leaves what it holds. The file is made if there is none.
func Take(path string) (*os.File, error) {
	suffix := filepath.Ext(path)
	name := path
	for n := 1; ; n++ {
		f, taken, err := open(name)
		if !taken {
			return f, err
		}
		name = fmt.Sprintf("%s.%d%s", path[:len(path)-len(suffix)], os.Getpid(), suffix)
		if n > 1 {
			name = fmt.Sprintf("%s.%d-%d%s", path[:len(path)-len(suffix)], os.Getpid(), n, suffix)
		}
	}
}

// open opens the file called name and locks it. It reports whether the file is taken.
func open(name string) (f *os.File, taken bool, err error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil || !plain(f) {
			return f, false, err
		}
		if err := lock(f); err == syscall.EWOULDBLOCK {
			return nil, true, f.Close()
		}
		if current(f) {
			return f, false, nil
		}
		f.Close() // its writer put another in its place meanwhile
	}
}

// lock takes f for as long as it is open. Only a lock that another has is an error.
func lock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return err
		default:
			return nil
		}
	}
}

// plain reports whether f is a plain file.
func plain(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// current reports whether f is the file that its name leads to.
func current(f *os.File) bool {
	here, err := f.Stat()
	there, err2 := os.Stat(f.Name())
	return err == nil && err2 == nil && os.SameFile(here, there)
}

// Replace gives the file at path, which f took, other content in one step: whoever reads it finds
// it whole, as it was or as it is. It closes f and returns what keeps the file taken instead; on
// an error that is f itself.
func Replace(path string, f *os.File, data []byte) (*os.File, error) {
	part := fmt.Sprintf("%s.%d.part", path, os.Getpid())
	next, err := os.Create(part)
	if err != nil {
		return f, err
	}
	if _, err = next.Write(data); err == nil {
		err = lock(next)
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return f, errors.Join(err, next.Close(), os.Remove(part))
	}
	return next, f.Close()
}
