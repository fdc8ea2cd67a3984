package driver

import (
	"maps"
	"slices"
	"sync"
)

// Handles are tokens for objects of the driver: small numbers that fit 32 bits, never zero. A
// number is used again only after four thousand million others.
type (
	Context  uintptr
	Module   uintptr
	Function uintptr
	Stream   uintptr
	Event    uintptr
	TexRef   uintptr
	Array    uintptr
	Link     uintptr // of the linker

	GraphicsResource uintptr
)

// DevicePtr is an address of device memory. Every address fits 32 bits.
type DevicePtr uint64

// object is the object that a handle stands for.
type object interface {
	context() *context // the context that owns it
}

// handles maps tokens to objects. The zero value is ready for use.
type handles struct {
	mu      sync.RWMutex
	last    uint32
	objects map[uint32]object
}

// Tokens below firstHandle are never used, because the API gives some small stream handles a
// meaning of their own.
const firstHandle = 0x100

// add gives o a token.
func (h *handles) add(o object) uintptr {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.objects == nil {
		h.objects = map[uint32]object{}
	}
	for {
		h.last = max(h.last+1, firstHandle)
		if _, used := h.objects[h.last]; !used {
			h.objects[h.last] = o
			return uintptr(h.last)
		}
	}
}

func (h *handles) get(token uintptr) object {
	if token != uintptr(uint32(token)) {
		return nil
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.objects[uint32(token)]
}

func (h *handles) remove(token uintptr) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.objects, uint32(token))
}

// all returns all objects, in the order of their tokens.
func (h *handles) all() (list []object) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, token := range slices.Sorted(maps.Keys(h.objects)) {
		list = append(list, h.objects[token])
	}
	return list
}

// removeOwned removes everything owned by c, but not c. It returns the links.
func (h *handles) removeOwned(c *context) (links []*linker) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for token, o := range h.objects {
		if o.context() != c || o == object(c) {
			continue
		}
		if l, ok := o.(*linker); ok {
			links = append(links, l)
		}
		delete(h.objects, token)
	}
	return links
}

// find returns the object of kind T and context c for a token. The caller holds c's lock, so the
// object stays.
func find[T object](c *context, token uintptr) (T, error) {
	o, ok := c.d.handles.get(token).(T)
	if !ok || o.context() != c {
		var none T
		return none, ErrInvalidHandle
	}
	return o, nil
}

// acquire returns the object of kind T for a token, in any context, with its context locked: the
// caller unlocks it.
func acquire[T object](t *Thread, token uintptr) (T, error) {
	var none T
	if err := t.initialized(); err != nil {
		return none, err
	}
	if o, ok := t.d.handles.get(token).(T); ok {
		c := o.context()
		c.mu.Lock()
		if t.d.handles.get(token) == object(o) { // not destroyed during the wait for the lock
			c.checkers.caller = t.d.judge.Call(&t.calls)
			return o, nil
		}
		c.mu.Unlock()
	}
	if _, err := t.current(); err != nil {
		return none, err // the first error, which hardware drivers report
	}
	return none, ErrInvalidHandle
}
