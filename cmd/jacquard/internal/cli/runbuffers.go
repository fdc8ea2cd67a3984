package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"jacquard/libcuda/launch"
)

// afterwards is what the user wants to be done with buffers after the launch.
type afterwards struct {
	shows  []launch.Show
	dumps  [][2]string // buffer, path
	expect []expectation
}

type expectation struct {
	buffer, path string
	want         []byte
}

// afterwards reads the flags and makes sure that the buffers and files they name exist.
func (f *runFlags) afterwards(j *launch.Job) (*afterwards, error) {
	var a afterwards
	for _, s := range f.print {
		show, err := launch.ParseShow(s)
		if err != nil {
			return nil, usagef("--print: %w", err)
		}
		if err := hasBuffer(j, "print", show.Name); err != nil {
			return nil, err
		}
		a.shows = append(a.shows, show)
	}
	for _, s := range f.dump {
		name, path, err := nameAndPath(j, "dump", s)
		if err != nil {
			return nil, err
		}
		a.dumps = append(a.dumps, [2]string{name, path})
	}
	for _, s := range f.expect {
		name, path, err := nameAndPath(j, "expect", s)
		if err != nil {
			return nil, err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		a.expect = append(a.expect, expectation{name, path, want})
	}
	return &a, nil
}

// check makes sure that the files to be written can be, before the kernel runs.
func (a *afterwards) check() error {
	for _, d := range a.dumps {
		if err := writable("buffer "+d[0], d[1]); err != nil {
			return err
		}
	}
	return nil
}

func nameAndPath(j *launch.Job, flag, s string) (name, path string, err error) {
	name, path, ok := strings.Cut(s, "=")
	if !ok || path == "" {
		return "", "", usagef("--%s %q: want NAME=PATH", flag, s)
	}
	return name, path, hasBuffer(j, flag, name)
}

func hasBuffer(j *launch.Job, flag, name string) error {
	var names []string
	for _, p := range j.Params {
		if p.Buffer == nil {
			continue
		}
		if p.Name == name {
			return nil
		}
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return usagef("--%s %q: the kernel gets no buffer", flag, name)
	}
	return usagef("--%s: no buffer is called %q: want %s", flag, name, list(names))
}

// carryOut prints, writes and compares. Its error is the first thing that went wrong; the
// rest is done all the same.
func (a *afterwards) carryOut(out io.Writer, r *launch.Result) error {
	var failed error
	note := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	for _, s := range a.shows {
		note(s.Write(out, r.Buffers[s.Name]))
	}
	for _, d := range a.dumps {
		note(writeFile(d[1], "", func(w io.Writer) error {
			_, err := w.Write(r.Buffers[d[0]])
			return err
		}))
	}
	for _, e := range a.expect {
		note(e.compare(r.Buffers[e.buffer]))
	}
	return failed
}

// compare reports the first byte in which got is not what the file says.
func (e *expectation) compare(got []byte) error {
	if bytes.Equal(got, e.want) {
		return nil
	}
	if len(got) != len(e.want) {
		return fmt.Errorf("buffer %s has %d bytes, %s has %d", e.buffer, len(got), e.path, len(e.want))
	}
	at, differ := -1, 0
	for i := range got {
		if got[i] != e.want[i] {
			differ++
			if at < 0 {
				at = i
			}
		}
	}
	return fmt.Errorf("buffer %s: byte %d is 0x%02x, %s has 0x%02x; %d of %d bytes differ", e.buffer, at, got[at], e.path, e.want[at], differ, len(got))
}
