package mirror

import (
	"errors"
	"maps"
	"slices"

	"jacquard/board/otherdriver"
	"jacquard/cubin"
	"jacquard/libcuda/driver"
)

// module is a module with its counterpart.
type module struct {
	own     otherdriver.Module
	refused error                           // why there is no counterpart: the other driver refuses the code
	ptx     []*standin                      // possible stand-ins: the user's, then the program's own
	loaded  map[*standin]otherdriver.Module // 0 if the other driver refuses it
}

func (c *context) moduleLoaded(e *driver.ModuleLoaded) error {
	m := &module{ptx: slices.Clone(c.m.standins), loaded: map[*standin]otherdriver.Module{}}
	c.modules[e.Module] = m
	code, err := e.Entry.Data()
	if err != nil {
		return err
	}
	if m.own, m.refused = c.m.other.ModuleLoad(code); m.refused == nil {
		return c.variables(e, m.own)
	}
	m.ptx = append(m.ptx, embedded(e.Contents)...)
	standing := 0
	for i := range e.Image.Kernels {
		s := m.standin(e.Image.Kernels[i].Name)
		if s == nil {
			continue
		}
		standing++
		if handle, ok := c.load(m, s); ok {
			if err := c.variables(e, handle); err != nil {
				return err
			}
		}
	}
	advice := ""
	if standing < len(e.Image.Kernels) {
		advice = "; name PTX for the others with --ptx FILE|DIR"
	}
	c.m.note("the other driver cannot take code for %s (%v): %d of its %d kernels have a stand-in in PTX%s",
		e.Entry.Target(), m.refused, standing, len(e.Image.Kernels), advice)
	return nil
}

// embedded returns the PTX in a program's image.
func embedded(contents *cubin.Contents) []*standin {
	var list []*standin
	for i := range contents.Entries {
		e := &contents.Entries[i]
		if e.Container != cubin.PTX {
			continue
		}
		if text, err := e.Data(); err == nil {
			list = append(list, readStandin("the program's own PTX for "+e.Target(), text))
		}
	}
	return list
}

// standin returns the first PTX with a kernel of that name, nil if there is none.
func (m *module) standin(kernel string) *standin {
	for _, s := range m.ptx {
		if _, ok := s.kernels[kernel]; ok {
			return s
		}
	}
	return nil
}

// load loads a stand-in for m, once.
func (c *context) load(m *module, s *standin) (otherdriver.Module, bool) {
	handle, known := m.loaded[s]
	if !known {
		var err error
		if handle, err = c.m.other.ModuleLoad(s.text); err != nil {
			handle = 0
			c.m.note("stand-in %s: %v", s.name, err)
		}
		m.loaded[s] = handle
	}
	return handle, handle != 0
}

// variables adds the module's variables that the other module has, too, to the comparison, unless
// another stand-in has them already.
func (c *context) variables(e *driver.ModuleLoaded, handle otherdriver.Module) error {
	for _, name := range slices.Sorted(maps.Keys(e.Variables)) {
		v := e.Variables[name]
		if _, known := c.buffers.Search(v.Address); known || len(v.Bytes) == 0 {
			continue
		}
		at, size, err := c.m.other.Global(handle, name)
		if err != nil || size < uint64(len(v.Bytes)) {
			c.m.note("variable %s is not compared: the other's module has none of its size", name)
			continue
		}
		b := &buffer{what: "variable " + name, address: v.Address, memory: v.Bytes, there: at, module: e.Module}
		c.buffers.Insert(b)
		if !c.m.shadows() {
			continue
		}
		if err := b.keep(v.Bytes); err != nil {
			return err
		}
	}
	return nil
}

func (c *context) moduleUnloads(handle driver.Module) error {
	if err := c.compareRest(nil); err != nil || c.m.found() {
		return err
	}
	m := c.modules[handle]
	delete(c.modules, handle)
	c.buffers = slices.DeleteFunc(c.buffers, func(b *buffer) bool {
		if b.module == handle {
			b.forget()
		}
		return b.module == handle
	})
	if m.refused == nil {
		return c.m.other.ModuleUnload(m.own)
	}
	for _, loaded := range m.loaded {
		if loaded == 0 {
			continue
		}
		if err := c.m.other.ModuleUnload(loaded); err != nil {
			return err
		}
	}
	return nil
}

// kernel prepares the counterpart of a kernel, its parameters and its textures. The error says why
// the kernel cannot run there.
func (c *context) kernel(e *driver.LaunchEnds) (f otherdriver.Function, params []byte, err error) {
	m, name := c.modules[driver.Module(e.Module)], e.Kernel.Name
	handle, s := m.own, (*standin)(nil)
	if m.refused != nil {
		if s = m.standin(name); s == nil {
			return 0, nil, errors.New("the other driver cannot take its code, and it has no stand-in in PTX")
		}
		loaded, ok := c.load(m, s)
		if !ok {
			return 0, nil, errors.New("the other driver cannot take its stand-in either")
		}
		handle = loaded
	}
	if f, err = c.m.other.Function(handle, name); err != nil {
		return 0, nil, err
	}
	if s == nil {
		params, err = c.translated(e.Request.Params)
	} else {
		params, err = pack(s.kernels[name], e.Request.Params, c.buffers.Translate)
	}
	if err != nil {
		return 0, nil, err
	}
	return f, params, c.textures.Bind(handle, e.Textures, c.buffers.Translate)
}
