package jit

import (
	"fmt"
	"runtime/debug"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/ptx/jit/cache"
	"jacquard/ptx/link"
	"jacquard/tesla"
)

// Source is a text of PTX.
type Source struct {
	Name string // for messages
	Text []byte // without a NUL at its end
}

// Options holds the options that change the code.
type Options struct {
	Arch         tesla.Arch
	MaxRegisters int // per thread; 0 for no limit
	// Lines gives kernels without .loc a line table of their text.
	Lines bool
}

// Compiler compiles PTX. Any number of goroutines may use it. The zero value has no cache.
type Compiler struct {
	cache *cache.Cache
}

// New returns a compiler.
func New(s Settings) *Compiler { return &Compiler{cache.Open(s.Cache)} }

// Compile links sources and returns their code. The error is an [*Error], which describes a
// mistake in the sources, or an [*InternalError].
func (c *Compiler) Compile(o Options, sources ...Source) (*Code, error) {
	k, ok := key(o, sources)
	if ok {
		if data, found := c.cache.Get(k); found {
			if code, err := kept(data); err == nil {
				code.Cached = true
				return code, nil
			}
		}
	}
	code, err := compileAll(o, sources)
	if err == nil && ok {
		c.cache.Put(k, code.keep())
	}
	return code, err
}

// key returns the key of code in the cache: a hash of everything that it depends on. It returns
// false if that is not known.
func key(o Options, sources []Source) (cache.Key, bool) {
	if build() == "" {
		return cache.Key{}, false
	}
	options := fmt.Appendf(nil, "%v %d %t", o.Arch, o.MaxRegisters, o.Lines)
	parts := [][]byte{[]byte(build()), options}
	for _, s := range sources {
		parts = append(parts, s.Text)
		if o.Lines { // the table has the name
			parts = append(parts, []byte(s.Name))
		}
	}
	return cache.NewKey(parts...), true
}

// InternalError is a bug of the compiler.
type InternalError struct {
	Cause any
	Stack []byte
}

// Error asks for a report.
func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error of the compiler, please report it: %v", e.Cause)
}

// compileAll parses, links and compiles.
func compileAll(o Options, sources []Source) (code *Code, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &InternalError{cause, debug.Stack()}
		}
	}()
	var modules []*ptx.Module
	for _, s := range sources {
		m, err := Parse(s)
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	m, err := link.Link(modules...)
	if err != nil {
		return nil, newError(err)
	}
	if missing := link.Unresolved(m); len(missing) > 0 {
		e := new(Error)
		for _, one := range missing {
			e.Lines = append(e.Lines, one.Error())
		}
		return nil, e
	}
	limit(m, o.MaxRegisters)
	image, err := compile.Compile(m, compile.Options{Arch: o.Arch, TextLines: o.Lines})
	if err != nil {
		mistakes := newError(err)
		mistakes.Beyond = m.Target.Arch > 10+int(o.Arch)
		return nil, mistakes
	}
	return finish(m, image)
}

// finish makes code of a compiled module.
func finish(m *ptx.Module, image *cubin.Image) (*Code, error) {
	file, err := cubin.FormatELF(image)
	if err != nil {
		return nil, newError(fmt.Errorf("%s: %w", m.Name, err))
	}
	code, err := newCode(file, m.Target.Arch)
	if err != nil {
		return nil, newError(fmt.Errorf("%s: %w", m.Name, err))
	}
	return code, nil
}

// Parse parses a source. The error is an [*Error].
func Parse(s Source) (*ptx.Module, error) {
	m, err := ptx.Parse(s.Name, s.Text)
	if err != nil {
		return nil, newError(err)
	}
	return m, nil
}

// limit limits the registers of all kernels.
func limit(m *ptx.Module, registers int) {
	if registers <= 0 {
		return
	}
	for _, item := range m.Items {
		f, ok := item.(*ptx.Func)
		if ok && f.Entry && (f.Bounds.MaxNReg == 0 || f.Bounds.MaxNReg > registers) {
			f.Bounds.MaxNReg = registers
		}
	}
}
