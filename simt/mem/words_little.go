//go:build amd64 || arm64 || loong64 || ppc64le || riscv64

package mem

import (
	"unsafe"

	"jacquard/simt/lane"
)

// words is bytes seen as little-endian words. On little-endian hosts that allow unaligned accesses
// they are the host's own words: that halves the time of a gather. Each element is read and written
// by one access of the host: see whole.go.
type words []uint32

// wordsOf returns the whole words of b.
func wordsOf(b []byte) words {
	if len(b) < 4 {
		return nil // a pointer to a word needs a whole word
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// at returns the word at byte off, a multiple of 4.
func (w words) at(off uint32) uint32 { return w[off/4] }

// set writes the word at byte off, a multiple of 4.
func (w words) set(off, v uint32) { w[off/4] = v }

// double returns the 64-bit element at byte off, a multiple of 4.
func (w words) double(off uint32) uint64 {
	return *(*uint64)(unsafe.Pointer((*[2]uint32)(w[off/4:])))
}

// setDouble writes the 64-bit element at byte off, a multiple of 4.
func (w words) setDouble(off uint32, v uint64) {
	*(*uint64)(unsafe.Pointer((*[2]uint32)(w[off/4:]))) = v
}

// quad returns the 128-bit element at byte off, a multiple of 4.
func (w words) quad(off uint32) (low, high uint64) { return loadQuad((*[4]uint32)(w[off/4:])) }

// setQuad writes the 128-bit element at byte off, a multiple of 4.
func (w words) setQuad(off uint32, low, high uint64) { storeQuad((*[4]uint32)(w[off/4:]), low, high) }

// loadRow reads 32 consecutive words from byte off on, a multiple of 4.
func (w words) loadRow(d *lane.Row, off uint32) { *d = lane.Row(w[off/4:]) }

// storeRow writes 32 consecutive words from byte off on, a multiple of 4.
func (w words) storeRow(off uint32, s *lane.Row) { copy(w[off/4:][:lane.Width], s[:]) }

// half returns the 16-bit element at the start of b.
func half(b []byte) uint16 { return *(*uint16)(unsafe.Pointer((*[2]byte)(b))) }

// setHalf writes the 16-bit element at the start of b.
func setHalf(b []byte, v uint16) { *(*uint16)(unsafe.Pointer((*[2]byte)(b))) = v }

// little32 turns a word of the host into the device's word with the same bytes, or the reverse.
func little32(v uint32) uint32 { return v }

// little64 is little32 for 64 bits.
func little64(v uint64) uint64 { return v }

// pairs sees a row as 16 pairs of words, the lower lane in the lower half.
func pairs(r *lane.Row) *[lane.Width / 2]uint64 {
	return (*[lane.Width / 2]uint64)(unsafe.Pointer(r))
}
