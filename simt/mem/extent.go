package mem

import "jacquard/simt/lane"

// pattern is how the addresses of a call lie to each other.
type pattern uint8

const (
	scattered  pattern = iota
	contiguous         // all 32 lanes active, lane i at element i
	broadcast          // every active lane at one address
)

// extent sums up the addresses of a call: enough to check them all at once.
type extent struct {
	pattern pattern
	top     uint32 // the greatest address, counted from the base
	bits    uint32 // all addresses ORed: the low bits show misalignment
}

// within reports whether every access is aligned and ends inside limit bytes from
// the base.
func (e extent) within(limit int, size uint32) bool {
	return e.bits&(size-1) == 0 && uint64(e.top)+uint64(size) <= uint64(limit)
}

// measure sums up the addresses of the lanes of m, which must not be empty, for
// elements of size bytes. Addresses below base count as far above it.
func measure(addr *lane.Row, m lane.Mask, base, size uint32) extent {
	if m == lane.All {
		if runs(addr, size) {
			return extent{contiguous, addr[lane.Width-1] - base, addr[0]}
		}
		return measureAll(addr, base)
	}
	e := extent{}
	a0 := addr[first(m)]
	differ := uint32(0)
	for ; m != 0; m &= m - 1 {
		a := addr[first(m)]
		e.top = max(e.top, a-base)
		e.bits |= a
		differ |= a ^ a0
	}
	if differ == 0 {
		e.pattern = broadcast
	}
	return e
}

// measureAll is measure for a full mask of addresses that are not contiguous.
func measureAll(addr *lane.Row, base uint32) extent {
	var top, bits, differ uint32
	a0 := addr[0]
	for i := 0; i < lane.Width; i += 4 {
		q := (*[4]uint32)(addr[i:])
		a, b, c, d := q[0], q[1], q[2], q[3]
		top = max(top, max(a-base, b-base), max(c-base, d-base))
		bits |= a | b | c | d
		differ |= a ^ a0 | b ^ a0 | c ^ a0 | d ^ a0
	}
	if differ == 0 {
		return extent{broadcast, top, bits}
	}
	return extent{scattered, top, bits}
}

// runs reports whether lane i's address is element i from lane 0's, for all lanes,
// without wrapping around the end of the address space.
func runs(addr *lane.Row, size uint32) bool {
	a0 := addr[0]
	if addr[lane.Width-1]-a0 != (lane.Width-1)*size || addr[lane.Width-1] < a0 {
		return false
	}
	differ := uint32(0)
	for i := 0; i < lane.Width; i += 4 {
		q := (*[4]uint32)(addr[i:])
		a := a0 + uint32(i)*size
		differ |= q[0] ^ a | q[1] ^ (a + size) | q[2] ^ (a + 2*size) | q[3] ^ (a + 3*size)
	}
	return differ == 0
}
