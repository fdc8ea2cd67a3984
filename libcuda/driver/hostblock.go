package driver

import (
	"sync"

	"jacquard/simt/mem"
)

// hostBlock is host memory that the driver knows: allocated by it or registered with it.
type hostBlock struct {
	owner      *context
	pages      []byte // whole pages, outside Go's heap
	at, size   uintptr
	flags      uint32 // the Portable and DeviceMap flags of allocation and registration are the same
	registered bool

	mapped map[*context]mapping // where kernels find pages; guarded by hostBlocks.mu
}

// mapping is a place in the memory of a context. A context that is emptied gets another space: the
// mapping is gone then.
type mapping struct {
	space *mem.Space
	base  uint32
}

// usable reports whether c may use b.
func (b *hostBlock) usable(c *context) bool { return b.owner == c || b.flags&MemHostAllocPortable != 0 }

// holds reports whether c is the context that b was made in.
func (b *hostBlock) holds(c *context) bool { return b.owner == c }

// hostBlocks are all host blocks of a driver. Its lock may be taken by a holder of a context's
// lock, never the other way round. The zero value is ready for use.
type hostBlocks struct {
	mu     sync.Mutex
	blocks map[*hostBlock]bool
}

func (h *hostBlocks) add(b *hostBlock) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.insert(b)
}

// addAlone adds b unless its memory overlaps a known block's.
func (h *hostBlocks) addAlone(b *hostBlock) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for other := range h.blocks {
		if b.at-other.at < other.size || other.at-b.at < b.size {
			return false
		}
	}
	h.insert(b)
	return true
}

func (h *hostBlocks) insert(b *hostBlock) {
	if h.blocks == nil {
		h.blocks = map[*hostBlock]bool{}
	}
	h.blocks[b] = true
}

// find returns the block that at lies in, or nil.
func (h *hostBlocks) find(at uintptr) *hostBlock {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.inside(at)
}

func (h *hostBlocks) inside(at uintptr) *hostBlock {
	for b := range h.blocks {
		if at-b.at < b.size {
			return b
		}
	}
	return nil
}

// take removes the block that starts at at if may allows it; may gets nil if there is none.
func (h *hostBlocks) take(at uintptr, may func(*hostBlock) error) (*hostBlock, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.inside(at)
	if b != nil && b.at != at {
		b = nil
	}
	if err := may(b); err != nil {
		return nil, err
	}
	delete(h.blocks, b)
	return b, nil
}

// takeOwned removes the blocks of c, which ends, and c from all others.
func (h *hostBlocks) takeOwned(c *context) (owned []*hostBlock) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for b := range h.blocks {
		delete(b.mapped, c)
		if b.owner == c {
			delete(h.blocks, b)
			owned = append(owned, b)
		}
	}
	return owned
}

// devicePointer returns where kernels of c find the host address at, and maps the memory there the
// first time. The caller holds c's lock.
func (h *hostBlocks) devicePointer(c *context, at uintptr) (DevicePtr, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.inside(at)
	if b == nil || !b.usable(c) || b.flags&MemHostAllocDeviceMap == 0 || c.device.attribute(AttributeCanMapHostMemory) == 0 {
		return 0, ErrInvalidValue
	}
	m, known := b.mapped[c]
	if !known {
		base, err := c.space.Map(b.pages)
		if err != nil {
			c.d.log.Info("host memory: %v", err)
			return 0, ErrOutOfMemory
		}
		c.owned[base] = true
		if b.mapped == nil {
			b.mapped = map[*context]mapping{}
		}
		m = mapping{c.space, base}
		b.mapped[c] = m
		tell(c, HostMapped{c.handle, base, b.pages})
	}
	return DevicePtr(m.base) + DevicePtr(at-addressOf(b.pages)), nil
}

// hostAddress returns the host address that c's kernels find at addr, if it is mapped host memory.
func (h *hostBlocks) hostAddress(c *context, addr uint32) (at uintptr, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for b := range h.blocks {
		if m, mapped := b.mapped[c]; mapped && uint64(addr-m.base) < uint64(len(b.pages)) {
			return addressOf(b.pages) + uintptr(addr-m.base), true
		}
	}
	return 0, false
}

// end unmaps and frees a block that is no longer known, when the kernels that run have ended. The caller holds no context's lock.
func (b *hostBlock) end() error {
	for c, m := range b.mapped {
		c.mu.Lock()
		if c.space == m.space { // neither ended nor emptied since
			tell(c, MemoryFrees{c.handle, m.base})
			delete(c.owned, m.base)
			if err := c.space.Free(m.base); err != nil {
				panic("driver: " + err.Error())
			}
		}
		c.mu.Unlock()
	}
	if b.registered {
		return nil
	}
	return unmapPages(b.pages)
}
