package mem

import "jacquard/simt/lane"

// Access remembers one instruction's accesses to memory: their cost, and the pattern of the last
// one. Most later accesses have the same pattern and need no look at each lane. The zero Access has
// seen nothing.
type Access struct {
	Cost
	size   uint32 // bytes per element: 1, 2 or 4
	seen   pattern
	known  bool
	own    lane.Row  // scattered: each lane's offset from the lowest address
	reach  uint32    // the highest of these offsets
	lanes  lane.Mask // lanes of the pattern
	shared stepsAt   // scattered: cost in shared memory
	// device is the cost in device memory, by the quarter of 128 bytes that holds the lowest
	// address.
	device   [4]costAt
	surprise uint8 // recent scattered patterns that did not repeat
}

// stepsAt is the cost of an access to shared memory whose lowest address is phase bytes past a
// multiple of 4.
type stepsAt struct {
	steps Steps
	phase uint32
}

// costAt is the cost of an access to device memory whose lowest address is phase bytes past a
// multiple of 128.
type costAt struct {
	cost  Traffic
	phase uint32
}

const noPhase = 1 << 7 // no cost known yet

// inOrder has the offsets of consecutive elements by size; inPlace, of elements at one address.
var inOrder, inPlace = [...]*lane.Row{1: every(1), 2: every(2), 4: every(4)}, new(lane.Row)

func every(size uint32) *lane.Row {
	var r lane.Row
	for i := range r {
		r[i] = size * uint32(i)
	}
	return &r
}

// offsets returns each lane's offset from the start of the access: from the address of lane 0, even
// if idle, or from the lowest address.
func (a *Access) offsets() *lane.Row {
	switch a.seen {
	case contiguous:
		return inOrder[a.size]
	case broadcast:
		return inPlace
	}
	return &a.own
}

// last returns the highest offset of the lanes of m, or an upper bound of it.
func (a *Access) last(m lane.Mask) uint32 {
	switch a.seen {
	case contiguous:
		return a.size * uint32(last(m))
	case broadcast:
		return 0
	}
	return a.reach
}

// A pattern that the next access does not share is not learned every time.
const (
	mostSurprises = 8
	forgiveness   = 16 // one in so many is learned
)

// learn makes a the pattern of the addresses of lanes m. It reports false if the pattern is not
// worth learning.
func (a *Access) learn(addr *lane.Row, m lane.Mask) bool {
	i, j := first(m), last(m)
	lo, hi := addr[i], addr[j]
	a.known = true
	switch {
	case hi-lo == a.size*uint32(j-i) && runs(addr, m, lo-a.size*uint32(i), a.size):
		a.seen = contiguous
		return true
	case hi == lo && runs(addr, m, lo, 0):
		a.seen = broadcast
		return true
	}
	if a.surprise++; a.surprise > mostSurprises && a.surprise%forgiveness != 0 {
		return false
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		lo, hi = min(lo, addr[first(rest)]), max(hi, addr[first(rest)])
	}
	const most = 1<<31 - 1 // the highest offset that lane kernels take
	a.seen, a.lanes, a.reach, a.shared.phase = scattered, m, hi-lo, noPhase
	for k := range a.device {
		a.device[k].phase = noPhase
	}
	for i, v := range addr {
		a.own[i] = (v - lo) & -uint32(m>>i&1)
		if a.own[i]&(a.size-1) != 0 {
			a.reach = most + 1
		}
	}
	a.known = a.reach <= most
	return a.known
}
