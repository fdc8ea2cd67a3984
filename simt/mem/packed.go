package mem

import "slices"

// Allocations of a packed Space lie as on a board (docs/design/0045): small ones one after the
// other in the pages of a chunk, large ones on pages of their own, without an unmapped page between
// them. So a kernel that passes the end of one comes to the next.

const (
	alignment  = 256      // of every allocation
	small      = pageSize // allocations below it share pages
	chunkPages = 16       // pages that small allocations share
	chunkSize  = chunkPages * pageSize
)

// chunk is a run of pages that small allocations share.
type chunk struct {
	page  uint32
	bytes []byte
	next  int // offset after the allocation made last
	parts int // live allocations
}

// aligned returns the bytes that an allocation of size bytes takes.
func aligned(size int) int { return max(size+alignment-1, alignment) &^ (alignment - 1) }

// base is the chunk's first address.
func (c *chunk) base() uint32 { return c.page << pageBits }

// Pack makes later allocations lie as on a board. It is meant for a Space without allocations.
func (s *Space) Pack() { s.packed = true }

// Packs reports whether an allocation of size bytes is one for AllocSmall.
func (s *Space) Packs(size uint64) bool { return s.packed && size < small }

// AllocSmall is Alloc for a size that Packs. The bytes are a multiple of 256 after the allocation
// before, and kernels reach all bytes up to the next allocation or, if that is nearer, as many as
// WithSlack says. On failure the error is an *[OutOfMemoryError].
func (s *Space) AllocSmall(size uint64) (uint32, error) {
	n := aligned(int(size))
	c, off := s.room(n)
	if c == nil {
		page, _, ok := s.hole(chunkSize)
		if free := s.capacity - s.used; !ok || free < chunkSize {
			return 0, &OutOfMemoryError{Size: size, Free: free}
		}
		c, off = &chunk{page: page, bytes: make([]byte, chunkSize)}, 0
		s.open, s.next, s.used = c, page+chunkPages, s.used+chunkSize
		s.fill(page, page+chunkPages-1, &s.shared)
	}
	addr := c.base() + uint32(off)
	at, _ := s.position(addr)
	clear(c.bytes[off:][:n])
	a := &allocation{base: addr, data: c.bytes[off:][:size], chunk: c, shares: true}
	s.live = slices.Insert(s.live, at, a)
	c.parts, c.next = c.parts+1, off+n
	s.stretch(c, at-1)
	s.stretch(c, at)
	return addr, nil
}

// room returns a chunk with room for n bytes, and where it is: after the allocation made last, so
// that freed addresses are reused late, or else in the first gap of any chunk. The chunk is nil if
// there is none.
func (s *Space) room(n int) (*chunk, int) {
	if c := s.open; c != nil && c.next+n <= chunkSize && s.free(c, c.next, n) {
		return c, c.next
	}
	for at := 0; at < len(s.live); at++ {
		c := s.live[at].chunk
		if c == nil {
			continue
		}
		off := 0
		for ; at < len(s.live) && s.live[at].chunk == c; at++ {
			a := s.live[at]
			begin := int(a.base - c.base())
			if begin-off >= n {
				return c, off
			}
			off = begin + aligned(len(a.data))
		}
		if at--; off+n <= chunkSize {
			return c, off
		}
	}
	return nil, 0
}

// free reports whether no allocation is in n bytes of c.
func (s *Space) free(c *chunk, off, n int) bool {
	at, _ := s.position(c.base() + uint32(off))
	return at == len(s.live) || uint64(s.live[at].base) >= uint64(c.base())+uint64(off+n)
}

// stretch gives the allocation at index at, if it is of c, the slack after it.
func (s *Space) stretch(c *chunk, at int) {
	if at < 0 || s.live[at].chunk != c {
		return
	}
	a := s.live[at]
	off := int(a.base - c.base())
	end := min(off+int(WithSlack(uint64(len(a.data)))), chunkSize)
	if at+1 < len(s.live) && s.live[at+1].chunk == c {
		end = min(end, int(s.live[at+1].base-c.base()))
	}
	a.data = c.bytes[off : off+len(a.data) : end]
}

// leave ends the membership of the allocation that was at index at.
func (s *Space) leave(c *chunk, at int) {
	s.stretch(c, at-1)
	if c.parts--; c.parts > 0 {
		return
	}
	s.used -= chunkSize
	s.fill(c.page, c.page+chunkPages-1, nil)
	if s.open == c {
		s.open = nil
	}
}
