package cubin

import (
	"encoding/binary"
	"strings"
)

// relocations reads the addresses of __device__ variables that bank 14 holds. Those of debug
// sections do not matter; others would change code, and no compiler for sm_1x makes them.
func (m *elfModule) relocations(s *elfSection) error {
	if strings.Contains(s.name, "debug") {
		return nil
	}
	if s.name != sectionRelocations || s.kind != elfRel {
		return elfErrorf(s.name, "relocations other than those of bank 14 are not known")
	}
	var addresses *elfSection
	for i := range m.sections {
		if m.sections[i].name == sectionAddresses {
			addresses = &m.sections[i]
		}
	}
	if addresses == nil {
		return elfErrorf(s.name, "there is no section %s", sectionAddresses)
	}
	taken := map[uint64]bool{}
	step := elfRel32
	if m.wide {
		step = elfRel64
	}
	le := binary.LittleEndian
	for b := s.data; len(b) >= step; b = b[step:] {
		offset, info := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:]))
		symbol, kind := info>>8, info&0xff
		if m.wide {
			offset, info = le.Uint64(b), le.Uint64(b[8:])
			symbol, kind = info>>32, info&0xffffffff
		}
		switch {
		case kind != relocationAddress:
			return elfErrorf(s.name, "unknown type %d", kind)
		case !within(offset, slotBytes, min(addresses.size, bankBytes)):
			return elfErrorf(s.name, "offset 0x%x lies outside %s", offset, addresses.name)
		case taken[offset]:
			return elfErrorf(s.name, "second relocation at 0x%x", offset)
		case symbol >= uint64(len(m.symbols)):
			return elfErrorf(s.name, "there is no symbol %d", symbol)
		}
		taken[offset] = true
		var addend uint32
		if addresses.data != nil {
			addend = le.Uint32(addresses.data[offset:])
		}
		if err := m.slot(s, int(symbol), Slot{Offset: int(offset), Addend: addend}); err != nil {
			return err
		}
	}
	return nil
}

const relocationAddress = 1 // 32-bit absolute address

// slot gives the variable of a symbol an address slot. A symbol of a whole section stands for the
// variable that the addend leads to.
func (m *elfModule) slot(s *elfSection, symbol int, slot Slot) error {
	y := &m.symbols[symbol]
	global, ok := m.globals[symbol]
	if !ok && y.kind == symbolSection {
		for i, other := range m.symbols {
			inside := other.section == y.section && within(uint64(slot.Addend), 1, other.value+other.size) && uint64(slot.Addend) >= other.value
			if g, known := m.globals[i]; known && inside {
				slot.Addend -= uint32(other.value)
				global, ok = g, true
				break
			}
		}
	}
	if !ok {
		return elfErrorf(s.name, "%q is no __device__ variable of this module", y.name)
	}
	g := &m.img.Globals[global]
	g.Slots = append(g.Slots, slot)
	return nil
}
