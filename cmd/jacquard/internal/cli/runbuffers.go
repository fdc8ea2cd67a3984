package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"jacquard/study/launch"
)

// afterwards is the work on buffers that the user wants after the launch.
type afterwards struct {
	shows  []launch.Show
	dumps  []bufferFile
	expect []bufferFile
}

// bufferFile is a buffer and a file to write it to, or to compare it with.
type bufferFile struct {
	buffer, path string
	want         []byte // the file's content, to compare
}

// afterwards reads the flags and makes sure that the buffers and files that they name exist.
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
		b, err := parseBufferFile(j, "dump", s)
		if err != nil {
			return nil, err
		}
		a.dumps = append(a.dumps, b)
	}
	for _, s := range f.expect {
		b, err := parseBufferFile(j, "expect", s)
		if err != nil {
			return nil, err
		}
		if err := b.read(j); err != nil {
			return nil, err
		}
		a.expect = append(a.expect, b)
	}
	return &a, nil
}

// check makes sure, before the kernel runs, that the files can be written.
func (a *afterwards) check() error {
	for _, d := range a.dumps {
		if err := writable("buffer "+d.buffer, d.path); err != nil {
			return err
		}
	}
	return nil
}

// inputs returns the files that buffers are compared with. Files that fill buffers are not among
// them: a dump may replace such a file, and the next launch then continues with it.
func (a *afterwards) inputs() (files []string) {
	for _, e := range a.expect {
		files = append(files, e.path)
	}
	return files
}

// outputs returns the files of buffers.
func (a *afterwards) outputs() (files []output) {
	for _, d := range a.dumps {
		files = append(files, output{"--dump " + d.buffer, d.path})
	}
	return files
}

func parseBufferFile(j *launch.Job, flag, s string) (bufferFile, error) {
	name, path, ok := strings.Cut(s, "=")
	if !ok || path == "" {
		return bufferFile{}, usagef("--%s %q: want NAME=PATH", flag, s)
	}
	return bufferFile{buffer: name, path: path}, hasBuffer(j, flag, name)
}

// read reads the file that the buffer is compared with. A device may have no end: one byte too many
// is enough.
func (b *bufferFile) read(j *launch.Job) error {
	f, err := os.Open(b.path)
	if err != nil {
		return err
	}
	defer f.Close()
	i := slices.IndexFunc(j.Params, func(p launch.Param) bool { return p.Buffer != nil && p.Name == b.buffer })
	b.want, err = io.ReadAll(io.LimitReader(f, int64(len(j.Params[i].Buffer))+1))
	return err
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

// carryOut prints to text, writes, "-" to out, and compares. It returns the first error and does the
// rest all the same.
func (a *afterwards) carryOut(text, out io.Writer, r *launch.Result) error {
	var failed error
	note := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	for _, s := range a.shows {
		note(s.Write(text, r.Buffers[s.Name]))
	}
	for _, d := range a.dumps {
		note(writeFile(out, d.path, content(r.Buffers[d.buffer])))
	}
	for _, e := range a.expect {
		note(e.compare(r.Buffers[e.buffer]))
	}
	return failed
}

// compare reports the first byte in which got differs from the file.
func (b *bufferFile) compare(got []byte) error {
	if bytes.Equal(got, b.want) {
		return nil
	}
	if len(got) < len(b.want) {
		return fmt.Errorf("buffer %s has %d bytes, %s has more", b.buffer, len(got), b.path)
	}
	if len(got) > len(b.want) {
		return fmt.Errorf("buffer %s has %d bytes, %s has %d", b.buffer, len(got), b.path, len(b.want))
	}
	first, differ := -1, 0
	for i := range got {
		if got[i] != b.want[i] {
			if differ++; first < 0 {
				first = i
			}
		}
	}
	return fmt.Errorf("buffer %s: byte %d is 0x%02x, %s has 0x%02x; %d of %d bytes differ",
		b.buffer, first, got[first], b.path, b.want[first], differ, len(got))
}
