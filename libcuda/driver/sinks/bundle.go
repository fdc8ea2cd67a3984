package sinks

import (
	"maps"
	"os"
	"slices"
	"sync"

	"jacquard/cubin"
	"jacquard/internal/outfile"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
	"jacquard/simt"
	"jacquard/simt/mem/texture"
)

// Bundle records launches with their memory before and after. It is also told of modules, and of
// memory that is no allocation of the program. Contexts and modules are handles.
type Bundle struct {
	file     knobs.File[bundle.Options]
	recorder *bundle.Recorder // nil before Open
	log      Log

	mu sync.Mutex // guards the maps
	// kinds is the kind of memory at an address, by context; allocations are not in it.
	kinds   map[uintptr]map[uint32]bundle.Kind
	modules map[uintptr]*recordedModule
}

// recordedModule is a module with its launched kernels.
type recordedModule struct {
	module  *bundle.Module
	image   *cubin.Image
	kernels map[string]*bundle.Kernel
	context uintptr
	of      uintptr  // handle of the loaded module: another than its own for code made again
	places  []uint32 // where its variables are, once one of its kernels was launched
}

// NewBundle returns a bundle that knows modules and memory, but records launches only after Open.
func NewBundle(file knobs.File[bundle.Options], log Log) *Bundle {
	if file.Path == "" {
		return nil
	}
	return &Bundle{file: file, log: log, kinds: map[uintptr]map[uint32]bundle.Kind{}, modules: map[uintptr]*recordedModule{}}
}

// Open begins the file.
func (b *Bundle) Open() error {
	r, err := bundle.Create(b.file.Path, b.file.Options, b.log.Lost)
	if err != nil {
		return err
	}
	opened(b.log, "bundle: every launch is recorded in", b.file.Path, r.Path())
	b.recorder = r
	return nil
}

// End marks the end of the recording. If the tool runs the program, the tool does so, with the status
// of the program.
func (b *Bundle) End() {
	if b.recorder == nil {
		return
	}
	path := b.recorder.Path()
	if b.recorder.Close() != nil || os.Getenv(outfile.RunVariable) != "" {
		return
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	if _, err := bundle.Finish(path, bundle.Closing{Itself: true}); err != nil {
		b.log.Once("%v", err)
	}
}

// ContextEmpties forgets everything in a context, which ends or becomes as new.
func (b *Bundle) ContextEmpties(ctx uintptr) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.kinds, ctx)
	maps.DeleteFunc(b.modules, func(_ uintptr, m *recordedModule) bool { return m.context == ctx })
	if b.recorder != nil {
		b.recorder.Forget(uint64(ctx))
	}
}

// ModuleLoaded describes a module: the entry of a file, the image made of it, and its variables.
// code is its handle, or the handle of code that was made again for a launch.
func (b *Bundle) ModuleLoaded(ctx, handle, code uintptr, entry *cubin.Entry, image *cubin.Image, variables []bundle.Variable) {
	data, err := entry.Data()
	if err != nil {
		panic("sinks: " + err.Error()) // the module was made of it
	}
	m := &bundle.Module{Image: data, Arch: image.Arch.String(), Variables: variables}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.modules[code] = &recordedModule{module: m, image: image, kernels: map[string]*bundle.Kernel{}, context: ctx, of: handle}
}

// ModuleUnloads forgets a module and its memory.
func (b *Bundle) ModuleUnloads(handle uintptr) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.modules, func(_ uintptr, m *recordedModule) bool {
		if m.of != handle {
			return false
		}
		for _, address := range m.places {
			delete(b.kinds[m.context], address)
		}
		return true
	})
}

// HostMapped notes that an address of a context is mapped host memory.
func (b *Bundle) HostMapped(ctx uintptr, address uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kindsOf(ctx)[address] = bundle.Mapped
}

// MemoryFrees notes that the memory at an address is freed.
func (b *Bundle) MemoryFrees(ctx uintptr, address uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.kinds[ctx], address)
}

// ArrayDestroys notes that an array is destroyed, by its handle.
func (b *Bundle) ArrayDestroys(ctx, array uintptr) {
	if b.recorder != nil {
		b.recorder.ForgetArray(uint64(ctx), uint32(array))
	}
}

func (b *Bundle) kindsOf(ctx uintptr) map[uint32]bundle.Kind {
	if b.kinds[ctx] == nil {
		b.kinds[ctx] = map[uint32]bundle.Kind{}
	}
	return b.kinds[ctx]
}

// Begin records the memory of a launch, unless no device runs it.
func (b *Bundle) Begin(l *Launch) (end func()) {
	if b.recorder == nil || l.refused() {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	described := b.launch(l)
	recording := b.recorder.Begin(described)
	return func() {
		o := bundle.Outcome{Result: l.Result}
		if l.Err != nil {
			o.Message = l.Err.Error()
		}
		recording.End(described.Memory, o)
	}
}

// launch describes a launch. The caller holds the lock.
func (b *Bundle) launch(l *Launch) *bundle.Launch {
	r, kinds := &l.Request, b.kindsOf(l.Context)
	d := &bundle.Launch{
		Number: l.Number, Kernel: b.kernel(l), Context: uint64(l.Context), Device: l.Device, Arch: r.Program.Kernel.Arch.String(), Policy: r.Policy,
		Grid: r.Grid, Block: r.Block, Shared: r.Dynamic, Params: r.Params, Textures: []bundle.Texture{},
	}
	if r.Order != simt.OrderTurns {
		d.Order = r.Order.String()
	}
	m := b.modules[l.Code]
	m.places = m.places[:0]
	for _, v := range m.module.Variables {
		if base, _, ok := r.Global.Range(v.Address); ok {
			kinds[base] = bundle.OfModule
			m.places = append(m.places, base)
		}
	}
	for address, data := range r.Global.All() {
		kind, known := kinds[address]
		if !known {
			kind = bundle.Allocation
		}
		reach := r.Global.Reach(address)
		d.Memory = append(d.Memory, &bundle.Object{Kind: kind, Address: address, Bytes: reach, Slack: len(reach) - len(data)})
	}
	arrays := map[uintptr]bool{}
	for unit := range l.Textures {
		x := &l.Textures[unit]
		if x.Texture.Kind == texture.Unbound {
			continue
		}
		t := describeTexture(unit, x)
		if t.Array != 0 && !arrays[x.Array] {
			arrays[x.Array] = true
			d.Memory = append(d.Memory, &bundle.Object{Kind: bundle.Array, Address: t.Array, Bytes: x.Texture.Texels})
		}
		d.Textures = append(d.Textures, t)
	}
	return d
}

// kernel returns the description of a launch's kernel; the same kernel gives the same one.
func (b *Bundle) kernel(l *Launch) *bundle.Kernel {
	m := b.modules[l.Code]
	if k := m.kernels[l.Kernel.Name]; k != nil {
		return k
	}
	k := &bundle.Kernel{Module: m.module, Name: l.Kernel.Name, Banks: []bundle.Bank{}, Textures: []string{}}
	written := m.constants(l.Kernel)
	for i, data := range l.Request.Const {
		switch {
		case data == nil:
		case i == 0 && written != 0:
			k.Banks = append(k.Banks, bundle.Bank{Bank: i, Address: written, Bytes: len(data)})
		default:
			k.Banks = append(k.Banks, bundle.Bank{Bank: i, Bytes: len(data), Data: data})
		}
	}
	for i := range l.Textures {
		k.Textures = append(k.Textures, l.Textures[i].Name)
	}
	m.kernels[k.Name] = k
	return k
}

// constants returns the device address of a kernel's bank 0, the module's __constant__ variables.
// It is 0 if there are none, or if the bank is the kernel's own.
func (m *recordedModule) constants(k *cubin.Kernel) uint32 {
	if slices.ContainsFunc(k.Segments, func(s cubin.Segment) bool { return s.Bank == 0 }) {
		return 0
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

// describeTexture describes the texture of a unit.
func describeTexture(unit int, b *Binding) bundle.Texture {
	x := &b.Texture
	t := bundle.Texture{
		Unit: unit, Kind: x.Kind.String(),
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
