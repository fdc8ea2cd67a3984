package mem

import (
	"math/bits"

	"jacquard/simt/lane"
)

// halfWarp is the lanes that the memory system serves together.
const halfWarp = lane.Width / 2

// halfOf returns the lanes of m in the half-warp that begins at lane h.
func halfOf(m lane.Mask, h int) lane.Mask { return m & ((1<<halfWarp - 1) << h) }

// Transactions is what a global access moves between memory and multiprocessor:
// the number of transactions of each size.
type Transactions struct {
	By32, By64, By128 int
}

// Count returns the number of transactions.
func (t Transactions) Count() int { return t.By32 + t.By64 + t.By128 }

// Bytes returns the bytes moved.
func (t Transactions) Bytes() int { return 32*t.By32 + 64*t.By64 + 128*t.By128 }

func (t *Transactions) add(size uint32, n int) {
	switch size {
	case 32:
		t.By32 += n
	case 64:
		t.By64 += n
	case 128:
		t.By128 += n
	}
}

// Transactions10 counts an access of size bytes a lane by the rule of compute
// capability 1.0 and 1.1. A half-warp coalesces if each active lane k accesses
// element k of one aligned segment of 16 elements of 4, 8 or 16 bytes; otherwise, and
// for smaller elements, each active lane is a transaction.
func Transactions10(addr *lane.Row, m lane.Mask, size int) Transactions {
	var t Transactions
	for h := 0; h < lane.Width; h += halfWarp {
		half := halfOf(m, h)
		switch {
		case half == 0:
		case size < 4 || !coalesces(addr, half, h, uint32(size)):
			t.By32 += bits.OnesCount32(uint32(half))
		case size == 4:
			t.By64++
		default:
			t.By128 += size / 8
		}
	}
	return t
}

// coalesces reports whether each lane h+k of m accesses element k of one segment of 16
// elements. m must not be empty.
func coalesces(addr *lane.Row, m lane.Mask, h int, size uint32) bool {
	i := first(m)
	segment := addr[i] - uint32(i-h)*size
	if segment%(halfWarp*size) != 0 {
		return false
	}
	for ; m != 0; m &= m - 1 {
		if i := first(m); addr[i] != segment+uint32(i-h)*size {
			return false
		}
	}
	return true
}

// Transactions12 counts an access of size bytes a lane by the rule of compute
// capability 1.2 and 1.3. In each half-warp the segment of the lowest lane not yet
// served (32 bytes for 1-byte elements, 64 for 2-byte ones, else 128) serves every
// lane in it, shrunk while only one half of it is used.
func Transactions12(addr *lane.Row, m lane.Mask, size int) Transactions {
	segment := uint32(min(32*size, 128))
	var t Transactions
	for h := 0; h < lane.Width; h += halfWarp {
		for half := halfOf(m, h); half != 0; {
			base := addr[first(half)] &^ (segment - 1)
			low, high := segment, uint32(0) // the bytes used, as offsets
			for rest := half; rest != 0; rest &= rest - 1 {
				i := first(rest)
				if off := addr[i] - base; off < segment {
					low, high = min(low, off), max(high, off+uint32(size))
					half &^= 1 << i
				}
			}
			t.add(shrink(segment, low, high), 1)
		}
	}
	return t
}

// shrink returns the size of the least aligned part of a segment, of at least 32
// bytes, that holds the bytes from low to below high.
func shrink(segment, low, high uint32) uint32 {
	for segment > 32 {
		switch half := segment / 2; {
		case high <= half:
		case low >= half:
			low, high = low-half, high-half
		default:
			return segment
		}
		segment /= 2
	}
	return segment
}
