package driver

import (
	"errors"
	"fmt"
	"time"

	"jacquard/cubin"
	"jacquard/libcuda/driver/jit"
	"jacquard/tesla"
)

// moduleCode is the part of a program's image that a device runs.
type moduleCode struct {
	contents *cubin.Contents // all of the image
	entry    *cubin.Entry    // machine code: of the image, or made of its PTX
	image    *cubin.Image
	virtual  int // the target of the PTX; that of the machine code if there was no PTX
}

// code returns the code for the device. It compiles PTX if there is no machine code. The log hears
// of a compilation.
func (c *context) code(contents *cubin.Contents, r *jitRequest, log *jitLog) (*moduleCode, error) {
	if r.Arch > c.device.model.arch {
		return nil, c.noCode(contents)
	}
	entry, err := jit.Choose(contents, c.choice(contents, r))
	if err != nil {
		return nil, err
	}
	m := &moduleCode{contents: contents, entry: entry}
	if entry.Container == cubin.PTX {
		return m, m.compile(c, r, log)
	}
	if m.image, err = entry.Image(); err != nil {
		return nil, err
	}
	if m.image.Arch > c.device.model.arch { // the fat binary claims an older one
		return nil, &cubin.NoCodeError{Arch: c.device.model.arch, Found: []cubin.Entry{{Container: cubin.ELF, Arch: targetOf(m.image.Arch)}}}
	}
	m.virtual = targetOf(m.image.Arch)
	return m, nil
}

// choice says which code is wanted of a module. Code that the driver's own linker made counts as
// PTX, of which it was made.
func (c *context) choice(contents *cubin.Contents, r *jitRequest) jit.Choice {
	s := &c.d.config.JIT
	return jit.Choice{
		Arch: c.device.model.arch, Force: s.Force && !c.d.linked.has(contents), Disable: s.Disable,
		Later: !c.d.settings.BoardPTX, Exact: r.exact,
	}
}

// noCode is the error of a module without code for the device.
func (c *context) noCode(contents *cubin.Contents) error {
	return &cubin.NoCodeError{Arch: c.device.model.arch, Found: contents.Entries}
}

// targetOf returns the number of an architecture: 13 for sm_13.
func targetOf(a tesla.Arch) int { return 10 + int(a) }

// compile compiles the entry, which becomes machine code.
func (m *moduleCode) compile(c *context, r *jitRequest, log *jitLog) error {
	text, err := m.entry.Data()
	if err != nil {
		return err
	}
	code, err := c.d.compile(r, log, source(m.entry.Source, text))
	if err != nil {
		return err
	}
	if c.refuses(code.Virtual) {
		return c.noCode(m.contents)
	}
	m.entry, m.image, m.virtual = code.Entry, code.Image, code.Virtual
	return nil
}

// refuses reports whether PTX for a target is too late for the device, and the user wants to be
// told so.
func (c *context) refuses(target int) bool {
	return c.d.settings.BoardPTX && target > targetOf(c.device.model.arch)
}

// source makes a source of a text, which may have NULs at its end. PTX without a name is called PTX.
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
func (d *Driver) compile(r *jitRequest, log *jitLog, sources ...jit.Source) (*jit.Code, error) {
	begin := time.Now()
	code, err := d.compiler.Compile(r.Options, sources...)
	spent := time.Since(begin)
	if err != nil {
		log.spent += spent
		return nil, err
	}
	log.compiled(code, spent)
	d.log.Info("PTX for compute_%d is compiled for %s in %.1f ms", code.Virtual, code.Image.Arch, milliseconds(spent))
	return code, nil
}

// refused logs why there is no code, and returns the result of the call. before names the call's
// subject in messages.
func (c *context) refused(before string, err error, log *jitLog) error {
	var none *cubin.NoCodeError
	var mistakes *jit.Error
	var internal *jit.InternalError
	message := fmt.Sprintf("%s: %v", before, err)
	result := ErrInvalidImage
	switch {
	case errors.As(err, &none):
		message += c.advice(none)
		result = ErrNoBinaryForGPU
	case errors.Is(err, errRelocatable):
		result = ErrNoBinaryForGPU
	case errors.As(err, &mistakes):
		log.errors = append(log.errors, mistakes.Lines...)
		c.d.log.Error("%s: %s", before, mistakes.Short())
		return c.invalidPTX()
	case errors.As(err, &internal):
		message += "\n" + string(internal.Stack)
		result = c.invalidPTX()
	}
	log.errors = append(log.errors, message)
	c.d.log.Error("%s", message)
	return result
}

// invalidPTX returns the result for PTX that cannot be compiled. Programs of before CUDA 3.2 do not
// know ErrInvalidPTX, which is of CUDA 6.0.
//
// Unverified: the code of drivers before 6.0.
func (c *context) invalidPTX() Result {
	if c.version < 3020 {
		return ErrInvalidImage
	}
	return ErrInvalidPTX
}

// advice tells the user how to get code for the device.
func (c *context) advice(none *cubin.NoCodeError) string {
	s, advice := &c.d.config.JIT, ""
	for i := range none.Found {
		switch e := &none.Found[i]; {
		case e.Container == cubin.PTX && s.Disable:
			advice = "; CUDA_DISABLE_PTX_JIT=1 keeps PTX from being compiled"
		case e.Container == cubin.PTX:
			advice = "; JACQUARD_PTX=any compiles PTX for later architectures"
		case e.Runs(c.device.model.arch) && s.Force:
			return "; CUDA_FORCE_PTX_JIT=1 wants PTX"
		case e.Runs(tesla.SM13):
			return "; choose another device with JACQUARD_DEVICE"
		}
	}
	return advice
}
