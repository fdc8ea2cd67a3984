package stats

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync"

	"jacquard/internal/outfile"
)

// Writer writes the launches of a run to one file. The file is complete after every launch, and after
// a failed write has the launches before. Several goroutines may use a Writer.
type Writer struct {
	mu      sync.Mutex
	file    *os.File
	format  format
	kernels map[string]*Kernel // by description
	policy  string             // of launches that name none
	size    int64              // of the file
	err     error              // the error that ended the writing
}

// format is one kind of statistics file. Its methods return data to write and the offset to write
// at; the data replace what follows the offset.
type format interface {
	begin(r *Run) ([]byte, error)
	// first says that l is the first launch of its kernel.
	launch(l *Launch, first bool) (data []byte, at int64, err error)
}

// Create begins a JSON file as [Target.Create] does.
func Create(path string, r *Run) (*Writer, error) { return create(path, r, &jsonFormat{}) }

func create(path string, r *Run, as format) (*Writer, error) {
	f, err := outfile.Create(path)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	w := &Writer{file: f, format: as, kernels: map[string]*Kernel{}, policy: r.Policy}
	head, err := w.format.begin(r)
	if err == nil {
		err = w.write(head, 0)
	}
	w.fail(err)
	return w, nil
}

// fail ends the writing if err is not nil.
func (w *Writer) fail(err error) {
	if err != nil {
		w.err = fmt.Errorf("statistics: %w; nothing more is written", err)
		outfile.NoteBroken(w.file.Name(), err)
	}
}

// Path returns the name of the file. It differs from the path given to Create if another process
// held that one.
func (w *Writer) Path() string { return w.file.Name() }

// Err returns the error that ended the writing, nil if there was none.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Add writes a launch. It sets the number of l.Kernel, which may be a new description for each
// launch, and the policy if the launch names none.
func (w *Writer) Add(l *Launch) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.fail(w.add(l))
	return w.err
}

func (w *Writer) add(l *Launch) error {
	if err := outfile.Alone(w.file, w.size); err != nil {
		return err
	}
	first := w.know(l)
	l.Policy = cmp.Or(l.Policy, w.policy)
	data, at, err := w.format.launch(l, first)
	if err != nil {
		return err
	}
	return w.write(data, at)
}

// know numbers the launch's kernel, and reports whether the kernel is new.
func (w *Writer) know(l *Launch) bool {
	k := l.Kernel
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%d\x00%d\x00%d", k.Name, k.Hash, k.Arch, k.Registers, k.Shared, k.Local)
	if known := w.kernels[key]; known != nil {
		k.Number = known.Number
		return false
	}
	k.Number = len(w.kernels)
	w.kernels[key] = k
	return true
}

// write replaces the file from an offset on, in one write. If the disk is full, the file stays as it
// was.
func (w *Writer) write(data []byte, at int64) error {
	old := make([]byte, w.size-at)
	n, _ := w.file.ReadAt(old, at) // a device may have nothing to read
	if _, err := w.file.WriteAt(data, at); err != nil {
		if w.size == 0 || n < len(old) {
			return err
		}
		_, undo := w.file.WriteAt(old, at)
		return errors.Join(err, undo, w.file.Truncate(w.size))
	}
	if end := at + int64(len(data)); end < w.size {
		if err := w.file.Truncate(end); err != nil {
			return err
		}
	}
	w.size = at + int64(len(data))
	return nil
}

// Close marks the end of the run, where the format has a mark, and closes the file. It returns the
// error that ended the writing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f, ok := w.format.(interface {
		end() (data []byte, at int64, err error)
	}); ok && w.err == nil {
		data, at, err := f.end()
		if err == nil {
			err = w.write(data, at)
		}
		w.fail(err)
	}
	return errors.Join(w.err, w.file.Close())
}
