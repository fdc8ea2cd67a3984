package shadow

import "math/bits"

// Range is bytes of device memory.
type Range struct {
	Addr uint32
	Size uint64
}

// Output is what the host gets of one origin in a copy.
type Output struct {
	Origin         // its Site has no role if no kernel read the memory
	Addr    uint32 // the first byte
	Bytes   uint64 // with bits without a value
	Padding bool   // the bytes may be padding of structures
}

// Outputs returns what is without a value in bytes that the host gets: for each origin, in the order
// of the first bytes.
func (m *Memory) Outputs(rows ...Range) (list []Output) {
	known := map[uint32]int{}
	for _, r := range rows {
		if !m.Reached(r.Addr, r.Size) {
			continue
		}
		for k := range r.Size {
			addr := r.Addr + uint32(k)
			free, origin := m.byte(addr)
			if free == 0 {
				continue
			}
			i, ok := known[origin]
			if !ok {
				i = len(list)
				known[origin] = i
				list = append(list, Output{Origin: m.origins[origin], Addr: addr})
			}
			list[i].Bytes++
		}
	}
	if i, ok := known[noOrigin]; ok {
		list[i].Padding = m.padding(rows)
	}
	return list
}

// most is the bytes of the longest structure whose padding is told.
const most = 256

// padding reports whether all that nobody wrote in some rows may be padding of structures: the rows
// are structures of one size, each with the same bytes unwritten, and each gap aligns what follows.
func (m *Memory) padding(rows []Range) bool {
	for _, r := range rows {
		if !m.Reached(r.Addr, r.Size) {
			continue
		}
		found := false
		for size := uint64(2); size <= min(most, r.Size/2) && !found; size += 2 {
			found = r.Size%size == 0 && m.structures(r, size)
		}
		if !found {
			return false
		}
	}
	return true
}

// gap reports whether nobody wrote a byte.
func (m *Memory) gap(addr uint32) bool {
	free, origin := m.byte(addr)
	return free == 0xff && origin == noOrigin
}

// structures reports whether a row is structures of a size with padding.
func (m *Memory) structures(r Range, size uint64) bool {
	for k := size; k < r.Size; k++ {
		if m.gap(r.Addr+uint32(k)) != m.gap(r.Addr+uint32(k-size)) {
			return false
		}
	}
	widest := m.widest(r.Addr, uint32(size))
	run := uint32(0)
	for k := range uint32(size) + 1 {
		if k < uint32(size) && m.gap(r.Addr+k) {
			run++
			continue
		}
		if run > 0 && run >= min(widest, 1<<bits.TrailingZeros32(k)) {
			return false
		}
		run = 0
	}
	return true
}

// widest returns the size of the longest member that a structure may have: aligned bytes that are
// written.
func (m *Memory) widest(addr, size uint32) uint32 {
	for n := uint32(16); n > 1; n /= 2 {
		for at := uint32(0); size%n == 0 && at < size; at += n {
			written := true
			for k := range n {
				written = written && !m.gap(addr+at+k)
			}
			if written {
				return n
			}
		}
	}
	return 1
}
