package mem

import (
	"math/bits"

	"jacquard/simt/lane"
)

// add counts an access of size bytes a lane that survey found to be p. Of patterns the cost is
// known without looking at every lane again.
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

// Count counts an access of size bytes a lane to global memory that nobody checks. m may be empty.
func (t *Traffic) Count(addr *lane.Row, m lane.Mask, size uint32) { t.add(addr, m, size, scattered) }

// addRun counts an access in which each lane i of m accesses the element at base + i*size.
func (t *Traffic) addRun(base uint32, m lane.Mask, size uint32) {
	t.Accesses += uint64(HalfWarps(m))
	if m == lane.All && size == 4 && base%64 == 0 { // what most kernels do all the time
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

// addRun counts, by the older rule, lanes m of a half-warp each of whose lanes k accesses
// the element at base + k*size.
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

// segmentOf returns the bytes that a transaction of elements of size bytes begins with under the newer rule.
func segmentOf(size uint32) uint32 { return min(32*size, 128) }

// Transactions12 counts an access of size bytes a lane by the rule of compute
// capability 1.2 and 1.3. In each half-warp the segment of the lowest lane not yet
// served (32 bytes for 1-byte elements, 64 for 2-byte ones, else 128) serves every
// lane in it, shrunk while only one half of it is used.
func Transactions12(addr *lane.Row, m lane.Mask, size int) Transactions {
	segment := segmentOf(uint32(size))
	var t Transactions
	for h := 0; h < lane.Width; h += halfWarp {
		half := halfOf(m, h)
		if next := t; next.addAscending12(addr, half, uint32(size), segment) {
			t = next
			continue
		}
		for half != 0 {
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

// addAscending12 counts a half-warp by the rule of Transactions12 if no lane needs a segment below that of
// a lane before it: then a segment that was left is done with, and each lane is looked at
// once. Otherwise it reports false, and t is of no use any more.
func (t *Transactions) addAscending12(addr *lane.Row, half lane.Mask, size, segment uint32) bool {
	if half == 0 {
		return true
	}
	base := addr[first(half)] &^ (segment - 1)
	low, high := segment, uint32(0)
	for ; half != 0; half &= half - 1 {
		a := addr[first(half)]
		if a-base >= segment {
			if a < base {
				return false
			}
			t.add(shrink(segment, low, high), 1)
			base = a &^ (segment - 1)
			low, high = segment, 0
		}
		low, high = min(low, a-base), max(high, a-base+size)
	}
	t.add(shrink(segment, low, high), 1)
	return true
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
