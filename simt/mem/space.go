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
// page, that only kernels reach. [Space.Pack] lays allocations closer. Freed addresses are reused as
// late as possible. Addresses depend on the sequence of calls alone.
//
// Loads, stores and atomics only read the tables. They may run at the same time, and each element is
// accessed as a whole: see whole.go. Every other method needs the Space for itself.
type Space struct {
	capacity uint64
	used     uint64
	live     []*allocation // in ascending order of address
	next     uint32        // first page of the search for a hole
	padding  uint32        // pages that stay unmapped around each allocation, at the least
	packed   bool
	open     *chunk     // that has room for small allocations, perhaps; may be nil
	gaps     []*chunk   // in ascending order of page: all that may have room
	shared   allocation // stands in the table for all allocations that share pages
	pages    [1 << (32 - pageBits - leafBits)]*[leafPages]*allocation
}

// allocation is a range of mapped bytes.
type allocation struct {
	base   uint32
	data   []byte // its capacity includes the slack
	charge uint64 // bytes of capacity in use
	host   bool   // it was given to Map
	chunk  *chunk // that the bytes are of; nil if they are the allocation's own
	shares bool   // its pages may hold other allocations

	written atomic.Bool // stored to since ForgetWritten
}

// page is the allocation's first page.
func (a *allocation) page() uint32 { return a.base >> pageBits }

// mapped reports whether the allocation was given to Map.
func (a *allocation) mapped() bool { return a.host }

// whole returns the allocation with its slack.
func (a *allocation) whole() []byte { return a.data[:cap(a.data)] }

// last is the allocation's last page.
func (a *allocation) last() uint32 {
	return uint32((uint64(a.base) + max(uint64(cap(a.data)), 1) - 1) >> pageBits)
}

// first is the first page on which no allocation of another chunk may begin.
func (a *allocation) first() uint32 {
	if a.chunk != nil {
		return a.chunk.page
	}
	return a.page()
}

// end is the first page after an allocation, and its chunk, that another may begin on.
func (s *Space) end(a *allocation) uint32 {
	if a.chunk != nil {
		return a.chunk.end()
	}
	return a.last() + 1 + s.guard()
}

// guard is the number of unmapped pages after an allocation.
func (s *Space) guard() uint32 {
	if s.packed {
		return 0
	}
	return max(s.padding, 1)
}

// WithSlack returns the bytes of the pages of an allocation of size bytes.
func WithSlack(size uint64) uint64 { return uint64(pagesOf(size)) * pageSize }

// pagesOf returns the pages of size bytes. An empty allocation has one page too, so that each
// allocation has its own address.
func pagesOf(size uint64) uint32 { return uint32(max(size+pageSize-1, pageSize) >> pageBits) }

// NewSpace returns an empty memory of capacity bytes. A capacity above 4 GiB is never used up:
// addresses run out first.
func NewSpace(capacity uint64) *Space { return NewPadded(capacity, 0) }

// NewPadded is NewSpace, and keeps bytes, in whole pages, unmapped before and after each allocation,
// even if they are more than the page that is there anyway. Such a Space is not packed.
func NewPadded(capacity, bytes uint64) *Space {
	padding := uint32((bytes + pageSize - 1) >> pageBits)
	return &Space{capacity: capacity, padding: padding, next: firstPage + padding}
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
	return s.insert(&allocation{base: page << pageBits, data: backing(), charge: uint64(pagesOf(size)) * pageSize}, at), nil
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
	return s.insert(&allocation{base: page << pageBits, data: slices.Clip(backing), host: true}, at), nil
}

// AllocAt is AllocIn at a given address, a multiple of 256, and takes a multiple of 256 bytes of the
// capacity. The error is a *[PlaceError] if the bytes with their slack are not free, and an
// *[OutOfMemoryError] if the capacity is used up.
func (s *Space) AllocAt(addr uint32, backing []byte, slack int) error {
	a := &allocation{base: addr, data: split(backing, slack)}
	size := uint64(len(a.data))
	at, found := s.position(addr)
	end := uint64(addr) + uint64(max(cap(a.data), 1))
	if addr%alignment != 0 || a.page() < firstPage || end > lastPage<<pageBits || found ||
		at > 0 && s.live[at-1].reach() > uint64(addr) || at < len(s.live) && uint64(s.live[at].base) < end {
		return &PlaceError{Addr: addr, Size: size}
	}
	charge, free := (max(size, 1)+alignment-1)&^(alignment-1), s.capacity-s.used
	if charge > free {
		return &OutOfMemoryError{Size: size, Free: free}
	}
	a.charge = charge
	a.shares = addr%pageSize != 0
	for _, b := range s.live[max(at-1, 0):min(at+1, len(s.live))] { // the neighbours
		if b.last() == a.page() || a.last() == b.page() {
			a.shares, b.shares = true, true
			s.enter(b)
		}
	}
	s.insert(a, at)
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
	at, _ := s.position(addr)
	s.live = slices.Delete(s.live, at, at+1)
	s.used -= a.charge
	switch {
	case a.chunk != nil:
		s.leave(a.chunk, at)
	case !a.shares:
		s.fill(a.page(), a.last(), nil)
	}
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

// Owner returns the allocation whose pages hold addr, inside or at most a page past the end.
func (s *Space) Owner(addr uint32) (base uint32, size uint64, ok bool) {
	a := s.find(addr)
	if a == nil {
		return 0, 0, false
	}
	return a.base, uint64(len(a.data)), true
}

// Window returns the allocation whose pages hold addr, without slack. It returns nil if there is
// none, or if the allocation was given to Map. With stores the allocation counts as written.
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

// find returns the allocation that owns addr's page, or nil. On a page that several allocations
// share it is the one before addr.
func (s *Space) find(addr uint32) *allocation {
	a := s.entry(addr)
	if a == &s.shared {
		return s.among(addr)
	}
	return a
}

// entry is find, except that it returns &s.shared for a page that several allocations share. It is
// small enough to be inlined.
func (s *Space) entry(addr uint32) *allocation {
	leaf := s.pages[addr>>(pageBits+leafBits)]
	if leaf == nil {
		return nil
	}
	return leaf[addr>>pageBits%leafPages]
}

// among is find for a page that several allocations share.
func (s *Space) among(addr uint32) *allocation {
	at, found := s.position(addr)
	if !found {
		at--
	}
	if at < 0 || s.live[at].reach() <= uint64(addr) {
		return nil
	}
	return s.live[at]
}

// reach is the address after all bytes that kernels reach.
func (a *allocation) reach() uint64 { return uint64(a.base) + uint64(max(cap(a.data), 1)) }

// position returns the index in live of the allocation at addr, or where to insert one.
func (s *Space) position(addr uint32) (at int, found bool) {
	return slices.BinarySearchFunc(s.live, addr, func(a *allocation, addr uint32) int { return cmp.Compare(a.base, addr) })
}

// search returns the index in live of the allocation at page, or where to insert one.
func (s *Space) search(page uint32) (at int, found bool) {
	return slices.BinarySearchFunc(s.live, page, func(a *allocation, page uint32) int {
		return cmp.Compare(a.page(), page)
	})
}

// hole finds unmapped pages for size bytes and those that guard them: the first at or after next, or
// else the first of all. It also returns their index in live.
func (s *Space) hole(size uint64) (page uint32, at int, ok bool) {
	if size > lastPage<<pageBits {
		return 0, 0, false
	}
	n := pagesOf(size) + s.guard()
	if page, at, ok = s.holeFrom(s.next, n); ok {
		return page, at, true
	}
	return s.holeFrom(firstPage+s.padding, n)
}

// holeFrom finds n unmapped pages at or after page. page must not be inside an allocation: the
// first page and the end of any allocation are not.
func (s *Space) holeFrom(page, n uint32) (uint32, int, bool) {
	at, _ := s.search(page)
	if at > 0 {
		page = max(page, s.end(s.live[at-1]))
	}
	for ; at < len(s.live); at++ {
		if from := s.live[at].first(); from >= page && from-page >= n {
			return page, at, true
		}
		page = max(page, s.end(s.live[at]))
	}
	return page, at, page <= lastPage && lastPage-page >= n
}

// insert maps a, with index at in live.
func (s *Space) insert(a *allocation, at int) uint32 {
	s.live = slices.Insert(s.live, at, a)
	s.used += a.charge
	s.next = s.end(a)
	s.enter(a)
	return a.base
}

// enter puts a into the table.
func (s *Space) enter(a *allocation) {
	if a.shares {
		s.fill(a.page(), a.last(), &s.shared)
		return
	}
	s.fill(a.page(), a.last(), a)
}

// fill sets the table entries of the pages from p to last to what.
func (s *Space) fill(p, last uint32, what *allocation) {
	for ; p <= last; p++ {
		leaf := &s.pages[p>>leafBits]
		if *leaf == nil {
			*leaf = new([leafPages]*allocation)
		}
		(*leaf)[p%leafPages] = what
	}
}

// Begin makes the next allocation start at addr, a multiple of 4096, or after it, if there is room.
// It is meant for a Space without allocations.
func (s *Space) Begin(addr uint32) { s.next = max(addr>>pageBits, firstPage+s.padding) }

// Clone returns a Space with the same allocations and mappings at the same addresses. content
// returns their bytes with slack, as many as data has: a copy of data, or the content at another
// time.
func (s *Space) Clone(content func(addr uint32, data []byte) []byte) *Space {
	c := &Space{capacity: s.capacity, used: s.used, padding: s.padding, next: s.next}
	for _, a := range s.live {
		data := content(a.base, a.whole())
		if len(data) != cap(a.data) {
			panic("mem: a clone's allocation has another size")
		}
		b := &allocation{base: a.base, data: split(data, len(data)-len(a.data)), charge: a.charge, host: a.host, shares: a.shares}
		c.live = append(c.live, b)
		c.enter(b)
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
