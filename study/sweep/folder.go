package sweep

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"jacquard/study"
)

// Folder is a folder of results.
//
//	sweep.json        identity, and digests of what the cells run
//	cells/ab/NAME     one file per finished cell; ab begins the digest in the name
//	logs/ab/NAME.log  output of cells
//	kept/ab/NAME.*    statistics and traces, if the study keeps them
//	batches/N.json    cells that were given to a scheduler
//	running/          files of cells that run now
type Folder struct {
	Path string // absolute
	ID   string // unique among folders
	lock *os.File
}

// about is the content of sweep.json.
type about struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	ID      string            `json:"id"`
	Study   string            `json:"study"`
	Files   map[string]string `json:"files"` // digest by absolute path
}

// Format and Version mark the files of this package.
const (
	Format  = "jacquard sweep"
	Version = 1
)

// ChangedError reports that a file has changed since cells of the folder were run.
type ChangedError struct{ Folder, File string }

// Error says what to do.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s has changed since cells in %s were run: results of both would be mixed: name another folder with -o", e.File, e.Folder)
}

// BusyError reports that another sweep works in the folder.
type BusyError struct{ Folder string }

// Error names the folder.
func (e *BusyError) Error() string {
	return fmt.Sprintf("another jacquard sweep works in %s", e.Folder)
}

// FormatError reports a file of a folder that is none, or is damaged.
type FormatError struct{ Path, Reason string }

// Error names the file.
func (e *FormatError) Error() string { return e.Path + ": " + e.Reason }

// Create opens the folder at path, or makes it. files are the files that the cells run: they must
// be unchanged since the folder was opened before. No other process may have created the folder
// until Close: a *BusyError. A change is a *ChangedError.
func Create(path string, s *study.Study, files []string) (f *Folder, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	f = &Folder{Path: path}
	if f.lock, err = lock(filepath.Join(path, "lock")); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &BusyError{path}
		}
		return nil, err
	}
	if err := f.identify(s, files); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// lock takes the lock of a file until the file is closed. A file system without locks has none.
func lock(path string) (*os.File, error) {
	l, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(l.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil && !errors.Is(err, syscall.ENOLCK) && !errors.Is(err, syscall.ENOSYS) && !errors.Is(err, syscall.ENOTSUP) {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// identify reads or makes sweep.json, and compares the files.
func (f *Folder) identify(s *study.Study, files []string) error {
	a, err := f.about()
	if errors.Is(err, fs.ErrNotExist) {
		id := make([]byte, 6)
		rand.Read(id) // never fails
		a, err = &about{Format: Format, Version: Version, ID: hex.EncodeToString(id), Files: map[string]string{}}, nil
	}
	if err != nil {
		return err
	}
	for _, path := range files {
		sum, err := digest(path)
		if err != nil {
			return err
		}
		if before, ok := a.Files[path]; ok && before != sum {
			return &ChangedError{f.Path, path}
		}
		a.Files[path] = sum
	}
	a.Study = s.Name
	f.ID = a.ID
	text, err := json.MarshalIndent(a, "", "\t")
	if err != nil {
		return err
	}
	return f.write("sweep.json", append(text, '\n'))
}

// Open opens the folder at path without a claim to it.
func Open(path string) (*Folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	f := &Folder{Path: path}
	a, err := f.about()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &FormatError{path, "this is no folder of a sweep: jacquard sweep STUDY makes one"}
	}
	if err != nil {
		return nil, err
	}
	f.ID = a.ID
	return f, nil
}

func (f *Folder) about() (*about, error) {
	path := filepath.Join(f.Path, "sweep.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := &about{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, &FormatError{path, err.Error()}
	}
	if a.Format != Format || a.Version != Version || a.Files == nil {
		return nil, &FormatError{path, fmt.Sprintf("want format %q, version %d", Format, Version)}
	}
	return a, nil
}

// Close gives up the claim to the folder.
func (f *Folder) Close() error {
	if f.lock == nil {
		return nil
	}
	return f.lock.Close()
}

// digest returns a digest of the file at path.
func digest(path string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// write makes a file of the folder, whole or not at all.
func (f *Folder) write(name string, data []byte) error {
	path := filepath.Join(f.Path, name)
	part := fmt.Sprintf("%s.%d.part", path, os.Getpid())
	if err := os.WriteFile(part, data, 0o666); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, path)
}

// The parts of a folder by cell.
const (
	cells = "cells"
	logs  = "logs"
	kept  = "kept"
)

// path returns the file of a cell in a part of the folder.
func (f *Folder) path(part, name, suffix string) string {
	return filepath.Join(f.Path, part, study.Digest(name)[:2], name+suffix)
}

// Log returns the path of a cell's log.
func (f *Folder) Log(name string) string { return f.path(logs, name, ".log") }

// Statistics returns the path of a cell's statistics, of all its processes.
func (f *Folder) Statistics(name string) string { return f.path(kept, name, ".json") }

// Trace returns the path of the trace of a process of a cell. Process 0 launched first.
func (f *Folder) Trace(name string, process int) string {
	if process == 0 {
		return f.path(kept, name, ".jqt")
	}
	return f.path(kept, name, fmt.Sprintf(".%d.jqt", process+1))
}

// Finished returns the names of the cells that have a file, which may be damaged.
func (f *Folder) Finished() (map[string]struct{}, error) {
	names := map[string]struct{}{}
	parts, err := os.ReadDir(filepath.Join(f.Path, cells))
	if errors.Is(err, fs.ErrNotExist) {
		return names, nil
	}
	for _, p := range parts {
		files, err := os.ReadDir(filepath.Join(f.Path, cells, p.Name()))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if name, ok := strings.CutSuffix(file.Name(), cellSuffix); ok {
				names[name] = struct{}{}
			}
		}
	}
	return names, err
}

// Clean removes what runs that were killed left in running/. Nothing may run in the folder.
func (f *Folder) Clean() error { return os.RemoveAll(filepath.Join(f.Path, "running")) }
