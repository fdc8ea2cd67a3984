package mem

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"sync/atomic"
)

const (
	pageBits  = 12
	pageSize  = 1 << pageBits
	leafBits  = 10
	leafPages = 1 << leafBits

	// The null page is never mapped. The last page is not either, so that the end of an allocation
	// is always an address.
	firstPage = 1
	lastPage  = 1<<(32-pageBits) - 1
)

// Space is the global memory of a context: allocations in 32-bit device addresses.
//
// Every allocation starts on its own page of 4 KiB, and at least one unmapped page follows it, so
// an access past its end faults. An allocation may have slack: bytes after its end, on its last
// page, that only kernels reach. Freed addresses are reused as late as possible. Addresses depend
// on the sequence of calls alone.
//
// Loads, stores and atomics only read the tables. They may run at the same time, and each element is
// accessed as a whole: see whole.go. Every other method needs the Space for itself.
//
// Many methods: the accesses of the device, and the calls of its driver.
type Space struct {
	capacity uint64
	used     uint64
	live     []*allocation // in ascending order of address
	next     uint32        // first page of the search for a hole
	pages    [1 << (32 - pageBits - leafBits)]*[leafPages]*allocation
}

// allocation is a range of mapped bytes.
type allocation struct {
	base   uint32
	data   []byte // its capacity includes the slack
	charge uint64 // bytes of capacity in use; 0 if it was given to Map

	written atomic.Bool // stored to since ForgetWritten
}

// page is the allocation's first page.
func (a *allocation) page() uint32 { return a.base >> pageBits }

// mapped reports whether the allocation was given to Map.
func (a *allocation) mapped() bool { return a.charge == 0 }

// whole returns the allocation with its slack.
func (a *allocation) whole() []byte { return a.data[:cap(a.data)] }

// end is the page after the allocation's guard page.
func (a *allocation) end() uint32 { return a.page() + pagesOf(uint64(len(a.data))) + 1 }

// WithSlack returns the bytes of the pages of an allocation of size bytes.
func WithSlack(size uint64) uint64 { return uint64(pagesOf(size)) * pageSize }

// pagesOf returns the pages of size bytes. An empty allocation has one page too, so that each
// allocation has its own address.
func pagesOf(size uint64) uint32 { return uint32(max(size+pageSize-1, pageSize) >> pageBits) }

// NewSpace returns an empty memory of capacity bytes. A capacity above 4 GiB is never used up:
// addresses run out first.
func NewSpace(capacity uint64) *Space {
	return &Space{capacity: capacity, next: firstPage}
}

// Alloc allocates size bytes of zeros and returns their address, a multiple of 4096. Only these
// size bytes are accessible, but whole pages count against the capacity. On failure the error is an
// *[OutOfMemoryError].
func (s *Space) Alloc(size uint64) (uint32, error) {
	return s.alloc(size, func() []byte { return Zeros(int(size)) })
}

// AllocIn is Alloc with the caller's memory for the bytes. The Space keeps the memory until the
// address is freed. The last slack bytes of backing are the slack of the allocation and must end on
// its last page. Elements are whole if backing begins at a multiple of their size: see [Zeros].
func (s *Space) AllocIn(backing []byte, slack int) (uint32, error) {
	data := split(backing, slack)
	return s.alloc(uint64(len(data)), func() []byte { return data })
}

// split returns the bytes of an allocation in backing. Their capacity includes the slack.
func split(backing []byte, slack int) []byte {
	size := len(backing) - slack
	if pagesOf(uint64(len(backing))) > pagesOf(uint64(size)) {
		panic("mem: slack beyond the last page of an allocation")
	}
	return backing[:size:len(backing)]
}

func (s *Space) alloc(size uint64, backing func() []byte) (uint32, error) {
	free := s.capacity - s.used
	if size > free || uint64(pagesOf(size))*pageSize > free {
		return 0, &OutOfMemoryError{Size: size, Free: free}
	}
	page, at, ok := s.hole(size)
	if !ok {
		return 0, &OutOfMemoryError{Size: size, Free: free}
	}
	return s.insert(page, at, backing(), uint64(pagesOf(size))*pageSize), nil
}

// Map makes backing accessible to the device and returns its address, a multiple of 4096. It uses
// no capacity. The Space keeps backing until the address is freed. On failure the error is an
// *[OutOfMemoryError].
func (s *Space) Map(backing []byte) (uint32, error) {
	size := uint64(len(backing))
	page, at, ok := s.hole(size)
	if !ok {
		return 0, &OutOfMemoryError{Size: size, Free: s.capacity - s.used}
	}
	return s.insert(page, at, slices.Clip(backing), 0), nil
}

// AllocAt is AllocIn at a given address, a multiple of 4096. The error is a *[PlaceError] if its
// pages, or the page after them, are not free, and an *[OutOfMemoryError] if the capacity is used
// up.
func (s *Space) AllocAt(addr uint32, backing []byte, slack int) error {
	data := split(backing, slack)
	size := uint64(len(data))
	page, n := addr>>pageBits, pagesOf(size)+1
	at, _ := s.search(page)
	end := uint64(page) + uint64(n)
	if addr%pageSize != 0 || page < firstPage || end > lastPage ||
		at > 0 && s.live[at-1].end() > page || at < len(s.live) && uint64(s.live[at].page()) < end {
		return &PlaceError{Addr: addr, Size: size}
	}
	charge, free := uint64(pagesOf(size))*pageSize, s.capacity-s.used
	if charge > free {
		return &OutOfMemoryError{Size: size, Free: free}
	}
	s.insert(page, at, data, charge)
	return nil
}

// Reserve takes size bytes from the capacity, in whole pages like Alloc, for memory without an
// address: the texels of arrays. On failure the error is an *[OutOfMemoryError].
func (s *Space) Reserve(size uint64) error {
	free := s.capacity - s.used
	if size > free || uint64(pagesOf(size))*pageSize > free {
		return &OutOfMemoryError{Size: size, Free: free}
	}
	s.used += uint64(pagesOf(size)) * pageSize
	return nil
}

// Release returns size reserved bytes to the capacity.
func (s *Space) Release(size uint64) { s.used -= uint64(pagesOf(size)) * pageSize }

// Free ends the allocation or mapping that starts at addr. If there is none, the error is a
// *[NotAllocatedError].
func (s *Space) Free(addr uint32) error {
	a := s.find(addr)
	if a == nil || a.base != addr {
		return &NotAllocatedError{Addr: addr}
	}
	at, _ := s.search(a.page())
	s.live = slices.Delete(s.live, at, at+1)
	s.used -= a.charge
	s.enter(a, nil)
	return nil
}

// Range returns the allocation that contains addr.
func (s *Space) Range(addr uint32) (base uint32, size uint64, ok bool) {
	a := s.find(addr)
	if a == nil || addr != a.base && uint64(addr-a.base) >= uint64(len(a.data)) {
		return 0, 0, false
	}
	return a.base, uint64(len(a.data)), true
}

// Owner returns the allocation on whose pages addr is: inside, or at most a page past the end.
func (s *Space) Owner(addr uint32) (base uint32, size uint64, ok bool) {
	a := s.find(addr)
	if a == nil {
		return 0, 0, false
	}
	return a.base, uint64(len(a.data)), true
}

// Window returns the allocation on whose pages addr is, without slack; nil if there is none, or if it
// was given to Map. With stores it counts as written.
func (s *Space) Window(addr uint32, stores bool) (base uint32, data []byte) {
	a := s.find(addr)
	if a == nil || a.mapped() {
		return 0, nil
	}
	if stores {
		a.touch()
	}
	return a.base, a.data
}

// Mapped reports whether addr is in memory that was given to Map. The host may take such memory away
// while a kernel runs.
func (s *Space) Mapped(addr uint32) bool {
	a := s.find(addr)
	return a != nil && a.mapped()
}

// Reach returns the bytes that kernels reach from addr on: the rest of an allocation and its slack,
// or nothing. The bytes are the memory itself.
func (s *Space) Reach(addr uint32) []byte {
	a := s.find(addr)
	if a == nil || uint64(addr-a.base) > uint64(cap(a.data)) {
		return nil
	}
	return a.whole()[addr-a.base:]
}

// Bytes returns the n bytes at addr, which must be inside one allocation; otherwise the error is a
// *[RangeError]. The bytes are the memory itself, valid until it is freed.
func (s *Space) Bytes(addr uint32, n uint64) ([]byte, error) {
	if a := s.find(addr); a != nil {
		if off, size := uint64(addr-a.base), uint64(len(a.data)); off <= size && n <= size-off {
			return a.data[off : off+n : off+n], nil
		}
	}
	return nil, &RangeError{Addr: addr, Size: n}
}

// All yields the address and the bytes of every allocation and mapping, in ascending order of
// address. The bytes are the memory itself, without slack.
func (s *Space) All() iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		for _, a := range s.live {
			if !yield(a.base, slices.Clip(a.data)) {
				return
			}
		}
	}
}

// Info returns the unused capacity and the whole capacity in bytes.
func (s *Space) Info() (free, total uint64) { return s.capacity - s.used, s.capacity }

// find returns the allocation that owns addr's page, or nil.
func (s *Space) find(addr uint32) *allocation {
	leaf := s.pages[addr>>(pageBits+leafBits)]
	if leaf == nil {
		return nil
	}
	return leaf[addr>>pageBits%leafPages]
}

// search returns the index in live of the allocation at page, or where to insert one.
func (s *Space) search(page uint32) (at int, found bool) {
	return slices.BinarySearchFunc(s.live, page, func(a *allocation, page uint32) int {
		return cmp.Compare(a.page(), page)
	})
}

// hole finds unmapped pages for size bytes and a guard page: the first at or after next, or else
// the first of all. It also returns their index in live.
func (s *Space) hole(size uint64) (page uint32, at int, ok bool) {
	if size > lastPage<<pageBits {
		return 0, 0, false
	}
	n := pagesOf(size) + 1
	if page, at, ok = s.holeFrom(s.next, n); ok {
		return page, at, true
	}
	return s.holeFrom(firstPage, n)
}

// holeFrom finds n unmapped pages at or after page. page must not be inside an allocation: the
// first page and the end of any allocation are not.
func (s *Space) holeFrom(page, n uint32) (uint32, int, bool) {
	at, _ := s.search(page)
	for ; at < len(s.live); at++ {
		if s.live[at].page()-page >= n {
			return page, at, true
		}
		page = s.live[at].end()
	}
	return page, at, lastPage-page >= n
}

// insert maps data at page, with index at in live.
func (s *Space) insert(page uint32, at int, data []byte, charge uint64) uint32 {
	a := &allocation{base: page << pageBits, data: data, charge: charge}
	s.live = slices.Insert(s.live, at, a)
	s.used += charge
	s.next = a.end()
	s.enter(a, a)
	return a.base
}

// enter sets the table entries of a's pages to what.
func (s *Space) enter(a, what *allocation) {
	for p, n := a.page(), pagesOf(uint64(len(a.data))); n > 0; p, n = p+1, n-1 {
		leaf := &s.pages[p>>leafBits]
		if *leaf == nil {
			*leaf = new([leafPages]*allocation)
		}
		(*leaf)[p%leafPages] = what
	}
}

// Begin makes the next allocation start at addr, a multiple of 4096, or after it, if there is room.
// It is meant for a Space without allocations.
func (s *Space) Begin(addr uint32) { s.next = max(addr>>pageBits, firstPage) }

// Clone returns a Space with the same allocations and mappings at the same addresses. content
// returns their bytes with slack, as many as data has: a copy of data, or the content at another
// time.
func (s *Space) Clone(content func(addr uint32, data []byte) []byte) *Space {
	c := &Space{capacity: s.capacity, used: s.used, next: s.next}
	for _, a := range s.live {
		data := content(a.base, a.whole())
		if len(data) != cap(a.data) {
			panic("mem: a clone's allocation has another size")
		}
		b := &allocation{base: a.base, data: split(data, len(data)-len(a.data)), charge: a.charge}
		c.live = append(c.live, b)
		c.enter(b, b)
	}
	return c
}

// ForgetWritten clears what Written reports.
func (s *Space) ForgetWritten() {
	for _, a := range s.live {
		a.written.Store(false)
	}
}

// Written reports whether the device may have stored, since ForgetWritten, to the allocation or
// mapping that contains addr. False means that it has not.
func (s *Space) Written(addr uint32) bool {
	a := s.find(addr)
	return a != nil && a.written.Load()
}

// touch marks a as written. Most stores find the mark set, and then write nothing that workers
// share.
func (a *allocation) touch() {
	if !a.written.Load() {
		a.written.Store(true)
	}
}

// Shared reports whether the host can write device memory while a kernel runs: whether Map was
// given any memory.
func (s *Space) Shared() bool {
	for _, a := range s.live {
		if a.mapped() {
			return true
		}
	}
	return false
}

// Fingerprint returns a hash of the whole content of the memory.
func (s *Space) Fingerprint(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, a := range s.live {
		h.Write(a.whole())
	}
	return h.Sum64()
}
