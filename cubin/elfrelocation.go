package cubin

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"jacquard/tesla"
)

// relocation is a record of a section of relocations.
type relocation struct {
	offset uint64
	symbol int
	addend uint32 // the word there
}

// relocations reads the addresses of __device__ variables, in bank 14 and in initial content.
// Relocations of debug sections are ignored. Any other would change code, and no compiler for
// sm_1x makes one.
func (m *elfModule) relocations(s *elfSection) error {
	if strings.Contains(s.name, "debug") {
		return nil
	}
	name, ok := strings.CutPrefix(s.name, sectionRelocations)
	add := map[string]func(*elfSection, relocation) error{
		sectionAddresses: m.slot, sectionConstant0: m.constantPointer, sectionGlobalInit: m.globalPointer,
	}[name]
	if !ok || add == nil || s.kind != elfRel {
		return elfErrorf(s.name, "relocations other than those of bank 14 and of variables are not known")
	}
	var to *elfSection
	for i := range m.sections {
		if m.sections[i].name == name {
			to = &m.sections[i]
		}
	}
	if to == nil {
		return elfErrorf(s.name, "there is no section %s", name)
	}
	return m.records(s, to, add)
}

// records reads the relocations of section to.
func (m *elfModule) records(s, to *elfSection, add func(*elfSection, relocation) error) error {
	most := to.size
	if to.name != sectionGlobalInit {
		most = min(most, tesla.BankBytes)
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
		case !within(offset, slotBytes, most):
			return elfErrorf(s.name, "offset 0x%x lies outside %s", offset, to.name)
		case taken[offset]:
			return elfErrorf(s.name, "second relocation at 0x%x", offset)
		case symbol >= uint64(len(m.symbols)):
			return elfErrorf(s.name, "there is no symbol %d", symbol)
		}
		taken[offset] = true
		r := relocation{offset: offset, symbol: int(symbol)}
		if to.data != nil {
			r.addend = le.Uint32(to.data[offset:])
		}
		if err := add(s, r); err != nil {
			return err
		}
	}
	return nil
}

const relocationAddress = 1 // 32-bit absolute address

// constantPointer notes an address in bank 0.
func (m *elfModule) constantPointer(s *elfSection, r relocation) error {
	return m.pointer(s, Pointer{In: -1, Offset: int(r.offset)}, r)
}

// globalPointer notes an address in the initial content of a __device__ variable.
func (m *elfModule) globalPointer(s *elfSection, r relocation) error {
	for i, y := range m.symbols {
		in, ok := m.globals[i]
		if ok && m.sections[y.section].name == sectionGlobalInit && r.offset >= y.value &&
			within(r.offset-y.value, slotBytes, y.size) {
			return m.pointer(s, Pointer{In: in, Offset: int(r.offset - y.value)}, r)
		}
	}
	return elfErrorf(s.name, "there is no variable at 0x%x", r.offset)
}

func (m *elfModule) pointer(s *elfSection, p Pointer, r relocation) error {
	of, ok := m.globals[r.symbol]
	if !ok {
		return elfErrorf(s.name, "%q is no __device__ variable of this module", m.symbols[r.symbol].name)
	}
	p.Of = of
	m.img.Pointers = append(m.img.Pointers, p)
	return nil
}

// sortPointers brings the pointers of all sections into order.
func (m *elfModule) sortPointers() error {
	slices.SortFunc(m.img.Pointers, func(a, b Pointer) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Offset, b.Offset))
	})
	return nil
}

// slot gives the variable of a symbol an address slot. For the symbol of a section, the addend
// selects the variable.
func (m *elfModule) slot(s *elfSection, r relocation) error {
	slot := Slot{Offset: int(r.offset), Addend: r.addend}
	y := &m.symbols[r.symbol]
	global, ok := m.globals[r.symbol]
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
