package carrier

import (
	"bytes"
	"debug/elf"
)

// layELF lays out an ELF program, library or object file.
func (l *layout) layELF() {
	f, err := elf.NewFile(bytes.NewReader(l.data))
	if err != nil || f.Data != elf.ELFDATA2LSB {
		return
	}
	l.word = 8
	if f.Class == elf.ELFCLASS32 {
		l.word = 4
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NULL && s.Type != elf.SHT_NOBITS {
			l.sections = append(l.sections, section{s.Name, s.Offset, s.FileSize})
		}
	}
	e := &elfLayout{layout: l, File: f, starts: make([]uint64, len(f.Sections))}
	if f.Type == elf.ET_REL {
		e.placeSections()
	} else {
		for _, s := range f.Progs {
			if s.Type == elf.PT_LOAD {
				l.load(s.Vaddr, s.Off, s.Filesz, s.Memsz)
			}
		}
	}
	l.loaded()
	for _, s := range f.Sections {
		if s.Type == elf.SHT_RELA || s.Type == elf.SHT_REL {
			e.relocate(s)
		}
	}
}

// elfLayout is an ELF file that is being laid out.
type elfLayout struct {
	*layout
	*elf.File
	starts []uint64 // addresses of an object file's sections; zeros in other files
}

// objectBase is the address of the first section of an object file, which has none of its own. A
// gap follows each section.
const (
	objectBase = 1 << 16
	objectGap  = 1 << 12
)

// placeSections gives addresses to the sections of an object file.
func (e *elfLayout) placeSections() {
	next := uint64(objectBase)
	for i, s := range e.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Flags&elf.SHF_COMPRESSED != 0 || s.Size > 1<<40 {
			continue
		}
		e.starts[i] = next
		inFile := s.FileSize
		if s.Type == elf.SHT_NOBITS {
			inFile = 0
		}
		e.load(next, min(s.Offset, uint64(len(e.data))), inFile, s.Size)
		next += (s.Size+objectGap-1)&^(objectGap-1) + objectGap
	}
}

// absolute are the relocations that store an address, with the bytes that they store: of symbol and
// addend, or of the addend alone.
var absolute = map[elf.Machine]map[uint32]struct {
	width int
	base  bool // the addend is the address
}{
	elf.EM_X86_64: {
		uint32(elf.R_X86_64_64): {8, false}, uint32(elf.R_X86_64_32): {4, false}, uint32(elf.R_X86_64_32S): {4, false},
		uint32(elf.R_X86_64_RELATIVE): {8, true},
	},
	elf.EM_386:     {uint32(elf.R_386_32): {4, false}, uint32(elf.R_386_RELATIVE): {4, true}},
	elf.EM_AARCH64: {uint32(elf.R_AARCH64_ABS64): {8, false}, uint32(elf.R_AARCH64_RELATIVE): {8, true}},
}

// relocate applies the relocations of a section. In records without an addend (SHT_REL) the place
// holds it.
func (e *elfLayout) relocate(s *elf.Section) {
	known := absolute[e.Machine]
	symbols := e.symbols(s.Link)
	var base uint64 // of places in an object file, where they count from a section's start
	if e.Type == elf.ET_REL {
		if uint64(s.Info) >= uint64(len(e.starts)) || e.starts[s.Info] == 0 {
			return
		}
		base = e.starts[s.Info]
	}
	size := 2 * e.word
	if s.Type == elf.SHT_RELA {
		size = 3 * e.word
	}
	records := e.inFile(s.Offset, s.FileSize)
	for ; len(records) >= size && e.take(); records = records[size:] {
		info := number(records[e.word : 2*e.word])
		kind, symbol := uint32(info), info>>32
		if e.word == 4 {
			kind, symbol = uint32(info&0xff), info>>8
		}
		how, ok := known[kind]
		place := e.patch(base+number(records[:e.word]), how.width)
		if !ok || place == nil {
			continue
		}
		value := number(place)
		if s.Type == elf.SHT_RELA {
			value = number(records[2*e.word : size])
		}
		if !how.base {
			address, ok := symbols.address(symbol)
			if !ok {
				continue
			}
			value += address
		}
		put(place, value)
	}
}

// elfSymbols is a table of symbols.
type elfSymbols struct {
	file  *elfLayout
	table []byte
}

// symbols returns the table in a section; an empty one if the section has none.
func (e *elfLayout) symbols(section uint32) elfSymbols {
	if uint64(section) >= uint64(len(e.Sections)) {
		return elfSymbols{file: e}
	}
	s := e.Sections[section]
	if s.Type != elf.SHT_SYMTAB && s.Type != elf.SHT_DYNSYM {
		return elfSymbols{file: e}
	}
	return elfSymbols{e, e.inFile(s.Offset, s.FileSize)}
}

// address returns the address of a symbol that the file defines.
func (t elfSymbols) address(index uint64) (uint64, bool) {
	size, inSection, value := elf.Sym64Size, 6, 8
	if t.file.word == 4 {
		size, inSection, value = elf.Sym32Size, 14, 4
	}
	if index >= uint64(len(t.table)/size) {
		return 0, false
	}
	record := t.table[index*uint64(size):][:size]
	section := uint64(record[inSection]) | uint64(record[inSection+1])<<8
	address := number(record[value : value+t.file.word])
	if t.file.Type != elf.ET_REL {
		return address, section != uint64(elf.SHN_UNDEF)
	}
	if section >= uint64(len(t.file.starts)) || t.file.starts[section] == 0 {
		return 0, false
	}
	return t.file.starts[section] + address, true
}
