package driver

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"jacquard/cubin"
)

// ModuleLoad loads the image in a file: a cubin, PTX, or a flat fat binary.
func (t *Thread) ModuleLoad(path string) (Module, error) {
	return working(t, func(c *context) (Module, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.d.log.Info("cuModuleLoad: %v", err)
			return 0, ErrFileNotFound
		}
		contents, err := cubin.Read(data)
		return c.load(contents, err, JITOptions{})
	})
}

// ModuleLoadData loads an image, perhaps with padding at its end. The driver does not keep the
// slice.
func (t *Thread) ModuleLoadData(image []byte) (Module, error) {
	return working(t, func(c *context) (Module, error) {
		contents, err := cubin.Read(image)
		return c.load(contents, err, JITOptions{})
	})
}

// ModuleLoadFatBinary loads the image at address at of the program's memory: text, ELF, or one of
// the three forms of a fat binary. From a fat binary it loads the best entry for the device. The
// image's own headers give its size. An error of memory means that an address cannot be read.
//
// All calls that load an image compile PTX if there is no machine code for the device.
func (t *Thread) ModuleLoadFatBinary(memory io.ReaderAt, at uint64) (Module, error) {
	return t.ModuleLoadDataEx(memory, at, JITOptions{})
}

// ModuleLoadDataEx is ModuleLoadFatBinary with options.
func (t *Thread) ModuleLoadDataEx(memory io.ReaderAt, at uint64, o JITOptions) (Module, error) {
	return working(t, func(c *context) (Module, error) {
		contents, err := cubin.Open(cubin.Memory{ReaderAt: memory, Word: strconv.IntSize / 8}, at)
		return c.load(contents, err, o)
	})
}

// load makes a module of an image, unless err is set. The caller holds c's lock.
func (c *context) load(contents *cubin.Contents, err error, o JITOptions) (Module, error) {
	r, refusal := o.request(c)
	if refusal != nil {
		return 0, refusal
	}
	l := &loader{c, &r, &jitLog{to: &o, verbose: r.verbose, threads: r.threads}}
	var code *moduleCode
	if err == nil {
		code, err = l.code(contents)
	}
	if err != nil {
		err = l.refused("module", err)
		l.log.answer()
		return 0, err
	}
	return l.make(code)
}

// make makes a module of code.
func (l *loader) make(code *moduleCode) (Module, error) {
	log := l.log
	m := &module{
		ctx: l.context, image: code.image, virtual: code.virtual,
		functions: map[string]Function{}, texrefs: map[string]TexRef{},
	}
	m.ptx, m.options = l.ptxOf(code.contents)
	known := false
	defer func() {
		if !known { // there is no memory, or the program's buffers are none
			m.free()
		}
	}()
	if err := m.place(); err != nil {
		log.errors = append(log.errors, "module: out of memory")
		log.answer()
		return 0, err
	}
	line := fmt.Sprintf("module for %s: %d kernels, %d variables", m.image.Arch, len(m.image.Kernels), len(m.data.Variables))
	l.d.log.Info("%s", line)
	log.info = append(log.info, line)
	log.answer()
	known = true
	m.name()
	m.handle = Module(l.d.handles.add(m))
	tell(m.ctx, ModuleLoaded{m.ctx.handle, m.handle, code.contents, code.entry, m.image, m.data.Variables})
	return m.handle, nil
}

// name makes the handles of the module's kernels and texture references.
func (m *module) name() {
	handles := &m.ctx.d.handles
	for _, s := range m.image.Samplers {
		r := newTexref(m.ctx)
		r.name = s.Name
		m.texrefs[s.Name] = TexRef(handles.add(r))
	}
	for i := range m.image.Kernels {
		k := &m.image.Kernels[i]
		f := &function{module: m, body: body{kernel: k, textures: m.units(m.image, k)}}
		m.functions[k.Name] = Function(handles.add(f))
	}
}

// units returns the texture references of a kernel of an image, by texture unit; nil for units
// without one.
func (m *module) units(image *cubin.Image, k *cubin.Kernel) []*texref {
	var list []*texref
	for _, sampler := range image.Units(k) {
		var r *texref
		if sampler >= 0 {
			r, _ = m.ctx.d.handles.get(uintptr(m.texrefs[image.Samplers[sampler].Name])).(*texref)
		}
		list = append(list, r)
	}
	return list
}
