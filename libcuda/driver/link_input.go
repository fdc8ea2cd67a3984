package driver

import (
	"errors"
	"fmt"

	"jacquard/cubin"
	"jacquard/ptx/jit"
	"jacquard/ptx/link"
)

// linkAdd adds what read returns to a link.
func (t *Thread) linkAdd(k Link, kind JITInput, name string, o JITOptions, read func() (*cubin.Contents, error)) error {
	return t.linking(k, func(l *linker) error {
		r, err := o.request(l.ctx)
		switch {
		case err != nil:
			return err
		case kind < InputCubin || kind > InputLibrary, l.pages != nil:
			return ErrInvalidValue
		}
		if name == "" {
			name = fmt.Sprintf("input %d", len(l.sources)+1)
		}
		l.request.narrow(&r)
		ld := &loader{l.ctx, &l.request, &jitLog{to: &o, verbose: l.request.verbose}}
		defer func() {
			l.log.add(ld.log)
			ld.log.answer()
		}()
		if kind == InputObject || kind == InputLibrary {
			return ld.refused(name, errRelocatable)
		}
		contents, err := read()
		if err == nil {
			err = l.add(name, contents, ld)
		}
		if err != nil {
			return ld.refused(name, err)
		}
		return nil
	})
}

// errRelocatable says why objects and libraries cannot be linked.
var errRelocatable = errors.New("objects and libraries hold relocatable code, which is for sm_20 and later alone: link PTX")

// errCubins says why a cubin must be the only input.
var errCubins = errors.New("machine code for sm_10 .. sm_13 cannot be linked with other inputs: link PTX")

// narrow takes over the options of an input that change the code.
func (r *jitRequest) narrow(input *jitRequest) {
	if input.MaxRegisters != 0 && (r.MaxRegisters == 0 || input.MaxRegisters < r.MaxRegisters) {
		r.MaxRegisters = input.MaxRegisters
	}
	r.Lines, r.verbose = r.Lines || input.Lines, r.verbose || input.verbose
}

// add takes over the lines and the time of an input.
func (l *jitLog) add(input *jitLog) {
	l.info, l.errors = append(l.info, input.info...), append(l.errors, input.errors...)
	l.spent += input.spent
}

// add adds the part of an input that fits the target: PTX, or a cubin.
func (l *linker) add(name string, contents *cubin.Contents, ld *loader) error {
	choice := ld.choice(contents)
	choice.Arch, choice.Exact = l.request.Arch, true
	e, err := jit.Choose(contents, choice)
	if err != nil {
		return err
	}
	data, err := e.Data()
	if err != nil {
		return err
	}
	switch {
	case l.cubin != nil || e.Container != cubin.PTX && len(l.sources) > 0:
		return errCubins
	case e.Container != cubin.PTX:
		if _, err := e.Image(); err != nil {
			return err
		}
		l.cubin = data
		return nil
	}
	s := source(name, data)
	m, err := jit.Parse(s)
	if err != nil {
		return err
	}
	if err := ld.tooLate(m.Target.Arch, contents); err != nil {
		return err
	}
	if l.first = nil; len(l.sources) == 0 && !link.Open(m) {
		if l.first, err = ld.compile(s); err != nil {
			return err
		}
	}
	l.sources = append(l.sources, s)
	return nil
}

// complete makes the result.
func (l *linker) complete() error {
	file, target := l.cubin, 0
	switch {
	case file == nil && len(l.sources) == 0:
		l.log.errors = append(l.log.errors, "link: there is no input")
		return ErrInvalidValue
	case file == nil && l.first != nil:
		file, target = l.first.Cubin, l.first.Virtual
	case file == nil:
		ld := &loader{l.ctx, &l.request, &l.log}
		code, err := ld.compile(l.sources...)
		if err != nil {
			return ld.refused("link", err)
		}
		file, target = code.Cubin, code.Virtual
	}
	pages, err := mapPages(len(file) + 1) // a NUL ends a text
	if err != nil {
		l.ctx.d.log.Info("link: %v", err)
		return ErrOutOfMemory
	}
	l.pages, l.size = pages, copy(pages, file)
	if l.cubin == nil {
		l.ctx.d.ptx.add(file, linked{target, l.sources, l.request.Options})
	}
	return nil
}
