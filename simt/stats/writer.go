package stats

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"jacquard/simt/outfile"
)

// Writer is a Sink that writes one file, which is whole after every launch.
type Writer struct {
	mu      sync.Mutex
	file    *os.File
	format  format
	kernels map[string]*Kernel // by what describes them
	number  int                // of the next launch
	size    int64              // of the file
	err     error              // why nothing more is written
}

// format is one kind of statistics file. It returns what is to be written, and from which offset
// on: what stood there is replaced.
type format interface {
	begin(r *Run) ([]byte, error)
	launch(l *Launch, first bool) (data []byte, at int64, err error) // first: the kernel's first launch
}

// Create begins a JSON file for the run that r describes, in place of a file that is there. If
// another process is writing that file, the new one is beside it: see Path. Kernels and launches of
// r are not written. The error is one of opening the file; if it cannot be written, Err and Add say
// so.
func Create(path string, r *Run) (*Writer, error) { return create(path, r, &jsonFormat{}) }

func create(path string, r *Run, as format) (*Writer, error) {
	f, err := outfile.Create(path)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	w := &Writer{file: f, format: as, kernels: map[string]*Kernel{}}
	head, err := w.format.begin(r)
	if err == nil {
		err = w.write(head, 0)
	}
	w.fail(err)
	return w, nil
}

// fail ends the writing for a reason, if there is one.
func (w *Writer) fail(err error) {
	if err != nil {
		w.err = fmt.Errorf("statistics: %w; nothing more is written", err)
	}
}

// Path returns the name of the file, which is another than Create was given if that was taken.
func (w *Writer) Path() string { return w.file.Name() }

// Err returns why nothing more is written, nil if all is well.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Add writes a launch. It sets the number of l.Kernel too, which may be described anew for each
// launch.
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
	l.Number = w.number
	w.number++
	data, at, err := w.format.launch(l, first)
	if err != nil {
		return err
	}
	return w.write(data, at)
}

// know numbers the launch's kernel, and reports whether it is new.
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

// write replaces what the file holds from an offset on, in one write.
func (w *Writer) write(data []byte, at int64) error {
	if _, err := w.file.WriteAt(data, at); err != nil {
		return err
	}
	if end := at + int64(len(data)); end < w.size {
		if err := w.file.Truncate(end); err != nil {
			return err
		}
	}
	w.size = at + int64(len(data))
	return nil
}

// Close closes the file, which is whole before. It returns what kept it from being complete.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.err, w.file.Close())
}
