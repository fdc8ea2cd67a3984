package driver

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"jacquard/cubin"
	"jacquard/tesla"
)

// LoadLog is the log of loading an image.
type LoadLog struct {
	Info  string // the contents of the module
	Error string // the reason for a failure
}

// ModuleLoad loads the image in a file: a cubin, or a flat fat binary.
func (t *Thread) ModuleLoad(path string) (Module, error) {
	return working(t, func(c *context) (Module, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.d.log.Info("cuModuleLoad: %v", err)
			return 0, ErrFileNotFound
		}
		contents, err := cubin.Read(data)
		return c.load(contents, err, nil)
	})
}

// ModuleLoadData loads an image, perhaps with padding at its end. The driver does not keep the
// slice.
func (t *Thread) ModuleLoadData(image []byte) (Module, error) {
	return working(t, func(c *context) (Module, error) {
		contents, err := cubin.Read(image)
		return c.load(contents, err, nil)
	})
}

// ModuleLoadFatBinary loads the image at address at of the program's memory: text, ELF, or one of
// the three forms of a fat binary, of which it loads the best entry for the device. The image's own
// headers give its size. An error of memory means that an address cannot be read.
func (t *Thread) ModuleLoadFatBinary(memory io.ReaderAt, at uint64) (Module, error) {
	return t.ModuleLoadDataEx(memory, at, nil)
}

// ModuleLoadDataEx is ModuleLoadFatBinary with a log, which may be nil. Options for the translation
// of PTX have no effect: machine code needs none.
func (t *Thread) ModuleLoadDataEx(memory io.ReaderAt, at uint64, log *LoadLog) (Module, error) {
	return working(t, func(c *context) (Module, error) {
		contents, err := cubin.Open(cubin.Memory{ReaderAt: memory, Word: strconv.IntSize / 8}, at)
		return c.load(contents, err, log)
	})
}

// load makes a module of an image, unless err is set. The caller holds c's lock.
func (c *context) load(contents *cubin.Contents, err error, log *LoadLog) (Module, error) {
	if log == nil {
		log = new(LoadLog) // discarded
	}
	var image *cubin.Image
	if err == nil {
		contents, err = c.compiled(contents)
	}
	if err == nil {
		image, err = contents.Image(c.device.model.arch)
	}
	if err == nil && image.Arch > c.device.model.arch { // the fat binary claims an older one
		err = &cubin.NoCodeError{Arch: c.device.model.arch, Found: []cubin.Entry{{Container: cubin.ELF, Arch: 10 + int(image.Arch)}}}
	}
	var none *cubin.NoCodeError
	switch {
	case errors.As(err, &none):
		log.Error = fmt.Sprintf("module: %v%s", err, advice(none))
		c.d.log.Error("%s", log.Error)
		return 0, ErrNoBinaryForGPU
	case err != nil:
		log.Error = fmt.Sprintf("module: %v", err)
		c.d.log.Error("%s", log.Error)
		return 0, ErrInvalidImage
	}
	m := &module{ctx: c, image: image, functions: map[string]Function{}, texrefs: map[string]TexRef{}, variables: map[string]variable{}}
	if err := m.place(); err != nil {
		m.free()
		log.Error = "module: out of memory"
		return 0, err
	}
	m.name()
	log.Info = fmt.Sprintf("module for %s: %d kernels, %d variables", image.Arch, len(m.functions), len(m.variables))
	c.d.log.Info("%s", log.Info)
	m.handle = Module(c.d.handles.add(m))
	m.tellLoaded(contents)
	return m.handle, nil
}

// tellLoaded tells listeners of m, whose image is in contents.
func (m *module) tellLoaded(contents *cubin.Contents) {
	if len(m.ctx.d.listeners) == 0 {
		return
	}
	entry, err := contents.Select(m.ctx.device.model.arch)
	if err != nil {
		panic("driver: " + err.Error()) // it was found just before
	}
	variables := map[string]ModuleRange{}
	for name, v := range m.variables {
		b, err := m.ctx.space.Bytes(v.addr, uint64(v.size))
		if err != nil {
			panic("driver: " + err.Error())
		}
		variables[name] = ModuleRange{v.addr, b}
	}
	tell(m.ctx, ModuleLoaded{m.ctx.handle, m.handle, contents, entry, m.image, variables})
}

// advice tells the user how to get code for the device.
func advice(none *cubin.NoCodeError) string {
	advice := ""
	for i := range none.Found {
		switch e := &none.Found[i]; {
		case e.Runs(tesla.SM13):
			return "; choose another device with JACQUARD_DEVICE"
		case e.Container == cubin.PTX:
			advice = "; PTX has to be compiled to a cubin for sm_10 .. sm_13"
		}
	}
	return advice
}

// name makes the handles of the module's kernels and texture references.
func (m *module) name() {
	handles := &m.ctx.d.handles
	references := make([]*texref, len(m.image.Samplers))
	for i, s := range m.image.Samplers {
		references[i] = newTexref(m.ctx)
		references[i].name = s.Name
		m.texrefs[s.Name] = TexRef(handles.add(references[i]))
	}
	for i := range m.image.Kernels {
		k := &m.image.Kernels[i]
		f := &function{module: m, kernel: k}
		for _, sampler := range m.image.Units(k) {
			var r *texref
			if sampler >= 0 {
				r = references[sampler]
			}
			f.textures = append(f.textures, r)
		}
		m.functions[k.Name] = Function(handles.add(f))
	}
}
