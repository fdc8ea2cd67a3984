package mem

import (
	"unsafe"

	"jacquard/tesla"
)

// Workers run blocks at the same time on one global memory, and a board moves an aligned element in
// one transaction: a lane that loads what another block stores gets all of the old element or all
// of the new one. So every access to an element of up to 64 bits is one access of the host, and one
// of 128 bits is so on amd64. There
//
//   - aligned accesses of general registers, up to 64 bits, are whole by both vendors' manuals;
//   - aligned accesses of 128 bits are whole on processors with AVX, by statements of both vendors;
//   - of longer vector moves, masked moves, gathers and scatters the manuals promise nothing, but
//     known processors split them at multiples of 16 bytes, or by element. Go's memmove relies on
//     this for pointers. Tests try it on the host: TestWhole here and in simt/engine.
//
// Other hosts move 128 bits as two elements of 64. Memory must begin at a multiple of the size of
// an element, as memory of [Zeros] does.

// wholeBytes is the alignment of memory: a cache line.
const wholeBytes = 64

// Zeros returns n zeros in memory for [Space.AllocIn] or [Space.AllocAt]. It begins where elements of
// every size are whole.
func Zeros(n int) []byte {
	b := make([]byte, n+wholeBytes-1)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % wholeBytes)
	return b[skip:][:n:n]
}

// Element is the content of an element in memory, low word first; words beyond the element are 0.
type Element [4]uint32

// Read returns the element of type t at addr, slack included. The caller has checked the access.
func (s *Space) Read(addr uint32, t tesla.Type) (e Element) {
	b := s.Reach(addr)
	switch w := wordsOf(b); shapeOf(t) {
	case byteU, byteS:
		e[0] = uint32(b[0])
	case halfU, halfS:
		e[0] = uint32(half(b))
	case word:
		e[0] = w.at(0)
	case double:
		e[0], e[1] = split64(w.double(0))
	case quad:
		low, high := w.quad(0)
		e[0], e[1] = split64(low)
		e[2], e[3] = split64(high)
	}
	return e
}

// Write writes the element of type t at addr. The caller has checked the access.
func (s *Space) Write(addr uint32, t tesla.Type, e Element) {
	a := s.find(addr)
	a.touch()
	b := a.whole()[addr-a.base:]
	switch w := wordsOf(b); shapeOf(t) {
	case byteU, byteS:
		b[0] = byte(e[0])
	case halfU, halfS:
		setHalf(b, uint16(e[0]))
	case word:
		w.set(0, e[0])
	case double:
		w.setDouble(0, join64(e[0], e[1]))
	case quad:
		w.setQuad(0, join64(e[0], e[1]), join64(e[2], e[3]))
	}
}

// split64 returns the words of a 64-bit element.
func split64(v uint64) (low, high uint32) { return uint32(v), uint32(v >> 32) }

// join64 returns the 64-bit element with two words.
func join64(low, high uint32) uint64 { return uint64(low) | uint64(high)<<32 }
