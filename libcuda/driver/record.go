package driver

import (
	"maps"
	"slices"
	"sync"

	"jacquard/cubin"
	"jacquard/libcuda/bundle"
	"jacquard/simt/mem/texture"
)

// openRecord adds to the witnesses the one that writes a bundle, if the knob asks for it.
func (d *Driver) openRecord(k fileKnob[bundle.Options]) error {
	if k.path == "" {
		return nil
	}
	b, err := bundle.Create(k.path, k.options, func(err error) { d.log.error("%v", err) })
	if err != nil {
		return err
	}
	d.writes("bundle: every launch is recorded in", k.path, b.Path())
	r := &recorder{bundle: b, contexts: map[Context]*recordedContext{}, modules: map[Module]*recordedModule{}}
	for _, m := range d.settings.models {
		r.devices = append(r.devices, m.key)
	}
	if d.witness == nil {
		d.witness = r
	} else {
		d.witness = Witnesses{d.witness, r}
	}
	return nil
}

// recorder is the witness that writes a bundle.
type recorder struct {
	bundle  *bundle.Recorder
	devices []string // models, by ordinal

	mu       sync.Mutex // guards the maps; what they hold belongs to one context
	contexts map[Context]*recordedContext
	modules  map[Module]*recordedModule
}

// recordedContext is what a recorder knows of a context.
type recordedContext struct {
	device string
	kinds  map[uint32]bundle.Kind // of the memory at an address, unless the program allocated it

	// Of the launch that runs.
	recording *bundle.Recording
	memory    []*bundle.Object
}

// recordedModule is what it knows of a module.
type recordedModule struct {
	module  *bundle.Module
	image   *cubin.Image
	kernels map[string]*bundle.Kernel // those that were launched
}

// Note follows the program.
func (r *recorder) Note(change Change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := change.(type) {
	case ContextCreated:
		r.contexts[e.Context] = &recordedContext{device: r.devices[e.Device], kinds: map[uint32]bundle.Kind{}}
	case ContextEmpties:
		r.contexts[e.Context].kinds = map[uint32]bundle.Kind{}
		r.bundle.Forget(uint64(e.Context))
	case ContextEnds:
		delete(r.contexts, e.Context)
		r.bundle.Forget(uint64(e.Context))
	case ModuleLoaded:
		r.modules[e.Module] = recordModule(e)
	case ModuleUnloads:
		delete(r.modules, e.Module)
	case HostMapped:
		r.contexts[e.Context].kinds[e.Address] = bundle.Mapped
	case MemoryFrees:
		delete(r.contexts[e.Context].kinds, e.Address)
	case *LaunchBegins:
		c := r.contexts[e.Context]
		l := r.launch(c, e)
		c.recording, c.memory = r.bundle.Begin(l), l.Memory
	case LaunchEnds:
		c := r.contexts[e.Context]
		o := bundle.Outcome{Result: e.Result.Error()}
		if e.Err != nil {
			o.Message = e.Err.Error()
		}
		c.recording.End(c.memory, o)
		c.recording, c.memory = nil, nil
	}
}

func recordModule(e ModuleLoaded) *recordedModule {
	data, err := e.Entry.Data()
	if err != nil {
		panic("driver: " + err.Error()) // the module was made of it
	}
	m := &bundle.Module{Image: data, Arch: e.Image.Arch.String(), Variables: []bundle.Variable{}}
	for _, name := range slices.Sorted(maps.Keys(e.Variables)) {
		v := e.Variables[name]
		m.Variables = append(m.Variables, bundle.Variable{Name: name, Address: v.Address, Bytes: len(v.Memory)})
	}
	return &recordedModule{m, e.Image, map[string]*bundle.Kernel{}}
}

// launch describes a launch. The caller holds the lock.
func (r *recorder) launch(c *recordedContext, e *LaunchBegins) *bundle.Launch {
	l := &bundle.Launch{
		Kernel: r.kernel(e), Context: uint64(e.Context), Device: c.device, Arch: e.Request.Program.Kernel.Arch.String(), Policy: e.Request.Policy,
		Grid: e.Request.Grid, Block: e.Request.Block, Shared: e.Request.Dynamic, Params: e.Request.Params, Textures: []bundle.Texture{},
	}
	for _, v := range l.Kernel.Module.Variables {
		if base, _, ok := e.Request.Global.Range(v.Address); ok {
			c.kinds[base] = bundle.OfModule
		}
	}
	for address, data := range e.Request.Global.All() {
		kind, known := c.kinds[address]
		if !known {
			kind = bundle.Allocation
		}
		reach := e.Request.Global.Reach(address)
		l.Memory = append(l.Memory, &bundle.Object{Kind: kind, Address: address, Bytes: reach, Slack: len(reach) - len(data)})
	}
	arrays := map[Array]bool{}
	for unit, b := range e.Textures {
		if b.Texture.Kind == texture.Unbound {
			continue
		}
		t := recordTexture(unit, &b)
		if t.Array != 0 && !arrays[b.Array] {
			arrays[b.Array] = true
			l.Memory = append(l.Memory, &bundle.Object{Kind: bundle.Array, Address: t.Array, Bytes: b.Texture.Texels})
		}
		l.Textures = append(l.Textures, t)
	}
	return l
}

// kernel returns the kernel of a launch; it is the same for every launch.
func (r *recorder) kernel(e *LaunchBegins) *bundle.Kernel {
	m := r.modules[e.Module]
	if k := m.kernels[e.Kernel.Name]; k != nil {
		return k
	}
	k := &bundle.Kernel{Module: m.module, Name: e.Kernel.Name, Banks: []bundle.Bank{}, Textures: []string{}}
	written := m.constants(e.Kernel)
	for i, data := range e.Request.Const {
		switch {
		case data == nil:
		case i == 0 && written != 0:
			k.Banks = append(k.Banks, bundle.Bank{Bank: i, Address: written, Bytes: len(data)})
		default:
			k.Banks = append(k.Banks, bundle.Bank{Bank: i, Bytes: len(data), Data: data})
		}
	}
	for _, b := range e.Textures {
		k.Textures = append(k.Textures, b.Name)
	}
	m.kernels[k.Name] = k
	return k
}

// constants returns where bank 0 of a kernel lies in device memory: where the module's __constant__ variables do. It is 0
// if there are none, or if the bank is the kernel's own.
func (m *recordedModule) constants(k *cubin.Kernel) uint32 {
	for _, s := range k.Segments {
		if s.Bank == 0 {
			return 0
		}
	}
	for _, c := range m.image.Constants {
		for _, v := range m.module.Variables {
			if v.Name == c.Name {
				return v.Address - uint32(c.Offset)
			}
		}
	}
	return 0
}

// recordTexture describes what a texture unit reads.
func recordTexture(unit int, b *Binding) bundle.Texture {
	x := &b.Texture
	t := bundle.Texture{
		Unit: unit, Kind: map[texture.Kind]string{texture.Linear: "linear", texture.Pitched: "pitched", texture.Array: "array"}[x.Kind],
		Format: int(x.Format), Channels: int(x.Channels), Integer: x.Integer, Normalized: x.Normalized, Linear: x.Filter,
		Base: x.Base, Size: x.Size, Pitch: x.Pitch, Width: x.Width, Height: x.Height, Depth: x.Depth, Layered: x.Layered,
	}
	for i, mode := range x.Address {
		t.Modes[i] = int(mode)
	}
	if x.Kind == texture.Array && x.Texels != nil {
		t.Array = uint32(b.Array)
	}
	return t
}
