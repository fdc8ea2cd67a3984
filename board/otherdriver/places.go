package otherdriver

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Place is memory here, of the simulator or of a recording, and its counterpart on the library.
type Place struct {
	Address uint32
	Size    int
	There   Address
}

// Place returns p, so that Places can consist of it.
func (p Place) Place() Place { return p }

// Places is memory with counterparts, in ascending order of address. P is Place, or has one.
type Places[P interface{ Place() Place }] []P

// Insert adds p.
func (ps *Places[P]) Insert(p P) {
	i, _ := ps.Search(p.Place().Address)
	*ps = slices.Insert(*ps, i, p)
}

// Search returns the index of the memory that starts at address, or the index to insert it at.
func (ps Places[P]) Search(address uint32) (int, bool) {
	return slices.BinarySearchFunc(ps, address, func(p P, address uint32) int { return cmp.Compare(p.Place().Address, address) })
}

// Translate returns the address there of an address here. The end of memory is an address of it,
// because programs pass such bounds, unless other memory begins there. A number that is no address
// stays, and ok is false.
func (ps Places[P]) Translate(address uint32) (there Address, ok bool) {
	i, exact := ps.Search(address)
	if !exact {
		i--
	}
	if i >= 0 {
		p := ps[i].Place()
		if offset := address - p.Address; int64(offset) <= int64(p.Size) {
			return p.There + Address(offset), true
		}
	}
	return Address(address), false
}

// Within calls do for the memory that data at address reaches, with the offset in that memory and
// the part of data.
func (ps Places[P]) Within(address uint32, data []byte, do func(p P, at int, part []byte) error) error {
	i, exact := ps.Search(address)
	if !exact && i > 0 {
		i--
	}
	begin, end := int64(address), int64(address)+int64(len(data))
	for ; i < len(ps); i++ {
		p := ps[i].Place()
		base := int64(p.Address)
		if base >= end {
			break
		}
		from, to := max(begin, base), min(end, base+int64(p.Size))
		if from >= to {
			continue
		}
		if err := do(ps[i], int(from-base), data[from-begin:to-begin]); err != nil {
			return err
		}
	}
	return nil
}

// Alike reports whether words are equal, except for addresses of the same place, each in its own
// memory. It returns the offsets of these pointers, and copies them from here to there. at is the
// offset of both in their memory, a multiple of 8.
func (ps Places[P]) Alike(here, there []byte, at int) (pointers []int, same bool) {
	same = true
	word := binary.LittleEndian.Uint32
	for i := 0; i+4 <= len(here); i += 4 {
		h, t := word(here[i:]), word(there[i:])
		if h == t {
			continue
		}
		address, ok := ps.Translate(h)
		if !ok || uint32(address) != t {
			same = false
			continue
		}
		pointers = append(pointers, i)
		copy(there[i:], here[i:i+4])
		// The upper half of an address of 64 bits.
		if upper := uint32(uint64(address) >> 32); upper != 0 && (at+i)%8 == 0 && i+8 <= len(here) && word(here[i+4:]) == 0 {
			if word(there[i+4:]) == upper {
				copy(there[i+4:], here[i+4:i+8])
			}
		}
	}
	return pointers, same && bytes.Equal(here[len(here)&^3:], there[len(here)&^3:])
}
