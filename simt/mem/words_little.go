//go:build amd64 || arm64 || loong64 || ppc64le || riscv64

package mem

import (
	"unsafe"

	"jacquard/simt/lane"
)

// words is bytes seen as little-endian words. On little-endian hosts that allow unaligned accesses
// they are the host's own words: that halves the time of a gather.
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

// loadRow reads 32 consecutive words from byte off on, a multiple of 4.
func (w words) loadRow(d *lane.Row, off uint32) { *d = lane.Row(w[off/4:]) }

// storeRow writes 32 consecutive words from byte off on, a multiple of 4.
func (w words) storeRow(off uint32, s *lane.Row) { copy(w[off/4:][:lane.Width], s[:]) }

// pairs sees a row as 16 pairs of words, the lower lane in the lower half.
func pairs(r *lane.Row) *[lane.Width / 2]uint64 {
	return (*[lane.Width / 2]uint64)(unsafe.Pointer(r))
}
