package driver

import (
	"encoding/binary"
	"errors"
	"os"

	"jacquard/cubin"
)

// module is a loaded image with its memory.
type module struct {
	ctx       *context
	image     *cubin.Image
	functions map[string]Function
	texrefs   map[string]TexRef
	variables map[string]variable
	allocated []uint32
	banks     [16][]byte // constants that all kernels share; bank 0 is in device memory
}

func (m *module) context() *context { return m.ctx }

// variable is where a variable of a module lives.
type variable struct {
	addr uint32
	size int
}

// ModuleLoad loads the image in a file.
func (t *Thread) ModuleLoad(path string) (Module, error) {
	c, err := t.work()
	if err != nil {
		return 0, err
	}
	defer c.mu.Unlock()
	data, err := os.ReadFile(path)
	if err != nil {
		t.d.log.info("cuModuleLoad: %v", err)
		return 0, ErrFileNotFound
	}
	return c.load(data)
}

// ModuleLoadData loads an image from memory, which may end in padding. The driver does not keep the slice.
func (t *Thread) ModuleLoadData(image []byte) (Module, error) {
	c, err := t.work()
	if err != nil {
		return 0, err
	}
	defer c.mu.Unlock()
	return c.load(image)
}

// ModuleUnload frees a module's memory and makes its functions and texture references invalid.
func (t *Thread) ModuleUnload(m Module) error {
	c, err := t.work()
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	found, err := find[*module](c, uintptr(m))
	if err != nil {
		return err
	}
	t.d.handles.remove(uintptr(m))
	for _, f := range found.functions {
		t.d.handles.remove(uintptr(f))
	}
	for _, r := range found.texrefs {
		t.d.handles.remove(uintptr(r))
	}
	found.free()
	return nil
}

// ModuleGetFunction returns the kernel called name.
func (t *Thread) ModuleGetFunction(m Module, name string) (Function, error) {
	return named(t, m, func(m *module) (Function, bool) { f, ok := m.functions[name]; return f, ok })
}

// ModuleGetTexRef returns the texture reference called name.
func (t *Thread) ModuleGetTexRef(m Module, name string) (TexRef, error) {
	return named(t, m, func(m *module) (TexRef, bool) { r, ok := m.texrefs[name]; return r, ok })
}

// ModuleGetGlobal returns address and size of the __device__ or __constant__ variable called
// name. Launches see what is written to either.
func (t *Thread) ModuleGetGlobal(m Module, name string) (DevicePtr, uint64, error) {
	v, err := named(t, m, func(m *module) (variable, bool) { v, ok := m.variables[name]; return v, ok })
	return DevicePtr(v.addr), uint64(v.size), err
}

// named looks something up in a module of the current context.
func named[T any](t *Thread, m Module, look func(*module) (T, bool)) (T, error) {
	var none T
	c, err := t.work()
	if err != nil {
		return none, err
	}
	defer c.mu.Unlock()
	found, err := find[*module](c, uintptr(m))
	if err != nil {
		return none, err
	}
	v, ok := look(found)
	if !ok {
		return none, ErrNotFound
	}
	return v, nil
}

// load makes a module of an image. The caller holds c's lock.
func (c *context) load(data []byte) (Module, error) {
	image, err := cubin.Parse(data)
	if err != nil {
		return 0, c.imageError(err)
	}
	if image.Arch > c.device.model.arch {
		c.d.log.error("module is for %s, the device is %s: choose another with JACQUARD_DEVICE", image.Arch, c.device.model.arch)
		return 0, ErrNoBinaryForGPU
	}
	m := &module{ctx: c, image: image, functions: map[string]Function{}, texrefs: map[string]TexRef{}, variables: map[string]variable{}}
	if err := m.place(); err != nil {
		m.free()
		return 0, err
	}
	references := make([]*texref, len(image.Samplers))
	for i, s := range image.Samplers {
		references[i] = newTexref(c)
		m.texrefs[s.Name] = TexRef(c.d.handles.add(references[i]))
	}
	for i := range image.Kernels {
		k := &image.Kernels[i]
		f := &function{module: m, kernel: k}
		for _, sampler := range image.Units(k) {
			var r *texref
			if sampler >= 0 {
				r = references[sampler]
			}
			f.textures = append(f.textures, r)
		}
		m.functions[k.Name] = Function(c.d.handles.add(f))
	}
	c.d.log.info("module for %s: %d kernels, %d variables", image.Arch, len(m.functions), len(m.variables))
	return Module(c.d.handles.add(m)), nil
}

// imageError logs what is wrong with an image and returns the code for it.
func (c *context) imageError(err error) error {
	var container *cubin.ContainerError
	if errors.As(err, &container) {
		switch container.Container {
		case cubin.PTX:
			c.d.log.error("module: %v", err)
			return ErrNoBinaryForGPU
		case cubin.ELF, cubin.FatBinary:
			c.d.log.once("module: %v", err)
			return ErrNotSupported
		}
	}
	c.d.log.error("module: %v", err)
	return ErrInvalidImage
}

// place allocates and fills the module's variables and constant banks.
func (m *module) place() error {
	var sizes [len(m.banks)]int
	for _, s := range m.image.Segments {
		sizes[s.Bank] = max(sizes[s.Bank], s.Offset+s.Bytes)
	}
	for _, v := range m.image.Constants {
		sizes[0] = max(sizes[0], v.Offset+v.Bytes)
	}
	for _, g := range m.image.Globals {
		for _, s := range g.Slots {
			sizes[addressBank] = max(sizes[addressBank], s.Offset+4)
		}
	}
	for i, size := range sizes {
		if i > 0 && size > 0 {
			m.banks[i] = make([]byte, size)
		}
	}
	var constants uint32
	if sizes[0] > 0 {
		var err error
		if constants, m.banks[0], err = m.alloc(sizes[0]); err != nil {
			return err
		}
	}
	for _, s := range m.image.Segments {
		copy(m.banks[s.Bank][s.Offset:], s.Init)
	}
	for _, v := range m.image.Constants {
		copy(m.banks[0][v.Offset:], v.Init)
		m.variables[v.Name] = variable{constants + uint32(v.Offset), v.Bytes}
	}
	return m.placeGlobals()
}

// addressBank is the constant bank with the addresses of __device__ variables.
const addressBank = 14

// placeGlobals allocates and fills the __device__ variables, and tells the kernels where they are.
func (m *module) placeGlobals() error {
	for _, g := range m.image.Globals {
		addr, b, err := m.alloc(g.Bytes)
		if err != nil {
			return err
		}
		copy(b, g.Init)
		m.variables[g.Name] = variable{addr, g.Bytes}
		for _, s := range g.Slots {
			binary.LittleEndian.PutUint32(m.banks[addressBank][s.Offset:], addr+s.Addend)
		}
	}
	return nil
}

// alloc allocates device memory that the program cannot free.
func (m *module) alloc(size int) (uint32, []byte, error) {
	addr, err := m.ctx.space.Alloc(uint64(size))
	if err != nil {
		m.ctx.d.log.info("module: %v", err)
		return 0, nil, ErrOutOfMemory
	}
	m.allocated = append(m.allocated, addr)
	m.ctx.owned[addr] = true
	b, err := m.ctx.space.Bytes(addr, uint64(size))
	if err != nil {
		panic("driver: " + err.Error())
	}
	return addr, b, nil
}

// free gives the module's device memory back.
func (m *module) free() {
	for _, addr := range m.allocated {
		delete(m.ctx.owned, addr)
		if err := m.ctx.space.Free(addr); err != nil {
			panic("driver: " + err.Error())
		}
	}
}
