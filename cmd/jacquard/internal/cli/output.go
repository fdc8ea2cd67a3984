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
	"text/tabwriter"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
)

// standardOutput is the name of standard output among the files that the tool writes.
const standardOutput = "-"

// writeFile makes the file at path, or replaces it: whole, or not at all. The content goes
// into a file beside it that takes the name at the end, so that neither an error nor Ctrl-C
// leaves half a file or spoils the old one. The new file has the mode of the old one. A device or
// a pipe is written to directly, and standardOutput is out.
func writeFile(out io.Writer, path string, write func(io.Writer) error) error {
	if path == standardOutput {
		return write(direct(out))
	}
	if isDevice(path) {
		return writeTo(path, os.O_WRONLY, 0, write)
	}
	whole := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		whole = target // the link remains
	}
	mode := os.FileMode(0o666)
	old, missing := os.Stat(whole)
	if missing == nil {
		mode = old.Mode().Perm()
	}
	part := fmt.Sprintf("%s.%d.part", whole, os.Getpid())
	err := writeTo(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode, write)
	if err == nil && missing == nil {
		err = os.Chmod(part, mode) // whatever the mask for new files
	}
	if err != nil {
		var of *os.PathError
		if errors.As(err, &of) && of.Path == part {
			of.Path = path // the name that the user gave
		}
		if failed := os.Remove(part); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
		return err
	}
	return os.Rename(part, whole)
}

// beside returns the stream for a command's messages while it writes the file at path: standard
// error if path is standard output.
func beside(c *cobra.Command, path string) io.Writer {
	if path == standardOutput {
		return c.ErrOrStderr()
	}
	return c.OutOrStdout()
}

// content returns a function that writes data.
func content(data []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(data); return err }
}

// writeText makes the file at path as writeFile does, of text for people: names in it become plain.
func writeText(out io.Writer, path string, write func(io.Writer) error) error {
	return writeFile(out, path, func(w io.Writer) error {
		text := plain.NewWriter(w)
		return errors.Join(write(text), text.Flush())
	})
}

// isDevice reports whether path exists and is no regular file.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// until returns a context that the first of the signals ends; a second one ends the tool.
func until(signals ...os.Signal) (ctx context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// writeTo opens a file and writes it, until Ctrl-C.
func writeTo(path string, flags int, mode os.FileMode, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, flags, mode)
	if err != nil {
		return err
	}
	ctx, stop := until(os.Interrupt, syscall.SIGTERM)
	defer stop()
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

// stream is standard output or error. All text on it is plain, whatever names it holds. A stream
// remembers a failed write, so that no command passes off a full disk as success.
type stream struct {
	raw    io.Writer
	plain  *plain.Writer
	err    error
	status *status // goes before anything is written
}

func newStream(raw io.Writer) *stream {
	return &stream{raw: raw, plain: plain.NewWriter(raw), status: &status{}}
}

func (s *stream) Write(p []byte) (int, error) {
	s.status.show("", false)
	n, err := s.plain.Write(p)
	s.note(err)
	return n, err
}

// end writes the rest.
func (s *stream) end() {
	s.status.show("", false)
	s.note(s.plain.Flush())
}

func (s *stream) note(err error) {
	if s.err == nil {
		s.err = err
	}
}

// direct returns the standard output or error for a program that the tool starts.
func direct(out io.Writer) io.Writer {
	if s, ok := out.(*stream); ok {
		return s.raw
	}
	return out
}

// progress shows the state of a long command, on standard error if that is a terminal. Each call
// replaces the text of the last; "" removes it.
func progress(c *cobra.Command, what string) {
	if s, ok := c.ErrOrStderr().(*stream); ok {
		s.status.show(what, false)
	}
}

// newTable returns a writer that aligns columns, which tabs separate.
func newTable(out io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) }
