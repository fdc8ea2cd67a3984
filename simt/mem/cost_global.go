package mem

import (
	"math/bits"

	"jacquard/simt/lane"
)

// add counts an access of size bytes per lane with pattern p from survey. The cost of a regular
// pattern needs no second look at every lane.
func (t *Traffic) add(addr *lane.Row, m lane.Mask, size uint32, p pattern) {
	switch {
	case p == contiguous:
		i := first(m)
		t.addRun(addr[i]-uint32(i)*size, m, size)
		return
	case p == broadcast && m == lane.All:
		t.G80.By32 += lane.Width
		t.GT200.By32 += 2
	default:
		t.G80.Add(Transactions10(addr, m, int(size)))
		t.GT200.Add(Transactions12(addr, m, int(size)))
	}
	t.Accesses += uint64(HalfWarps(m))
}

// Count counts an unchecked access to global memory of size bytes per lane. m may be empty.
func (t *Traffic) Count(addr *lane.Row, m lane.Mask, size uint32) { t.add(addr, m, size, scattered) }

// addRun counts an access in which each lane i of m accesses the element at base + i*size.
func (t *Traffic) addRun(base uint32, m lane.Mask, size uint32) {
	t.Accesses += uint64(HalfWarps(m))
	if m == lane.All && size == 4 && base%64 == 0 { // the usual case
		t.G80.By64 += 2
		t.GT200.By64 += 2
		return
	}
	for h := range uint32(2) {
		if half := m >> (halfWarp * h) & (1<<halfWarp - 1); half != 0 {
			t.G80.addRun(base+h*halfWarp*size, half, size)
			t.GT200.addRunShrunk(base+h*halfWarp*size, half, size)
		}
	}
}

// addRun counts, by the older rule, the lanes m of a half-warp. Lane k accesses the element at base
// + k*size.
func (t *Transactions) addRun(base uint32, m lane.Mask, size uint32) {
	switch {
	case size < 4 || base%(halfWarp*size) != 0:
		t.By32 += uint64(bits.OnesCount32(uint32(m)))
	case size == 4:
		t.By64++
	default:
		t.By128 += uint64(size / 8)
	}
}

// addRunShrunk is addRun by the newer rule.
func (t *Transactions) addRunShrunk(base uint32, m lane.Mask, size uint32) {
	segment := segmentOf(size)
	for m != 0 {
		at := (base + uint32(first(m))*size) &^ (segment - 1)
		part := m & (1<<((at+segment-base)/size) - 1) // the lanes before the segment's end
		t.add(shrink(segment, base+uint32(first(part))*size-at, base+uint32(last(part)+1)*size-at), 1)
		m &^= part
	}
}

// Transactions10 counts an access of size bytes per lane by the rule of compute
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
			t.By32 += uint64(bits.OnesCount32(uint32(half)))
		case size == 4:
			t.By64++
		default:
			t.By128 += uint64(size / 8)
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

// segmentOf returns the segment size of the newer rule for elements of size bytes, before
// shrinking.
func segmentOf(size uint32) uint32 { return min(32*size, 128) }

// Transactions12 counts an access of size bytes per lane by the rule of compute
// capability 1.2 and 1.3. In each half-warp the segment of the lowest lane not yet
// served (32 bytes for 1-byte elements, 64 for 2-byte ones, else 128) serves every
// lane in it, shrunk while only one half of it is used.
func Transactions12(addr *lane.Row, m lane.Mask, size int) Transactions {
	return transactions12(addr, m, size, nil)
}

// transactions12 is Transactions12. It adds the transactions to list, if there is one.
func transactions12(addr *lane.Row, m lane.Mask, size int, list *[]Transaction) Transactions {
	var t Transactions
	log := bits.TrailingZeros32(segmentOf(uint32(size)))
	for h := 0; h < lane.Width; h += halfWarp {
		var segments [halfWarp]uint32 // in ascending order of their lowest lanes
		var used [halfWarp]uint8      // pieces of 32 bytes used in each, as bits
		// seen holds the last bits of segment numbers: most new segments need no search.
		var seen uint64
		n := 0
		for half := halfOf(m, h); half != 0; half &= half - 1 {
			a := addr[first(half)]
			segment, piece := a>>log, uint8(1)<<(a%(1<<log)/32)
			k := n
			if bit := uint64(1) << (segment % 64); seen&bit == 0 {
				seen |= bit
			} else {
				for k = 0; k < n && segments[k] != segment; k++ {
				}
			}
			if k == n {
				n++
			}
			k %= halfWarp
			segments[k] = segment
			used[k] |= piece
		}
		for k, pieces := range used[:n] {
			bytes := sizeOf[pieces%16]
			t.add(bytes, 1)
			if list != nil {
				low := 32 * uint32(bits.TrailingZeros8(pieces))
				*list = append(*list, Transaction{segments[k]<<log + low&^(bytes-1), int(bytes)})
			}
		}
	}
	return t
}

// sizeOf is the size of a transaction by the set of 32-byte pieces in use. The size is halved while
// only one half is used.
var sizeOf = [16]uint32{1: 32, 2: 32, 3: 64, 4: 32, 5: 128, 6: 128, 7: 128, 8: 32, 9: 128, 10: 128, 11: 128, 12: 64, 13: 128, 14: 128, 15: 128}

// shrink returns the size of the smallest aligned part of a segment, at least 32 bytes, that holds
// the bytes from low to below high.
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

// Local memory is in device memory, word by word: word k of all lanes of a warp is 128 bytes in the
// order of lanes, at a multiple of 128, as in [Local]. Lanes at one offset make one run.
//
// Unverified: elements of 64 and 128 bits are served word by word. A profiler's counters on a board
// would settle it.

// addLocal counts an access to local memory of size bytes per lane with pattern p from survey.
func (t *Traffic) addLocal(addr *lane.Row, m lane.Mask, size uint32, p pattern) {
	words := max(1, size/4)
	if p == broadcast && size >= 4 {
		for range words {
			t.addRun(0, m, 4)
		}
		return
	}
	for k := range words {
		var at lane.Row
		for i, a := range addr {
			at[i] = (a/4+k)*4*lane.Width + 4*uint32(i) + a%4
		}
		t.add(&at, m, min(size, 4), scattered)
	}
}

// CountLocal counts an unchecked access to local memory of size bytes per lane. m may be empty.
func (t *Traffic) CountLocal(addr *lane.Row, m lane.Mask, size uint32) {
	t.addLocal(addr, m, size, scattered)
}
