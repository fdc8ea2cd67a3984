package driver

import (
	"maps"
	"slices"

	"jacquard/cubin"
	"jacquard/libcuda/bundle"
	"jacquard/libcuda/driver/sinks"
)

// Listener is told of everything that decides what kernels find and leave, with enough to do it
// again elsewhere. Streams, events and times decide nothing: work is done when a call returns.
type Listener interface {
	// Note is told of a change. Changes of one context come one at a time, in the order in which
	// they take effect; those of different contexts may come at once. The lock of the context or of
	// the driver is held, so Note must not call the driver. Slices in the change are the driver's
	// memory: Note must not change them, and they are good until Note returns unless the change
	// says otherwise.
	Note(Change)
}

// Placer is a Listener that decides where the memory of a context lies.
type Placer interface {
	// FirstAddress returns where the first memory of a context is to lie if there is room, a
	// multiple of
	// 4096. It is called when the context is created, and when it has been emptied.
	FirstAddress(Context) uint32
}

// Ender is a Listener that has something to do when the process ends.
type Ender interface{ End() }

// Change is one of the types below. Of returns the context that it happens in.
type Change interface{ Of() Context }

// ContextCreated says that there is a context on a device, without memory.
type ContextCreated struct {
	Context Context
	Device  Device
	Flags   ContextFlags
}

// ContextEnds says that a context is about to go, with all it owns.
type ContextEnds struct{ Context Context }

// ContextEmpties says that a context is about to lose all it owns, after which it is as new.
type ContextEmpties struct{ Context Context }

// ModuleLoaded says that a module is in place.
type ModuleLoaded struct {
	Context   Context
	Module    Module
	Contents  *cubin.Contents        // all that the program's image holds; never freed
	Entry     *cubin.Entry           // the entry of Contents that was loaded
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
	Reach   []byte // the same with the slack after it, which kernels reach too
}

// HostMapped says that kernels reach host memory at an address. The program may write to it.
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

// MemoryWritten says that the program, not a kernel, wrote Height rows of Width bytes of device
// memory, Pitch bytes apart.
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
type LaunchBegins struct{ *sinks.Launch }

// LaunchEnds says that a kernel has run, or was refused.
type LaunchEnds struct {
	*sinks.Launch
	Result  Result // Success, or the answer of this call if Refused, of the next one if not
	Refused bool   // the kernel never began
}

func (c ContextCreated) Of() Context  { return c.Context }
func (c ContextEnds) Of() Context     { return c.Context }
func (c ContextEmpties) Of() Context  { return c.Context }
func (c ModuleLoaded) Of() Context    { return c.Context }
func (c ModuleUnloads) Of() Context   { return c.Context }
func (c MemoryAllocated) Of() Context { return c.Context }
func (c HostMapped) Of() Context      { return c.Context }
func (c MemoryFrees) Of() Context     { return c.Context }
func (c MemoryWritten) Of() Context   { return c.Context }
func (c ArrayCreated) Of() Context    { return c.Context }
func (c ArrayWritten) Of() Context    { return c.Context }
func (c ArrayDestroys) Of() Context   { return c.Context }
func (c LaunchBegins) Of() Context    { return Context(c.Context) }
func (c LaunchEnds) Of() Context      { return Context(c.Context) }

// tell tells the listeners of a change; without one nothing is allocated. The caller holds c's
// lock, or the driver's if no thread has c yet.
func tell[C Change](c *context, change C) {
	for _, l := range c.d.listeners {
		l.Note(change)
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

// heard is a listener as a sink of launches.
type heard struct{ Listener }

// Begin tells the listener of a launch.
func (h heard) Begin(l *sinks.Launch) (end func()) {
	h.Note(LaunchBegins{l})
	return func() {
		result, refused := launchResult(l.Err)
		h.Note(LaunchEnds{l, result, refused})
	}
}

// openListener makes the configuration's listener.
func (d *Driver) openListener() (sinks.Sink, error) {
	if d.config.Listener == nil {
		return nil, nil
	}
	l, err := d.config.Listener(d.config.Settings)
	if l == nil || err != nil {
		return nil, err
	}
	d.listener, d.listeners = l, append(d.listeners, l)
	return heard{l}, nil
}

// openBundle begins the bundle that the knob asks for.
func (d *Driver) openBundle() (sinks.Sink, error) {
	b, err := sinks.OpenBundle(d.settings.Record, &d.log)
	if b == nil || err != nil {
		return nil, err
	}
	d.listeners = append(d.listeners, bundled{b})
	return b, nil
}

// bundled tells a bundle of all changes but launches.
type bundled struct{ *sinks.Bundle }

// Note tells the bundle.
func (b bundled) Note(change Change) {
	ctx := uintptr(change.Of())
	switch e := change.(type) {
	case ContextEnds, ContextEmpties:
		b.ContextEmpties(ctx)
	case ModuleLoaded:
		variables := []bundle.Variable{}
		for _, name := range slices.Sorted(maps.Keys(e.Variables)) {
			v := e.Variables[name]
			variables = append(variables, bundle.Variable{Name: name, Address: v.Address, Bytes: len(v.Memory)})
		}
		b.ModuleLoaded(uintptr(e.Module), e.Entry, e.Image, variables)
	case ModuleUnloads:
		b.ModuleUnloads(uintptr(e.Module))
	case HostMapped:
		b.HostMapped(ctx, e.Address)
	case MemoryFrees:
		b.MemoryFrees(ctx, e.Address)
	}
}

// place asks the configuration's listener where c's memory begins. The caller holds c's lock, or
// the driver's if no thread has c yet.
func (c *context) place() {
	if p, ok := c.d.listener.(Placer); ok {
		c.space.Begin(p.FirstAddress(c.handle))
	}
}

// End must be called when the process ends, and is the last call.
func (d *Driver) End() {
	if e, ok := d.listener.(Ender); ok && d.ready.Load() {
		e.End()
	}
}
