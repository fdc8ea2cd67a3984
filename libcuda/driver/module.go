package driver

import (
	"jacquard/cubin"
	"jacquard/ptx/jit"
	"jacquard/simt/load"
)

// module is a loaded image with its memory.
type module struct {
	ctx       *context
	handle    Module
	image     *cubin.Image
	virtual   int // the target of the PTX that image was made of, or of image itself
	functions map[string]Function
	texrefs   map[string]TexRef
	allocated []uint32
	data      *load.Data

	ptx     ptxSources      // to compile again for a launch; nil if there is none
	options jit.Options     // of the load, or of the link
	fitted  map[int]*fitted // by the most registers
}

func (m *module) context() *context { return m.ctx }

// ModuleUnload frees a module's memory and makes its functions and texture references invalid.
func (t *Thread) ModuleUnload(m Module) error {
	return owned(t, uintptr(m), func(c *context, found *module) error {
		tell(c, ModuleUnloads{c.handle, m})
		t.d.handles.remove(uintptr(m))
		for _, f := range found.functions {
			t.d.handles.remove(uintptr(f))
		}
		for _, r := range found.texrefs {
			t.d.handles.remove(uintptr(r))
		}
		for _, f := range found.fitted {
			t.d.handles.remove(f.handle) // 0 is no handle
		}
		found.free()
		return nil
	})
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
// name. Launches see writes to either.
func (t *Thread) ModuleGetGlobal(m Module, name string) (DevicePtr, uint64, error) {
	v, err := named(t, m, func(m *module) (load.Variable, bool) { v, ok := m.data.Variables[name]; return v, ok })
	return DevicePtr(v.Address), uint64(len(v.Bytes)), err
}

// named finds a named object in a module of the current context.
func named[T any](t *Thread, m Module, look func(*module) (T, bool)) (v T, err error) {
	err = owned(t, uintptr(m), func(_ *context, m *module) error {
		var ok bool
		if v, ok = look(m); !ok {
			return ErrNotFound
		}
		return nil
	})
	return v, err
}

// ModuleGetSurfRef answers ErrNotFound: surface references have a kind of handle, but no module for
// this hardware has any.
func (t *Thread) ModuleGetSurfRef(m Module, _ string) (uintptr, error) {
	return named(t, m, func(*module) (uintptr, bool) { return 0, false })
}
