package driver

import "sync"

// Handles are tokens for what the driver made: small numbers that fit 32 bits, never zero,
// and not used again before four thousand million others.
type (
	Context  uintptr
	Module   uintptr
	Function uintptr
	Stream   uintptr
	Event    uintptr
	TexRef   uintptr
	Array    uintptr
)

// DevicePtr is an address of device memory. All of them fit 32 bits.
type DevicePtr uint64

// object is what a handle stands for.
type object interface {
	context() *context // that it lives and dies with
}

// handles maps tokens to objects. The zero value is ready for use.
type handles struct {
	mu      sync.RWMutex
	last    uint32
	objects map[uint32]object
}

// Tokens below firstHandle are never handed out: the API gives some small stream handles a
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

// removeOwned forgets everything that lives in c, but not c.
func (h *handles) removeOwned(c *context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for token, o := range h.objects {
		if o.context() == c && o != object(c) {
			delete(h.objects, token)
		}
	}
}

// find returns the object of kind T that token stands for in the context c. The caller holds c's
// lock, so the object stays.
func find[T object](c *context, token uintptr) (T, error) {
	o, ok := c.d.handles.get(token).(T)
	if !ok || o.context() != c {
		var none T
		return none, ErrInvalidHandle
	}
	return o, nil
}

// acquire returns the object of kind T that token stands for, whatever context is current, with its
// context locked: the caller unlocks it.
func acquire[T object](t *Thread, token uintptr) (T, error) {
	var none T
	if err := t.initialized(); err != nil {
		return none, err
	}
	if o, ok := t.d.handles.get(token).(T); ok {
		c := o.context()
		c.mu.Lock()
		if t.d.handles.get(token) == object(o) { // not destroyed while we waited
			return o, nil
		}
		c.mu.Unlock()
	}
	if _, err := t.current(); err != nil {
		return none, err // the first thing wrong, and the one hardware drivers name
	}
	return none, ErrInvalidHandle
}
