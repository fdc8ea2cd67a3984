//go:build !(amd64 || arm64 || loong64 || ppc64le || riscv64)

package mem

import (
	"sync/atomic"
	"unsafe"

	"jacquard/simt/lane"
)

// words is bytes seen as little-endian words. Each element is read and written by one access of the
// host where the host has such an access at its address: see whole.go.
type words []byte

// wordsOf returns the whole words of b.
func wordsOf(b []byte) words { return b }

// at returns the word at byte off, a multiple of 4.
func (w words) at(off uint32) uint32 {
	if p := native[uint32](w[off:]); p != nil {
		return little32(*p)
	}
	return le.Uint32(w[off:])
}

// set writes the word at byte off, a multiple of 4.
func (w words) set(off, v uint32) {
	if p := native[uint32](w[off:]); p != nil {
		*p = little32(v)
		return
	}
	le.PutUint32(w[off:], v)
}

// double returns the 64-bit element at byte off, a multiple of 4.
func (w words) double(off uint32) uint64 {
	if p := native[uint64](w[off:]); p != nil {
		return little64(atomic.LoadUint64(p)) // hosts of 32 bits have no other access of 64
	}
	return le.Uint64(w[off:])
}

// setDouble writes the 64-bit element at byte off, a multiple of 4.
func (w words) setDouble(off uint32, v uint64) {
	if p := native[uint64](w[off:]); p != nil {
		atomic.StoreUint64(p, little64(v))
		return
	}
	le.PutUint64(w[off:], v)
}

// quad returns the 128-bit element at byte off, a multiple of 4.
func (w words) quad(off uint32) (low, high uint64) { return w.double(off), w.double(off + 8) }

// setQuad writes the 128-bit element at byte off, a multiple of 4.
func (w words) setQuad(off uint32, low, high uint64) {
	w.setDouble(off, low)
	w.setDouble(off+8, high)
}

// loadRow reads 32 consecutive words from byte off on, a multiple of 4.
func (w words) loadRow(d *lane.Row, off uint32) {
	for i := range d {
		d[i] = w.at(off + 4*uint32(i))
	}
}

// storeRow writes 32 consecutive words from byte off on, a multiple of 4.
func (w words) storeRow(off uint32, s *lane.Row) {
	for i, v := range s {
		w.set(off+4*uint32(i), v)
	}
}

// half returns the 16-bit element at the start of b.
func half(b []byte) uint16 {
	if p := native[uint16](b); p != nil {
		v := *p
		return le.Uint16((*[2]byte)(unsafe.Pointer(&v))[:])
	}
	return le.Uint16(b)
}

// setHalf writes the 16-bit element at the start of b.
func setHalf(b []byte, v uint16) {
	p := native[uint16](b)
	if p == nil {
		le.PutUint16(b, v)
		return
	}
	var h uint16
	le.PutUint16((*[2]byte)(unsafe.Pointer(&h))[:], v)
	*p = h
}

// native returns the element at the start of b as the host's own, nil if the host has none at its
// address.
func native[T uint16 | uint32 | uint64](b []byte) *T {
	size := unsafe.Sizeof(T(0))
	p := unsafe.Pointer(unsafe.SliceData(b[:size]))
	if uintptr(p)%size != 0 {
		return nil
	}
	return (*T)(p)
}

// little32 turns a word of the host into the device's word with the same bytes, or the reverse.
func little32(v uint32) uint32 { return le.Uint32((*[4]byte)(unsafe.Pointer(&v))[:]) }

// little64 is little32 for 64 bits.
func little64(v uint64) uint64 { return le.Uint64((*[8]byte)(unsafe.Pointer(&v))[:]) }

// pairs sees a row as 16 pairs of words, the lower lane in the lower half.
func pairs(r *lane.Row) (p [lane.Width / 2]uint64) {
	for k := range p {
		p[k] = uint64(r[2*k]) | uint64(r[2*k+1])<<32
	}
	return p
}
