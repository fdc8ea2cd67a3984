package driver

import (
	"sync"

	"jacquard/simt/mem"
)

// context is one context with all its objects.
type context struct {
	d       *Driver
	handle  Context
	device  *device
	version int // of the API it was made with

	// Guarded by Driver.mu.
	// CtxCreate, CtxAttach and DevicePrimaryCtxRetain add 1 to usage, CtxDetach and
	// DevicePrimaryCtxRelease subtract 1.
	usage   int
	current int // places on threads' stacks

	mu    sync.Mutex // guards what follows, and the state of all objects of the context
	flags ContextFlags
	dead  bool
	fault error // of a kernel: the context is lost
	deviceMemory

	checkers checkers

	storage map[uintptr]stored // values of the runtime library, by its keys

	buffers map[uint32]GraphicsResource // buffers of GLRegisterBufferObject, by OpenGL's names
}

func (c *context) context() *context { return c }

// deviceMemory is the memory of a context.
type deviceMemory struct {
	space *mem.Space
	pages map[uintptr][]byte // large blocks of device memory, by host address
	// owned is device memory of modules and mapped host memory: the program must not free it.
	owned map[uint32]bool
}

// CtxCreate makes a context on dev and makes it current.
func (t *Thread) CtxCreate(flags ContextFlags, dev Device) (Context, error) {
	return t.create(flags, dev, 3020)
}

// CtxCreateV1 is CtxCreate of the interface with 32-bit device pointers; only
// CtxGetApiVersion shows the difference.
func (t *Thread) CtxCreateV1(flags ContextFlags, dev Device) (Context, error) {
	return t.create(flags, dev, 3010)
}

func (t *Thread) create(flags ContextFlags, dev Device, version int) (Context, error) {
	device, err := t.device(dev)
	if err != nil {
		return 0, err
	}
	if !flags.valid() {
		return 0, ErrInvalidValue
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	c := t.d.newContext(device, flags, version)
	c.usage = 1
	t.push(c)
	return c.handle, nil
}

// valid reports whether f is possible for a context: at most one way to wait.
func (f ContextFlags) valid() bool {
	return f&^CtxFlagsMask == 0 && f&CtxSchedMask <= CtxSchedBlockingSync && f&CtxSchedMask != CtxSchedSpin|CtxSchedYield
}

// newContext makes a context that is current to no thread. The caller holds Driver.mu.
func (d *Driver) newContext(device *device, flags ContextFlags, version int) *context {
	c := &context{
		d: d, device: device, flags: flags, version: version,
		deviceMemory: deviceMemory{space: d.space(device), pages: map[uintptr][]byte{}, owned: map[uint32]bool{}},
	}
	c.checkers.forget(d)
	c.handle = Context(d.handles.add(c))
	tell(c, ContextCreated{c.handle, device.ordinal, flags})
	c.place()
	return c
}

// CtxDestroy waits for the context's running launch and destroys it, even while other threads use
// it: their calls answer ErrContextIsDestroyed. If ctx is current to the calling thread, it is
// popped.
func (t *Thread) CtxDestroy(ctx Context) error {
	return t.destroy(ctx, func(*context) bool { return true })
}

// CtxDestroyV1 is CtxDestroy before CUDA 4.0: it refuses a context that is attached more
// than once or current to another thread.
func (t *Thread) CtxDestroyV1(ctx Context) error {
	return t.destroy(ctx, func(c *context) bool { return c.usage == 1 && c.current <= t.places(c) })
}

// CtxAttach adds a use to the current context. Without one it creates a context on device 0. Flags
// must be 0.
func (t *Thread) CtxAttach(flags uint32) (Context, error) {
	if err := t.initialized(); err != nil {
		return 0, err
	}
	if flags != 0 {
		return 0, ErrInvalidValue
	}
	c, err := t.current()
	if err == ErrInvalidContext {
		return t.create(CtxSchedAuto, 0, 3010)
	}
	if err != nil {
		return 0, err
	}
	err = t.with(c.handle, func(c *context) error {
		c.usage++
		return nil
	})
	if err != nil {
		return 0, ErrContextIsDestroyed
	}
	return c.handle, nil
}

// CtxDetach removes a use from ctx, which must be current, and destroys it with the last use.
func (t *Thread) CtxDetach(ctx Context) error {
	var gone *context
	err := t.with(ctx, func(c *context) error {
		if t.top() != c {
			return ErrInvalidContext
		}
		if c.usage--; c.usage == 0 {
			gone = c
			t.withdraw(c)
		}
		return nil
	})
	if gone != nil {
		gone.end()
	}
	return err
}

// CtxPushCurrent pushes ctx above the current context.
func (t *Thread) CtxPushCurrent(ctx Context) error {
	return t.with(ctx, func(c *context) error {
		t.push(c)
		return nil
	})
}

// CtxPushCurrentV1 is CtxPushCurrent before CUDA 4.0: the context must be current nowhere.
func (t *Thread) CtxPushCurrentV1(ctx Context) error {
	return t.with(ctx, func(c *context) error {
		if c.current > 0 {
			return ErrContextAlreadyCurrent
		}
		t.push(c)
		return nil
	})
}

// CtxPopCurrent takes the current context off the stack and returns it.
func (t *Thread) CtxPopCurrent() (Context, error) {
	if err := t.initialized(); err != nil {
		return 0, err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	if t.top() == nil {
		return 0, ErrInvalidContext
	}
	return t.pop().handle, nil
}

// CtxPopCurrentV1 is CtxPopCurrent before CUDA 4.0: it refuses a context that is attached
// more than once.
func (t *Thread) CtxPopCurrentV1() (Context, error) {
	c, err := t.current()
	if err != nil {
		return 0, err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	if c.usage != 1 {
		return 0, ErrInvalidContext
	}
	return t.pop().handle, nil
}

// CtxSetCurrent replaces the current context by ctx; ctx 0 only removes it.
func (t *Thread) CtxSetCurrent(ctx Context) error {
	replace := func(c *context) error {
		if t.top() != nil {
			t.pop()
		}
		if c != nil {
			t.push(c)
		}
		return nil
	}
	if ctx != 0 {
		return t.with(ctx, replace)
	}
	if err := t.initialized(); err != nil {
		return err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	return replace(nil)
}

// CtxGetCurrent returns the current context, or 0 if there is none.
func (t *Thread) CtxGetCurrent() (Context, error) {
	if err := t.initialized(); err != nil {
		return 0, err
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	if c := t.top(); c != nil {
		return c.handle, nil
	}
	return 0, nil
}

// CtxGetDevice returns the device of the current context.
func (t *Thread) CtxGetDevice() (Device, error) {
	return entered(t, func(c *context) (Device, error) { return c.device.ordinal, nil })
}

// CtxGetApiVersion returns the version of the interface ctx was made with, 3010 or 3020; ctx 0 is
// the current one.
func (t *Thread) CtxGetApiVersion(ctx Context) (uint32, error) {
	version := uint32(0)
	get := func(c *context) error {
		version = uint32(c.version)
		return nil
	}
	if ctx != 0 {
		err := t.with(ctx, get)
		return version, err
	}
	c, err := t.current()
	if err != nil {
		return 0, err
	}
	return version, get(c)
}

// CtxSynchronize waits for the current context's work and reports its fault, if any.
func (t *Thread) CtxSynchronize() error {
	return t.sound(func(c *context) error {
		c.d.judge.Awaited(uintptr(c.handle))
		return nil
	})
}
