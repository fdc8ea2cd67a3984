package shadow

import (
	"math/bits"

	"jacquard/simt/check"
)

const (
	pageBits = 12
	pageSize = 1 << pageBits
	leafBits = 10
	leafSize = 1 << leafBits
)

// Memory says which bits of a device's memory have no value, and where those that a kernel stored
// come from. Memory that it was not told of has values.
type Memory struct {
	count   int                                               // of pages
	leaves  [1 << (32 - pageBits - leafBits)]*[leafSize]*page // nil: all bytes have values
	origins []Origin
	known   map[place]uint32 // numbers of origins
	undo

	// First is told of each finding of a launch when it happens first; may be nil.
	First func(check.Finding)
}

// page is bytes of which some have bits without a value.
type page struct {
	epoch   uint32                // of the launch that may change the page; else it is kept as it is
	left    int                   // bytes with bits without a value
	blank   [pageSize / 64]uint64 // by byte: some of its bits have no value
	bits    *[pageSize]uint8      // those bits of blank bytes; nil: all
	origins *[pageSize / 4]uint32 // by word: where they come from; nil: nobody wrote
}

// blankPage is a page that nobody wrote. It is never changed.
var blankPage = func() *page {
	p := &page{left: pageSize}
	for i := range p.blank {
		p.blank[i] = ^uint64(0)
	}
	return p
}()

// NewMemory returns the shadow of memory in which all bytes have values.
func NewMemory() *Memory {
	m := &Memory{origins: make([]Origin, firstOrigin), known: map[place]uint32{}}
	m.origins[noOrigin].Space, m.origins[registerOrigin].Space = "global", "register"
	return m
}

// page returns the page with an address, nil if all of its bytes have values.
func (m *Memory) page(addr uint32) *page {
	leaf := m.leaves[addr>>(pageBits+leafBits)]
	if leaf == nil {
		return nil
	}
	return leaf[addr>>pageBits%leafSize]
}

// set replaces the page with an address.
func (m *Memory) set(addr uint32, p *page) {
	leaf := &m.leaves[addr>>(pageBits+leafBits)]
	if *leaf == nil {
		if p == nil {
			return
		}
		*leaf = new([leafSize]*page)
	}
	at := &(*leaf)[addr>>pageBits%leafSize]
	switch {
	case *at == nil && p != nil:
		m.count++
	case *at != nil && p == nil:
		m.count--
	}
	*at = p
}

// own returns a page with an address that may be changed.
func (m *Memory) own(addr uint32) *page {
	p := m.page(addr)
	if p != nil && p != blankPage && (m.epoch == 0 || p.epoch == m.epoch) {
		return p
	}
	m.keepPage(addr, p)
	c := &page{}
	if p != nil {
		*c = *p
		c.bits, c.origins = clone(p.bits), clone(p.origins)
	}
	c.epoch = m.epoch
	m.set(addr, c)
	return c
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// parts calls do for each page of n bytes at addr: with the address of its first byte, that byte's
// place on the page, and the number of bytes.
func parts(addr uint32, n uint64, do func(addr, at, n uint32)) {
	for a, end := uint64(addr), min(uint64(addr)+n, 1<<32); a < end; {
		at := uint32(a % pageSize)
		k := min(uint32(end-a), pageSize-at)
		do(uint32(a), at, k)
		a += uint64(k)
	}
}

// Blank says that nobody has written n bytes at addr.
func (m *Memory) Blank(addr uint32, n uint64) {
	parts(addr, n, func(addr, at, n uint32) {
		if n == pageSize {
			m.keepPage(addr, m.page(addr))
			m.set(addr, blankPage)
			return
		}
		m.own(addr).put(at, n, 0)
	})
}

// Define says that n bytes at addr have values.
func (m *Memory) Define(addr uint32, n uint64) {
	parts(addr, n, func(addr, at, n uint32) {
		p := m.page(addr)
		if p == nil || !p.any(at, n) {
			return
		}
		if n < pageSize {
			p = m.own(addr)
			p.define(at, n)
			if p.left > 0 {
				return
			}
		}
		m.keepPage(addr, p)
		m.set(addr, nil)
	})
}

// Reached reports whether any of n bytes at addr has a bit without a value.
func (m *Memory) Reached(addr uint32, n uint64) bool {
	if m.count == 0 {
		return false
	}
	for a, end := uint64(addr), min(uint64(addr)+n, 1<<32); a < end; a = (a | (pageSize - 1)) + 1 {
		at := uint32(a % pageSize)
		if p := m.page(uint32(a)); p != nil && p.any(at, uint32(min(end-a, uint64(pageSize-at)))) {
			return true
		}
	}
	return false
}

// Copy says that n bytes were copied from one address to another; the ranges may overlap.
func (m *Memory) Copy(to, from uint32, n uint64) {
	if !m.Reached(from, n) {
		m.Define(to, n)
		return
	}
	step, k := uint32(1), uint32(0)
	if to > from {
		step, k = ^uint32(0), uint32(n-1)
	}
	for range n {
		bits, origin := m.byte(from + k)
		m.setByte(to+k, bits, origin)
		k += step
	}
}

// byte returns the bits without a value of a byte, and their origin.
func (m *Memory) byte(addr uint32) (bits uint8, origin uint32) {
	p := m.page(addr)
	if p == nil {
		return 0, 0
	}
	return p.byte(addr % pageSize)
}

// setByte replaces the bits of a byte.
func (m *Memory) setByte(addr uint32, bits uint8, origin uint32) {
	switch {
	case bits == 0:
		m.Define(addr, 1)
	default:
		m.own(addr).setByte(addr%pageSize, bits, origin)
	}
}

// any reports whether any of n bytes is blank.
func (p *page) any(at, n uint32) bool {
	for ; n > 0; at, n = at+1, n-1 {
		if at%64 == 0 && n >= 64 {
			if p.blank[at/64] != 0 {
				return true
			}
			at, n = at+63, n-63
			continue
		}
		rest := min(n, 64-at%64)
		if p.blank[at/64]>>(at%64)&(1<<rest-1) != 0 {
			return true
		}
		at, n = at+rest-1, n-rest+1
	}
	return false
}

// define makes n bytes have values.
func (p *page) define(at, n uint32) {
	for n > 0 {
		k := min(n, 64-at%64)
		mask := (uint64(1)<<k - 1) << (at % 64)
		word := &p.blank[at/64]
		p.left -= bits.OnesCount64(*word & mask)
		*word &^= mask
		at, n = at+k, n-k
	}
}

// put makes all bits of n bytes have no value.
func (p *page) put(at, n, origin uint32) {
	for k := range n {
		p.setByte(at+k, 0xff, origin)
	}
}

// byte returns the bits of a byte without a value, and their origin.
func (p *page) byte(at uint32) (bits uint8, origin uint32) {
	if p.blank[at/64]>>(at%64)&1 == 0 {
		return 0, 0
	}
	bits = 0xff
	if p.bits != nil {
		bits = p.bits[at]
	}
	if p.origins != nil {
		origin = p.origins[at/4]
	}
	return bits, origin
}

// setByte makes a byte have bits without a value.
func (p *page) setByte(at uint32, bits uint8, origin uint32) {
	if p.blank[at/64]>>(at%64)&1 == 0 {
		p.left++
	}
	p.blank[at/64] |= 1 << (at % 64)
	if bits != 0xff && p.bits == nil {
		p.bits = new([pageSize]uint8)
		for i := range p.bits {
			p.bits[i] = 0xff
		}
	}
	if p.bits != nil {
		p.bits[at] = bits
	}
	if origin != 0 && p.origins == nil {
		p.origins = new([pageSize / 4]uint32)
	}
	if p.origins != nil {
		p.origins[at/4] = origin
	}
}
