package driver

import (
	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/mem/texture"
)

// Witness is told of everything that decides what kernels find and leave, with enough to do it again elsewhere: on
// another driver, or from a file. Streams, events and how long things took are no such thing: work is done when a call
// returns.
type Witness interface {
	// Note is told of a change. Those of one context come one at a time, in the order in which they take effect;
	// those of different contexts may come at once. A context's lock is held meanwhile, or the driver's: Note must not
	// call the driver. Slices in the change are the driver's memory: they must not be changed, and are good until
	// Note returns unless the change says otherwise.
	Note(Change)
}

// Witnesses are told one after the other.
type Witnesses []Witness

// Note tells all of them.
func (l Witnesses) Note(c Change) {
	for _, w := range l {
		w.Note(c)
	}
}

// Placer is a Witness that has a say in where the memory of a context lies.
type Placer interface {
	// FirstAddress returns where the first memory of a context is to lie if there is room, a multiple of 4096. It is
	// called when the context is there, and when it has been emptied.
	FirstAddress(Context) uint32
}

// Ender is a Witness that has something to do when the process ends.
type Ender interface{ End() }

// Change is one of the types below.
type Change interface{ change() }

// ContextCreated says that there is a context on a device, without memory.
type ContextCreated struct {
	Context Context
	Device  Device
	Flags   ContextFlags
}

// ContextEnds says that a context is about to go, with all it owns.
type ContextEnds struct{ Context Context }

// ContextEmpties says that a context is about to lose all it owns, and is as new then.
type ContextEmpties struct{ Context Context }

// ModuleLoaded says that a module is in place.
type ModuleLoaded struct {
	Context   Context
	Module    Module
	Contents  *cubin.Contents        // all that the program's image holds; good for ever
	Entry     *cubin.Entry           // what was taken of it
	Image     *cubin.Image           // the same, read
	Variables map[string]ModuleRange // __device__ and __constant__ variables
}

// ModuleRange is where a variable of a module lies.
type ModuleRange struct {
	Address uint32
	Memory  []byte // good until the module goes
}

// ModuleUnloads says that a module is about to go with its memory.
type ModuleUnloads struct {
	Context Context
	Module  Module
}

// MemoryAllocated says that there is device memory, which holds zeros.
type MemoryAllocated struct {
	Context Context
	Address uint32
	Memory  []byte // good until it is freed
	Reach   []byte // the same with the slack behind it, which kernels reach too
}

// HostMapped says that kernels reach host memory at an address. The program writes to it as it likes.
type HostMapped struct {
	Context Context
	Address uint32
	Memory  []byte // good until it is freed
}

// MemoryFrees says that memory which was allocated or mapped is about to go.
type MemoryFrees struct {
	Context Context
	Address uint32
}

// MemoryWritten says that the program, not a kernel, wrote rows of device memory: Height rows of Width bytes, Pitch
// bytes apart.
type MemoryWritten struct {
	Context              Context
	Address              uint32
	Data                 []byte // from the first row to the end of the last, as it is now
	Width, Height, Pitch uint64
}

// ArrayCreated says that there is an array, which holds zeros.
type ArrayCreated struct {
	Context    Context
	Array      Array
	Descriptor ArrayDescriptor
}

// ArrayWritten says that the program wrote to an array.
type ArrayWritten struct {
	Context    Context
	Array      Array
	Descriptor ArrayDescriptor
	Texels     []byte // all of them, rows without gaps; good until the array goes
}

// ArrayDestroys says that an array is about to go.
type ArrayDestroys struct {
	Context Context
	Array   Array
}

// LaunchBegins says that a kernel is about to run.
type LaunchBegins struct {
	Context  Context
	Module   Module
	Kernel   *cubin.Kernel
	Request  *simt.Launch // with all memory there is; not to be changed
	Textures []Binding    // by texture unit
}

// LaunchEnds says that a kernel has run, or was refused. It has the LaunchBegins it belongs to.
type LaunchEnds struct {
	*LaunchBegins
	Stats   *simt.Stats // nil if it was refused
	Result  Result      // Success, or what the next call will answer, or this one did if it was refused
	Refused bool        // the kernel never began
	Err     error       // why, unless Result is Success
}

// Binding is a texture reference as a launch finds it.
type Binding struct {
	Name     string // of the reference in its module; "" for a unit without one
	Texture  texture.Texture
	Array    Array       // what is bound, if Texture.Kind is texture.Array
	Format   ArrayFormat // as the program set it
	Channels int
	Flags    uint32
	Filter   FilterMode
	Modes    [3]AddressMode
}

func (ContextCreated) change()  {}
func (ContextEnds) change()     {}
func (ContextEmpties) change()  {}
func (ModuleLoaded) change()    {}
func (ModuleUnloads) change()   {}
func (MemoryAllocated) change() {}
func (HostMapped) change()      {}
func (MemoryFrees) change()     {}
func (MemoryWritten) change()   {}
func (ArrayCreated) change()    {}
func (ArrayWritten) change()    {}
func (ArrayDestroys) change()   {}
func (*LaunchBegins) change()   {}
func (LaunchEnds) change()      {}

// tell tells the witness of a change, if there is one: without one nothing is allocated. The caller holds c's lock, or the
// driver's for a context that nobody knows yet.
func tell[C Change](c *context, change C) {
	if w := c.d.witness; w != nil {
		w.Note(change)
	}
}

// wrote tells that the program wrote all of b, which lies at ptr.
func (c *context) wrote(ptr DevicePtr, b []byte) {
	if len(b) > 0 {
		n := uint64(len(b))
		tell(c, MemoryWritten{Context: c.handle, Address: uint32(ptr), Data: b, Width: n, Height: 1, Pitch: n})
	}
}

// wroteArray tells that the program wrote n bytes of an array.
func (c *context) wroteArray(handle Array, n int) {
	if a, err := find[*array](c, uintptr(handle)); err == nil && n > 0 {
		tell(c, ArrayWritten{Context: c.handle, Array: handle, Descriptor: a.desc, Texels: a.texels})
	}
}

// tellBegins tells that f is about to run, and returns what was told; nil if there is nobody to tell.
func (f *function) tellBegins(request *simt.Launch) *LaunchBegins {
	c := f.module.ctx
	if c.d.witness == nil {
		return nil
	}
	e := &LaunchBegins{Context: c.handle, Module: f.module.handle, Kernel: f.kernel, Request: request}
	for unit, r := range f.textures {
		var b Binding
		if r != nil {
			b = Binding{
				Name: f.module.nameOf(r), Texture: request.Textures[unit], Array: r.bound.handle,
				Format: r.format, Channels: r.channels, Flags: r.flags, Filter: r.filter, Modes: r.modes,
			}
		}
		e.Textures = append(e.Textures, b)
	}
	tell(c, e)
	return e
}

// nameOf returns what m calls its texture reference r.
func (m *module) nameOf(r *texref) string {
	for name, handle := range m.texrefs {
		if m.ctx.d.handles.get(uintptr(handle)) == object(r) {
			return name
		}
	}
	return ""
}

// place asks the witness of the configuration where c's memory begins. The caller holds c's lock, or the driver's for a
// context that nobody knows yet.
func (c *context) place() {
	if c.d.placer != nil {
		c.space.Begin(c.d.placer.FirstAddress(c.handle))
	}
}

// End is to be called when the process ends. Nothing may be called behind it.
func (d *Driver) End() {
	if d.ready.Load() && d.ender != nil {
		d.ender.End()
	}
}

// openWitness makes the witness that the configuration asks for.
func (d *Driver) openWitness() (err error) {
	if d.config.Witness != nil {
		d.witness, err = d.config.Witness(d.config.Settings)
		d.placer, _ = d.witness.(Placer)
		d.ender, _ = d.witness.(Ender)
	}
	return err
}
