package ptxreference

import (
	"fmt"
	"sort"
)

// Memory is the global memory of the device: ranges of bytes at addresses. The zero Memory is
// empty. Not safe for use by two runs at the same time.
type Memory struct {
	ranges []memoryRange // by address
	next   uint64        // the first address that Alloc may give
	last   int           // the range of the last access
}

type memoryRange struct {
	base  uint64
	bytes []byte
}

// firstAddress keeps the zero address and small numbers unmapped.
const firstAddress = 0x10000

// Map makes the bytes global memory from address on. They stay the caller's: kernels read and write
// them there. It fails if the range overlaps another or a window of generic addresses.
func (m *Memory) Map(address uint64, bytes []byte) error {
	end := address + uint64(len(bytes))
	if end < address {
		return fmt.Errorf("reference: %d bytes at %#x do not fit", len(bytes), address)
	}
	if address < windowsEnd && end > windowsStart {
		return fmt.Errorf("reference: %d bytes at %#x overlap a generic window", len(bytes), address)
	}
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].base >= address })
	if i < len(m.ranges) && m.ranges[i].base < end ||
		i > 0 && m.ranges[i-1].base+uint64(len(m.ranges[i-1].bytes)) > address {
		return fmt.Errorf("reference: %d bytes at %#x overlap other memory", len(bytes), address)
	}
	m.ranges = append(m.ranges, memoryRange{})
	copy(m.ranges[i+1:], m.ranges[i:])
	m.ranges[i] = memoryRange{base: address, bytes: bytes}
	m.next = max(m.next, end)
	return nil
}

// Alloc maps n zero bytes at an address that is a multiple of 256, behind all other ranges.
func (m *Memory) Alloc(n int) (address uint64, bytes []byte, err error) {
	if n < 0 {
		return 0, nil, fmt.Errorf("reference: %d bytes", n)
	}
	address = (max(m.next, firstAddress) + 255) &^ 255
	if address < windowsEnd && address+uint64(n) > windowsStart {
		address = windowsEnd
	}
	bytes = make([]byte, n)
	return address, bytes, m.Map(address, bytes)
}

// Bytes returns n bytes of memory at an address, nil if they are not all in one range. Writing to
// them writes to memory.
func (m *Memory) Bytes(address uint64, n int) []byte {
	if m.last < len(m.ranges) {
		if b := m.ranges[m.last].at(address, n); b != nil {
			return b
		}
	}
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].base > address }) - 1
	if i < 0 {
		return nil
	}
	m.last = i
	return m.ranges[i].at(address, n)
}

func (r *memoryRange) at(address uint64, n int) []byte {
	return window(r.bytes, address-r.base, n)
}

// window returns n bytes from offset, nil if there are not so many.
func window(b []byte, offset uint64, n int) []byte {
	if n < 0 || offset > uint64(len(b)) || uint64(n) > uint64(len(b))-offset {
		return nil
	}
	return b[offset : offset+uint64(n) : offset+uint64(n)]
}

// little returns the number that 1 to 8 bytes hold.
func little(b []byte) (x uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	return x
}

// putLittle stores the low bytes of x.
func putLittle(b []byte, x uint64) {
	for i := range b {
		b[i] = byte(x)
		x >>= 8
	}
}
