package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"jacquard/cubin/plain"
)

// writeFile makes the file at path, or replaces it: whole, or not at all. The content goes
// into a file beside it that takes the name in the end, so that neither an error nor Ctrl-C
// leaves half a file or spoils the one that was there. What is no plain file, a device or a
// pipe, is written to as it is. from is the file that the content is made of, which must not
// be the same; "" is none.
func writeFile(path, from string, write func(io.Writer) error) error {
	if same(path, from) {
		return usagef("-o %q is the file that is read: name another", path)
	}
	if isDevice(path) {
		return writeTo(path, os.O_WRONLY, write)
	}
	whole := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		whole = target // the link stays one
	}
	part := fmt.Sprintf("%s.%d.part", whole, os.Getpid())
	if err := writeTo(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, write); err != nil {
		return errors.Join(naming(path, part, err), remove(part))
	}
	return os.Rename(part, whole)
}

// writeText makes the file at path as writeFile does, of text that people look at: it becomes plain.
func writeText(path, from string, write func(io.Writer) error) error {
	return writeFile(path, from, func(w io.Writer) error {
		text := plain.NewWriter(w)
		return errors.Join(write(text), text.Flush())
	})
}

// isDevice reports whether path is there, but no plain file.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// writeTo opens a file and writes it, until Ctrl-C.
func writeTo(path string, flags int, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, flags, 0o666)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the tool
	return errors.Join(write(&interruptible{f, ctx}), f.Close())
}

// interruptible refuses to write once its context is done.
type interruptible struct {
	out io.Writer
	ctx context.Context
}

func (w *interruptible) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, errors.New("interrupted: nothing was written")
	}
	return w.out.Write(p)
}

// remove deletes a file that may not be there.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// naming makes an error of the file called part name the one that the user gave.
func naming(path, part string, err error) error {
	var of *os.PathError
	if errors.As(err, &of) && of.Path == part {
		of.Path = path
	}
	return err
}

// stream is standard output or error. All that the tool prints there is plain text, whatever names
// are in it. A stream remembers that something could not be written, so that no command passes off a
// full disk as success.
type stream struct {
	raw   io.Writer
	plain *plain.Writer
	err   error
}

func newStream(raw io.Writer) *stream { return &stream{raw: raw, plain: plain.NewWriter(raw)} }

func (s *stream) Write(p []byte) (int, error) {
	n, err := s.plain.Write(p)
	s.note(err)
	return n, err
}

// end writes what is left.
func (s *stream) end() { s.note(s.plain.Flush()) }

func (s *stream) note(err error) {
	if s.err == nil {
		s.err = err
	}
}

// direct returns what a program that is started may have as its own standard output or error.
func direct(out io.Writer) io.Writer {
	if s, ok := out.(*stream); ok {
		return s.raw
	}
	return out
}
