package driver

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"jacquard/libcuda/driver/judge"
	"jacquard/simt/mem"
)

// hostBlock is host memory allocated by the driver or registered with it.
type hostBlock struct {
	owner    *context
	pages    []byte // whole pages, outside Go's heap
	at, size uintptr
	// The Portable and DeviceMap flags have the same bits for allocation and registration.
	flags      uint32
	registered bool
	made       *judge.Call

	mapped map[*context]mapping // device addresses of pages; guarded by hostBlocks.mu
}

// mapping is an address range in the memory of a context. An emptied context gets another space,
// and the mapping is gone.
type mapping struct {
	space *mem.Space
	base  uint32
}

// usable reports whether c may use b.
func (b *hostBlock) usable(c *context) bool { return b.owner == c || b.flags&MemHostAllocPortable != 0 }

// holds reports whether b was made in c.
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

// addAlone adds b unless it overlaps a known block.
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

// find returns the block that contains at, or nil.
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

// take removes the block that starts at at if may allows it; may gets nil without such a block.
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

// takeOwned removes the blocks of c, which ends, and c's mappings from all others.
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

// devicePointer returns the address of host memory at at for kernels of c. The first call maps the
// memory. The caller holds c's lock.
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

// hostAddress returns the host address of mapped memory at addr in c.
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

// mappedAt returns the block whose memory is mapped at an address in c, or nil.
func (h *hostBlocks) mappedAt(c *context, base uint32) *hostBlock {
	h.mu.Lock()
	defer h.mu.Unlock()
	for b := range h.blocks {
		if m, mapped := b.mapped[c]; mapped && m.base == base {
			return b
		}
	}
	return nil
}

// all returns all blocks, by address.
func (h *hostBlocks) all() []*hostBlock {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.SortedFunc(maps.Keys(h.blocks), func(a, b *hostBlock) int { return cmp.Compare(a.at, b.at) })
}

// end unmaps and frees a block that is no longer known, once running kernels have ended. The caller
// holds no context's lock.
func (b *hostBlock) end() error {
	for c, m := range b.mapped {
		c.mu.Lock()
		if c.space == m.space { // not ended or emptied since
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
