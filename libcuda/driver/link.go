package driver

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"jacquard/cubin"
	"jacquard/ptx/jit"
)

// The linker makes a cubin of PTX, or passes a cubin through. Machine code of this generation
// cannot be linked: its files have no relocations of code.

// linker is a link in progress. Its context's lock guards it.
type linker struct {
	ctx     *context
	options JITOptions
	request jitRequest
	log     jitLog

	sources []jit.Source
	first   *jit.Code // of the only source, if it was compiled already
	cubin   []byte    // the only input, if that is machine code
	pages   []byte    // the result; nil before LinkComplete
	size    int       // bytes of it
}

func (l *linker) context() *context { return l.ctx }

// LinkCreate begins a link for the current context's device. The options hold for the whole link;
// their buffers and results are written by every call until LinkDestroy.
func (t *Thread) LinkCreate(o JITOptions) (Link, error) {
	return working(t, func(c *context) (Link, error) {
		r, err := o.request(c)
		if err != nil {
			return 0, err
		}
		l := &linker{ctx: c, options: o, request: r}
		l.log = jitLog{to: &l.options, verbose: r.verbose, threads: r.threads}
		return Link(c.d.handles.add(l)), nil
	})
}

// LinkAddData adds an input of size bytes at address at of the program's memory. PTX that needs no
// other input is compiled at once, so that this call reports its mistakes. Options given here hold
// for this input; options that change the code hold for the whole link.
func (t *Thread) LinkAddData(k Link, kind JITInput, memory io.ReaderAt, at, size uint64, name string, o JITOptions) error {
	if size == 0 || size > maxInput {
		return t.linking(k, func(*linker) error { return ErrInvalidValue })
	}
	return t.linkAdd(k, kind, name, o, func() (*cubin.Contents, error) {
		if kind == InputFatbinary { // it may consist of several parts
			return cubin.Open(cubin.Memory{ReaderAt: memory, Word: strconv.IntSize / 8}, at)
		}
		data, err := io.ReadAll(io.NewSectionReader(memory, int64(at), int64(size)))
		if err != nil {
			return nil, err
		}
		return contentsOf(kind, data)
	})
}

// maxInput is more bytes than an input has.
const maxInput = 1 << 30

// LinkAddFile adds the contents of a file as an input.
func (t *Thread) LinkAddFile(k Link, kind JITInput, path string, o JITOptions) error {
	missing := false
	err := t.linkAdd(k, kind, path, o, func() (*cubin.Contents, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			missing = true
			return nil, err
		}
		return contentsOf(kind, data)
	})
	if err != nil && missing {
		return ErrFileNotFound
	}
	return err
}

// contentsOf reads an input of a kind. PTX is taken as it is, whatever it begins with.
func contentsOf(kind JITInput, data []byte) (*cubin.Contents, error) {
	if kind == InputPTX {
		text, _, _ := bytes.Cut(data, []byte{0})
		return &cubin.Contents{Container: cubin.PTX, Entries: []cubin.Entry{cubin.PTXEntry(text)}}, nil
	}
	return cubin.Read(data)
}

// LinkComplete ends a link. It returns the address and size of the cubin, which stays until
// LinkDestroy or the end of the context.
func (t *Thread) LinkComplete(k Link) (at uintptr, size uint64, err error) {
	err = t.linking(k, func(l *linker) error {
		if l.pages == nil {
			if err := l.complete(); err != nil {
				return err
			}
		}
		at, size = addressOf(l.pages), uint64(l.size)
		return nil
	})
	return at, size, err
}

// LinkDestroy ends a link and frees its cubin.
func (t *Thread) LinkDestroy(k Link) error {
	return t.linking(k, func(l *linker) error {
		t.d.handles.remove(uintptr(k))
		l.log.to = new(JITOptions) // the program's buffers may be gone
		return l.free()
	})
}

// linking calls do with a link of any context, and answers the options of LinkCreate.
func (t *Thread) linking(k Link, do func(*linker) error) error {
	l, err := acquire[*linker](t, uintptr(k))
	if err != nil {
		return err
	}
	defer l.ctx.mu.Unlock()
	err = do(l)
	l.log.answer()
	return err
}

// free frees the result.
func (l *linker) free() error {
	if l.pages == nil {
		return nil
	}
	pages := l.pages
	l.pages = nil
	return unmapPages(pages)
}
