package driver

import (
	"errors"
	"fmt"

	"jacquard/cubin"
	"jacquard/ptx/jit"
	"jacquard/simt"
	"jacquard/simt/load"
)

// A block runs only if the registers of all its threads fit a multiprocessor. Compilers of later
// devices count on larger files of registers, so programs launch blocks that do not fit these
// devices. Where PTX is at hand, it is compiled again with fewer registers for such a launch.

// body is code of a kernel that launches run.
type body struct {
	kernel   *cubin.Kernel
	textures []*texref // by texture unit; nil for units without a reference

	program *simt.Program // nil before the first launch
	banks   [16][]byte    // the constant banks; valid with program
}

// prepare decodes and lowers the code for a context's device, once.
func (b *body) prepare(c *context, data *load.Data) (err error) {
	if b.program == nil {
		b.banks = data.Const(b.kernel)
		b.program, err = load.Program(c.device.model.arch, b.kernel, c.d.settings.Host)
	}
	return err
}

// fitted is the code of a module, compiled again with fewer registers. Its variables are the
// module's.
type fitted struct {
	module *module
	handle uintptr // of the code alone; the program does not see it
	image  *cubin.Image
	data   *load.Data
	bodies map[string]*body
	err    error // why there is no code
}

func (f *fitted) context() *context { return f.module.ctx }

// choose returns the code of f for its block, with the code's data and handle: f's own code, unless
// its registers do not fit and PTX compiled again does. why says that the PTX at hand does not.
func (f *function) choose() (b *body, data *load.Data, code uintptr, why error) {
	own, m := &f.body, f.module
	limits := m.ctx.device.model.arch.Limits()
	threads := f.block[0] * f.block[1] * f.block[2]
	if threads < 1 || threads > limits.ThreadsPerBlock {
		return own, m.data, uintptr(m.handle), nil
	}
	most := limits.MostRegisters(threads, f.kernel.Shared+int(f.shared))
	if most == 0 || f.kernel.Registers <= most {
		return own, m.data, uintptr(m.handle), nil
	}
	fit, err := m.fit(most)
	if err == nil {
		b, err = fit.body(f.kernel.Name, most)
	}
	if err != nil {
		if !errors.Is(err, errNoPTX) {
			why = fmt.Errorf("kernel %s: a block of %d threads has at most %d registers each: %w", f.kernel.Name, threads, most, err)
		}
		return own, m.data, uintptr(m.handle), why
	}
	if log := &m.ctx.d.log; log.count(fmt.Sprintf("registers of %s for %d", f.kernel.Name, threads), "") == 1 {
		log.Note("kernel %s: a block of %d threads with %d registers each does not fit: its PTX was compiled again, for %d registers",
			f.kernel.Name, threads, f.kernel.Registers, b.kernel.Registers)
	}
	return b, fit.data, fit.handle, nil
}

// errNoPTX says that a module has no PTX to compile again.
var errNoPTX = errors.New("there is no PTX to compile again")

// fit returns the module's PTX compiled for at most so many registers. It compiles once.
func (m *module) fit(registers int) (*fitted, error) {
	f := m.fitted[registers]
	if f == nil {
		f = &fitted{module: m, bodies: map[string]*body{}}
		f.err = f.compile(registers)
		if m.fitted == nil {
			m.fitted = map[int]*fitted{}
		}
		m.fitted[registers] = f
	}
	return f, f.err
}

// compile makes the code.
func (f *fitted) compile(registers int) error {
	m := f.module
	if m.ptx == nil {
		return errNoPTX
	}
	sources, err := m.ptx()
	if err != nil {
		return err
	}
	options := m.options
	options.MaxRegisters = registers
	code, err := m.ctx.d.ptx.compiler.Compile(options, sources...)
	if err != nil {
		return err
	}
	data, ok := m.data.Share(m.image, code.Image)
	if !ok {
		return errors.New("the PTX has other variables than the machine code")
	}
	f.image, f.data, f.handle = code.Image, data, m.ctx.d.handles.add(f)
	tell(m.ctx, ModuleFitted{m.ctx.handle, m.handle, f.handle, code.Entry, code.Image, data.Variables})
	return nil
}

// body returns the code of a kernel, unless it has more registers than wanted after all.
func (f *fitted) body(name string, most int) (*body, error) {
	if b := f.bodies[name]; b != nil {
		return b, nil
	}
	k := f.image.Kernel(name)
	if k == nil {
		return nil, fmt.Errorf("the PTX has no kernel %s", name)
	}
	if k.Registers > most {
		return nil, fmt.Errorf("its PTX needs %d", k.Registers)
	}
	b := &body{kernel: k, textures: f.module.units(f.image, k)}
	f.bodies[name] = b
	return b, nil
}

// ptxSources returns the texts that a module is made of.
type ptxSources func() ([]jit.Source, error)

// ptxOf returns the PTX of a module that may be compiled for the device, nil if there is none, with
// the options of the load. A linker's cubin has the texts and the options of the link.
func (l *loader) ptxOf(contents *cubin.Contents) (ptxSources, jit.Options) {
	if of, linked := l.d.ptx.made(contents); linked {
		return func() ([]jit.Source, error) { return of.sources, nil }, of.options
	}
	choice := l.choice(contents)
	choice.Force = true
	entry, err := jit.Choose(contents, choice)
	if err != nil || l.tooLate(entry.Arch, contents) != nil {
		return nil, l.request.Options
	}
	return func() ([]jit.Source, error) {
		text, err := entry.Data()
		return []jit.Source{source(entry.Source, text)}, err
	}, l.request.Options
}
