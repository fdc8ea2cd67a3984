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
	bank0     []byte    // the __constant__ variables, in device memory
	bank14    []byte    // addresses of the __device__ variables
	textures  []*texref // by texture unit; nil for units without a reference
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
	for i := range image.Kernels {
		k := &image.Kernels[i]
		m.functions[k.Name] = Function(c.d.handles.add(&function{module: m, kernel: k}))
	}
	for _, s := range image.Samplers {
		r := newTexref(c)
		m.texrefs[s.Name] = TexRef(c.d.handles.add(r))
		for len(m.textures) <= s.Unit {
			m.textures = append(m.textures, nil)
		}
		m.textures[s.Unit] = r
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
	size := 0
	for _, v := range m.image.Constants {
		size = max(size, v.Offset+v.Bytes)
	}
	if size > 0 {
		addr, b, err := m.alloc(size)
		if err != nil {
			return err
		}
		m.bank0 = b
		for _, v := range m.image.Constants {
			copy(b[v.Offset:], v.Init)
			m.variables[v.Name] = variable{addr + uint32(v.Offset), v.Bytes}
		}
	}
	for _, v := range m.image.Globals {
		addr, b, err := m.alloc(v.Bytes)
		if err != nil {
			return err
		}
		copy(b, v.Init)
		m.variables[v.Name] = variable{addr, v.Bytes}
		for len(m.bank14) < v.Offset+4 {
			m.bank14 = append(m.bank14, 0)
		}
		binary.LittleEndian.PutUint32(m.bank14[v.Offset:], addr)
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
