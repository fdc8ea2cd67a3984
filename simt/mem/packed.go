package mem

import (
	"cmp"
	"slices"
)

// Allocations of a packed Space lie as on a board (docs/design/0045): small ones one after the
// other in the pages of a chunk, large ones on pages of their own, without an unmapped page between
// them. So a kernel that passes the end of one comes to the next.

const (
	alignment = 256           // of every allocation
	small     = pageSize      // allocations below it share pages
	chunkSize = 16 * pageSize // of the pages that small allocations share
)

// chunk is a run of pages that small allocations share.
type chunk struct {
	page  uint32
	bytes []byte
	next  int // offset after the allocation made last
	parts int // live allocations
	most  int // no gap has more bytes
}

// end is the page after the chunk.
func (c *chunk) end() uint32 { return c.page + uint32(len(c.bytes)/pageSize) }

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
		if c = s.newChunk(); c == nil {
			return 0, &OutOfMemoryError{Size: size, Free: s.capacity - s.used}
		}
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

// newChunk makes a chunk, of one page if there is no room for more. It returns nil if there is none.
func (s *Space) newChunk() *chunk {
	for _, size := range []uint64{chunkSize, pageSize} {
		page, _, ok := s.hole(size)
		if !ok || size > s.capacity-s.used {
			continue
		}
		c := &chunk{page: page, bytes: make([]byte, size), most: int(size)}
		s.open, s.next, s.used = c, c.end(), s.used+size
		s.fill(page, c.end()-1, &s.shared)
		s.gaps = slices.Insert(s.gaps, s.gapsBefore(c), c)
		return c
	}
	return nil
}

// gapsBefore returns how many chunks with gaps are before c.
func (s *Space) gapsBefore(c *chunk) int {
	at, _ := slices.BinarySearchFunc(s.gaps, c, func(a, b *chunk) int { return cmp.Compare(a.page, b.page) })
	return at
}

// room returns a chunk with room for n bytes, and where it is: after the allocation made last, so
// that freed addresses are reused late, or else in the first gap of any chunk. The chunk is nil if
// there is none.
func (s *Space) room(n int) (*chunk, int) {
	if c := s.open; c != nil && c.next+n <= len(c.bytes) && s.free(c, c.next, n) {
		return c, c.next
	}
	for at := 0; at < len(s.gaps); at++ {
		c := s.gaps[at]
		if c.most < n {
			continue
		}
		if off, ok := s.gap(c, n); ok {
			return c, off
		}
		if c.most == 0 {
			s.gaps = slices.Delete(s.gaps, at, at+1)
			at--
		}
	}
	return nil, 0
}

// gap returns the offset of the first gap of n bytes in c. If there is none, it notes how many bytes
// the largest has.
func (s *Space) gap(c *chunk, n int) (off int, ok bool) {
	most := 0
	for at, _ := s.position(c.base()); at < len(s.live) && s.live[at].chunk == c; at++ {
		a := s.live[at]
		begin := int(a.base - c.base())
		if begin-off >= n {
			return off, true
		}
		most = max(most, begin-off)
		off = begin + aligned(len(a.data))
	}
	if len(c.bytes)-off >= n {
		return off, true
	}
	c.most = max(most, len(c.bytes)-off)
	return 0, false
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
	end := min(off+int(WithSlack(uint64(len(a.data)))), len(c.bytes))
	if at+1 < len(s.live) && s.live[at+1].chunk == c {
		end = min(end, int(s.live[at+1].base-c.base()))
	}
	a.data = c.bytes[off : off+len(a.data) : end]
}

// leave ends the membership of the allocation that was at index at.
func (s *Space) leave(c *chunk, at int) {
	s.stretch(c, at-1)
	here := s.gapsBefore(c)
	listed := here < len(s.gaps) && s.gaps[here] == c
	if c.parts--; c.parts > 0 {
		if c.most = len(c.bytes); !listed {
			s.gaps = slices.Insert(s.gaps, here, c)
		}
		return
	}
	if listed {
		s.gaps = slices.Delete(s.gaps, here, here+1)
	}
	s.used -= uint64(len(c.bytes))
	s.fill(c.page, c.end()-1, nil)
	if s.open == c {
		s.open = nil
	}
}
