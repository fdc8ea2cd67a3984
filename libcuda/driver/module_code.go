package driver

import (
	"errors"
	"fmt"
	"time"

	"jacquard/cubin"
	"jacquard/ptx/jit"
	"jacquard/tesla"
)

// moduleCode is the part of a program's image that a device runs.
type moduleCode struct {
	contents *cubin.Contents // all of the image
	entry    *cubin.Entry    // machine code: of the image, or made of its PTX
	image    *cubin.Image
	virtual  int // the target of the PTX, or of the machine code if there was no PTX
}

// loader finds the code in the argument of a call. The caller holds the context's lock.
type loader struct {
	*context
	request *jitRequest
	log     *jitLog // is told of compilations and failures
}

// code returns the code for the device. It compiles PTX if there is no machine code.
func (l *loader) code(contents *cubin.Contents) (*moduleCode, error) {
	arch := l.device.model.arch
	if l.request.Arch > arch {
		return nil, &cubin.NoCodeError{Arch: arch, Found: contents.Entries}
	}
	entry, err := jit.Choose(contents, l.choice(contents))
	if err != nil {
		return nil, err
	}
	m := &moduleCode{contents: contents, entry: entry}
	if entry.Container == cubin.PTX {
		return m, m.compile(l)
	}
	if m.image, err = entry.Image(); err != nil {
		return nil, err
	}
	if m.image.Arch > arch { // the fat binary claims an older one
		return nil, &cubin.NoCodeError{Arch: arch, Found: []cubin.Entry{{Container: cubin.ELF, Arch: targetOf(m.image.Arch)}}}
	}
	m.virtual = m.image.Target()
	if of, linked := l.d.ptx.made(contents); linked {
		m.virtual = of.target
	}
	return m, nil
}

// choice says which code of a module is wanted. Code that the driver's own linker made counts as
// PTX, its source.
func (l *loader) choice(contents *cubin.Contents) jit.Choice {
	s := &l.d.config.JIT
	_, linked := l.d.ptx.made(contents)
	return jit.Choice{
		Arch: l.device.model.arch, Force: s.Force && !linked, Disable: s.Disable,
		Later: !l.d.settings.BoardPTX, Exact: l.request.exact,
	}
}

// tooLate returns an error for PTX for a target after the device's if the user wants one.
func (l *loader) tooLate(target int, contents *cubin.Contents) error {
	arch := l.device.model.arch
	if l.d.settings.BoardPTX && target > targetOf(arch) {
		return &cubin.NoCodeError{Arch: arch, Found: contents.Entries}
	}
	return nil
}

// targetOf returns the number of an architecture: 13 for sm_13.
func targetOf(a tesla.Arch) int { return 10 + int(a) }

// compile compiles the entry, which becomes machine code.
func (m *moduleCode) compile(l *loader) error {
	text, err := m.entry.Data()
	if err != nil {
		return err
	}
	code, err := l.compile(source(m.entry.Source, text))
	if err != nil {
		return err
	}
	if err := l.tooLate(code.Virtual, m.contents); err != nil {
		return err
	}
	m.entry, m.image, m.virtual = code.Entry, code.Image, code.Virtual
	return nil
}

// source makes a source of a text, which may have NULs at its end. Without a name it is called PTX.
func source(name string, text []byte) jit.Source {
	for i, b := range text {
		if b == 0 {
			text = text[:i]
			break
		}
	}
	if name == "" {
		name = "PTX"
	}
	return jit.Source{Name: name, Text: text}
}

// compile compiles sources and notes the time.
func (l *loader) compile(sources ...jit.Source) (*jit.Code, error) {
	begin := time.Now()
	code, err := l.d.ptx.compiler.Compile(l.request.Options, sources...)
	spent := time.Since(begin)
	if err != nil {
		l.log.spent += spent
		return nil, err
	}
	l.log.compiled(code, spent)
	l.d.log.Info("PTX for compute_%d is compiled for %s in %.1f ms", code.Virtual, code.Image.Arch, milliseconds(spent))
	return code, nil
}

// refused logs why there is no code, and returns the result of the call. before names the call's
// subject in messages.
func (l *loader) refused(before string, err error) error {
	var none *cubin.NoCodeError
	var mistakes *jit.Error
	var internal *jit.InternalError
	message := fmt.Sprintf("%s: %v", before, err)
	result := ErrInvalidImage
	switch {
	case errors.As(err, &none):
		message += l.advice(none)
		result = ErrNoBinaryForGPU
	case errors.Is(err, errRelocatable):
		result = ErrNoBinaryForGPU
	case errors.As(err, &mistakes):
		l.log.errors = append(l.log.errors, mistakes.Lines...)
		result = l.invalidPTX()
		if mistakes.Beyond {
			result = ErrNoBinaryForGPU
		}
		return l.d.logged(failure(result, err, "%s: %s", before, mistakes.Short()))
	case errors.As(err, &internal):
		message += "\n" + string(internal.Stack)
		result = l.invalidPTX()
	}
	l.log.errors = append(l.log.errors, message)
	return l.d.logged(failure(result, err, "%s", message))
}

// invalidPTX returns the result for PTX that cannot be compiled. Programs older than CUDA 3.2 do
// not know ErrInvalidPTX, which came with CUDA 6.0.
//
// Unverified: the code of drivers before 6.0.
func (l *loader) invalidPTX() Result {
	if l.version < 3020 {
		return ErrInvalidImage
	}
	return ErrInvalidPTX
}

// advice tells the user how to get code for the device.
func (l *loader) advice(none *cubin.NoCodeError) string {
	s, advice := &l.d.config.JIT, ""
	for i := range none.Found {
		switch e := &none.Found[i]; {
		case e.Container == cubin.PTX && s.Disable:
			advice = "; CUDA_DISABLE_PTX_JIT=1 keeps PTX from being compiled"
		case e.Container == cubin.PTX:
			advice = "; JACQUARD_PTX=any compiles PTX for later architectures"
		case e.Runs(l.device.model.arch) && s.Force:
			return "; CUDA_FORCE_PTX_JIT=1 wants PTX"
		case e.Runs(tesla.SM13):
			return "; choose another device with JACQUARD_DEVICE"
		}
	}
	return advice
}
