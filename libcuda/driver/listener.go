package driver

import (
	"errors"
	"maps"
	"slices"

	"jacquard/cubin"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/bundle"
	"jacquard/simt/load"
)

// Listener is told of every change that affects what kernels read and write, in enough detail to
// repeat it elsewhere. Streams, events and times affect nothing, because work is done when a call
// returns.
type Listener interface {
	// Note is told of a change. Changes of one context come one at a time, in the order in which
	// they take effect; changes of different contexts may come at once. The lock of the context or
	// of the driver is held, so Note must not call the driver. Slices in the change are the
	// driver's memory: Note must not write to them, and they are valid until Note returns unless
	// the change says otherwise.
	Note(Change)
}

// Placer is a Listener that chooses the addresses of a context's memory.
type Placer interface {
	// FirstAddress returns the address for the first memory of a context, if there is room: a
	// multiple of 4096. It is called when the context is created, and when it has been emptied.
	FirstAddress(Context) uint32
}

// Ender is a Listener with work to do when the process ends.
type Ender interface{ End() }

// Change is one of the types below. Of returns its context.
type Change interface{ Of() Context }

// ContextCreated says that a context was made on a device, without memory.
type ContextCreated struct {
	Context Context
	Device  Device
	Flags   ContextFlags
}

// ContextEnds says that a context is about to end, with everything it owns.
type ContextEnds struct{ Context Context }

// ContextEmpties says that a context is about to lose everything it owns; afterwards it is as new.
type ContextEmpties struct{ Context Context }

// ModuleLoaded says that a module was loaded.
type ModuleLoaded struct {
	Context   Context
	Module    Module
	Contents  *cubin.Contents          // all entries of the program's image; never freed
	Entry     *cubin.Entry             // machine code: one of Contents, or what its PTX became
	Image     *cubin.Image             // the image made of Entry
	Variables map[string]load.Variable // __device__ and __constant__ variables
}

// ModuleFitted says that the PTX of a module was compiled again with fewer registers, for a launch.
type ModuleFitted struct {
	Context   Context
	Module    Module
	Code      uintptr // handle of the new code
	Entry     *cubin.Entry
	Image     *cubin.Image
	Variables map[string]load.Variable // the module's
}

// ModuleUnloads says that a module is about to be unloaded, and its memory freed.
type ModuleUnloads struct {
	Context Context
	Module  Module
}

// MemoryAllocated says that device memory was allocated. It holds zeros.
type MemoryAllocated struct {
	Context Context
	Address uint32
	Memory  []byte // valid until it is freed
	Reach   []byte // Memory and the slack after it, which kernels can reach too
}

// HostMapped says that host memory was mapped at a device address. The program may write to it.
type HostMapped struct {
	Context Context
	Address uint32
	Memory  []byte // valid until it is freed
}

// MemoryFrees says that allocated or mapped memory is about to be freed.
type MemoryFrees struct {
	Context Context
	Address uint32
}

// MemoryWritten says that the program, not a kernel, wrote Height rows of Width bytes to device
// memory, Pitch bytes apart.
type MemoryWritten struct {
	Context              Context
	Address              uint32
	Data                 []byte // from the first row to the end of the last, after the write
	Width, Height, Pitch uint64
}

// ArrayCreated says that an array was made. It holds zeros.
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
	Texels     []byte // the whole array, rows without gaps; valid until the array is destroyed
}

// ArrayDestroys says that an array is about to be destroyed.
type ArrayDestroys struct {
	Context Context
	Array   Array
}

// LaunchBegins says that a kernel is about to run.
type LaunchBegins struct{ *sinks.Launch }

// LaunchEnds says that a kernel has run or was refused.
type LaunchEnds struct {
	*sinks.Launch
	Result  Result // Success, or the error: of this call if Refused, else mostly of the next call
	Refused bool   // the kernel never began
}

func (c ContextCreated) Of() Context  { return c.Context }
func (c ContextEnds) Of() Context     { return c.Context }
func (c ContextEmpties) Of() Context  { return c.Context }
func (c ModuleLoaded) Of() Context    { return c.Context }
func (c ModuleFitted) Of() Context    { return c.Context }
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

// tell tells the listeners of a change; without listeners it allocates nothing. The caller holds
// c's lock, or the driver's if no thread has c yet.
func tell[C Change](c *context, change C) {
	for _, l := range c.d.listeners {
		l.Note(change)
	}
}

// wrote tells the listeners that the program wrote b at ptr. The bytes have values.
func (c *context) wrote(ptr DevicePtr, b []byte) {
	told(c, ptr, b)
	c.checkers.defined(uint32(ptr), uint64(len(b)))
}

// told tells the listeners that the program wrote b at ptr.
func told(c *context, ptr DevicePtr, b []byte) {
	if len(b) > 0 {
		n := uint64(len(b))
		tell(c, MemoryWritten{Context: c.handle, Address: uint32(ptr), Data: b, Width: n, Height: 1, Pitch: n})
	}
}

// wroteArray tells the listeners that the program wrote n bytes of an array.
func (c *context) wroteArray(handle Array, n int) {
	if a, err := find[*array](c, uintptr(handle)); err == nil && n > 0 {
		tell(c, ArrayWritten{Context: c.handle, Array: handle, Descriptor: a.desc, Texels: a.texels})
	}
}

// heard adapts a Listener to sinks.Sink.
type heard struct{ Listener }

// Begin tells the listener of a launch.
func (h heard) Begin(l *sinks.Launch) (end func()) {
	h.Note(LaunchBegins{l})
	return func() {
		result, refused := launchResult(l.Err)
		_, began := errors.AsType[*hostMemoryError](l.Err)
		h.Note(LaunchEnds{l, result, refused && !began})
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

// bundled makes a bundle a listener of all changes but launches.
type bundled struct{ *sinks.Bundle }

// Note passes the change to the bundle.
func (b bundled) Note(change Change) {
	ctx := uintptr(change.Of())
	switch e := change.(type) {
	case ContextEnds, ContextEmpties:
		b.ContextEmpties(ctx)
	case ModuleLoaded:
		b.ModuleLoaded(ctx, uintptr(e.Module), uintptr(e.Module), e.Entry, e.Image, described(e.Variables))
	case ModuleFitted:
		b.ModuleLoaded(ctx, uintptr(e.Module), e.Code, e.Entry, e.Image, described(e.Variables))
	case ModuleUnloads:
		b.ModuleUnloads(uintptr(e.Module))
	case HostMapped:
		b.HostMapped(ctx, e.Address)
	case MemoryFrees:
		b.MemoryFrees(ctx, e.Address)
	case ArrayDestroys:
		b.ArrayDestroys(ctx, uintptr(e.Array))
	}
}

// described returns variables in the order of their names.
func described(variables map[string]load.Variable) []bundle.Variable {
	list := []bundle.Variable{}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		v := variables[name]
		list = append(list, bundle.Variable{Name: name, Address: v.Address, Bytes: len(v.Bytes)})
	}
	return list
}

// place asks the configuration's listener for the first address of c's memory. The caller holds c's
// lock, or the driver's if no thread has c yet.
func (c *context) place() {
	if p, ok := c.d.listener.(Placer); ok {
		c.space.Begin(p.FirstAddress(c.handle))
	}
}

// End must be called when the process ends, and is the last call but Judge.
func (d *Driver) End() {
	d.log.end()
	if d.config.Debug != nil {
		d.config.Debug.End()
	}
	if !d.ready.Load() {
		return
	}
	for _, s := range d.sinks {
		if e, ok := s.(sinks.Ender); ok {
			e.End()
		}
	}
	if e, ok := d.listener.(Ender); ok {
		e.End()
	}
	if !d.config.Later.Judgement {
		d.Judge()
	}
}

// Judge reports the mistakes of the program that the check knob asks for. End calls it unless
// Later.Judgement is set.
func (d *Driver) Judge() {
	if d.ready.Load() {
		d.judgeEnd()
		d.findings.Report()
	}
}
