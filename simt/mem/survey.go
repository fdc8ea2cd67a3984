package mem

import (
	"math/bits"

	"jacquard/simt/lane"
)

// pattern classifies the addresses of a call relative to each other.
type pattern uint8

const (
	scattered  pattern = iota
	contiguous         // consecutive elements in the order of lanes; idle lanes leave gaps
	broadcast          // several lanes, all at one address
)

// survey checks the addresses of the lanes of m, which must not be empty. ok is true if every
// address is a multiple of size and its size bytes are inside the limit bytes from base on. The
// first lane's address must not be below base, a multiple of size. The pattern holds only if ok.
func survey(addr *lane.Row, m lane.Mask, base uint32, limit int, size uint32) (p pattern, ok bool) {
	i, j := first(m), bits.Len32(uint32(m))-1
	a, z := addr[i], addr[j&(lane.Width-1)]
	if z-a == uint32(j-i)*size && z >= a && runs(addr, m, a-uint32(i)*size, size) {
		return contiguous, a&(size-1) == 0 && uint64(z-base)+uint64(size) <= uint64(limit)
	}
	if z == a && runs(addr, m, a, 0) {
		return broadcast, a&(size-1) == 0 && uint64(a-base)+uint64(size) <= uint64(limit)
	}

	// Bit 63 of outside turns on if an address, counted from base, is beyond the last that fits; an
	// address below base counts as far above.
	var outside uint64
	var differ uint32
	last := uint64(limit) - uint64(size)
	if m == lane.All {
		for k := 0; k < lane.Width; k += 4 {
			q := (*[4]uint32)(addr[k:])
			outside |= last - uint64(q[0]-base) | (last - uint64(q[1]-base)) | (last - uint64(q[2]-base)) | (last - uint64(q[3]-base))
			differ |= q[0] | q[1] | q[2] | q[3]
		}
	} else {
		for _, b := range addr {
			d := (b ^ a) & -uint32(m&1) // an idle lane counts as the first lane
			outside |= last - uint64(d^a-base)
			differ |= d
			m >>= 1
		}
	}
	return scattered, (a|differ)&(size-1) == 0 && outside>>63 == 0
}

// runs reports whether each lane i of m has address a + i*size, modulo 2^32. If m is all lanes, the
// last address must not be below a.
func runs(addr *lane.Row, m lane.Mask, a, size uint32) bool {
	if m == lane.All {
		want, step := twice(a)+uint64(size)<<32, twice(2*size)
		var differ uint64
		p := pairs(addr)
		for k := 0; k < len(p); k += 4 {
			differ |= (p[k] ^ want) | (p[k+1] ^ (want + step)) | (p[k+2] ^ (want + 2*step)) | (p[k+3] ^ (want + 3*step))
			want += 4 * step
		}
		return differ == 0
	}
	differ := uint32(0)
	for _, b := range addr {
		differ |= (b ^ a) & -uint32(m&1)
		a += size
		m >>= 1
	}
	return differ == 0
}

// twice returns v in both halves.
func twice(v uint32) uint64 { return uint64(v) | uint64(v)<<32 }
