package cubin

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// The standard library's reader of ELF files does not serve here. It copies a name for every
// section and symbol that points at it, so a small hostile file takes gigabytes. It also needs a
// file, and an image in memory has no known end.

// ELFError describes a mistake in an ELF cubin.
type ELFError struct {
	Section string // "" if the error concerns the whole file
	Problem string
}

// Error names the section and the problem.
func (e *ELFError) Error() string {
	if e.Section == "" {
		return "ELF cubin: " + e.Problem
	}
	return fmt.Sprintf("ELF cubin: section %s: %s", e.Section, e.Problem)
}

func elfErrorf(section, format string, args ...any) error {
	return &ELFError{section, fmt.Sprintf(format, args...)}
}

// Values in the ELF headers of cubins.
const (
	elfMachine = 190

	elfNobits = 8 // section types
	elfRel    = 9
	elfRela   = 4
	elfSymtab = 2

	elfHeader32, elfHeader64   = 52, 64
	elfSection32, elfSection64 = 40, 64
	elfSymbol32, elfSymbol64   = 16, 24
	elfRel32, elfRel64         = 8, 16

	maxName = 4096 // bytes of a name; the longest seen has 441
)

// elfHeader holds the fields of the file header that matter here.
type elfHeader struct {
	wide     bool // class 2: fields of 64 bits
	abi      byte
	machine  uint16
	flags    uint32
	table    uint64 // offset of the section headers
	entry    int    // bytes per section header
	sections int
	names    int // number of the section that holds the section names
	end      uint64
}

// elfLayout reads a file header; 64 bytes of it suffice.
func elfLayout(b []byte) (elfHeader, error) {
	var h elfHeader
	le := binary.LittleEndian
	if len(b) < elfHeader32 || string(b[:4]) != magicELF {
		return h, elfErrorf("", "the header is cut off")
	}
	switch {
	case b[4] != 1 && b[4] != 2:
		return h, elfErrorf("", "class %d is neither 32-bit nor 64-bit", b[4])
	case b[5] != 1:
		return h, elfErrorf("", "it is not little-endian")
	}
	h.wide, h.abi, h.machine = b[4] == 2, b[8], le.Uint16(b[18:])
	var programs uint64
	tail := b[36:]
	if h.wide {
		if len(b) < elfHeader64 {
			return h, elfErrorf("", "the header is cut off")
		}
		programs, h.table, tail = le.Uint64(b[32:]), le.Uint64(b[40:]), b[48:]
	} else {
		programs, h.table = uint64(le.Uint32(b[28:])), uint64(le.Uint32(b[32:]))
	}
	h.flags = le.Uint32(tail)
	h.entry, h.sections, h.names = int(le.Uint16(tail[10:])), int(le.Uint16(tail[12:])), int(le.Uint16(tail[14:]))
	if h.sections > 0 && h.entry < h.sectionSize() {
		return h, elfErrorf("", "section headers of %d bytes", h.entry)
	}
	programs += uint64(le.Uint16(tail[6:])) * uint64(le.Uint16(tail[8:]))
	h.end = max(programs, h.table+uint64(h.entry)*uint64(h.sections))
	if programs > maxImage || h.table > maxImage {
		return h, elfErrorf("", "headers beyond 0x%x", maxImage)
	}
	return h, nil
}

// pointer returns the bytes of an address among parameters. The file has the class of its host, 32
// or 64 bits.
func (h *elfHeader) pointer() int {
	if h.wide {
		return 8
	}
	return 4
}

func (h *elfHeader) sectionSize() int {
	if h.wide {
		return elfSection64
	}
	return elfSection32
}

// arch returns the number of the architecture: 13 for sm_13.
func (h *elfHeader) arch() int {
	if h.machine != elfMachine {
		return 0
	}
	if h.abi >= 8 {
		// Unverified: recalled from files of CUDA 13; none of them is for sm_1x.
		return int(h.flags >> 8 & 0xff)
	}
	return int(h.flags & 0xff)
}

// virtual returns the target of the PTX that the code was made of, 0 if that is the code's own.
func (h *elfHeader) virtual() int {
	v := int(h.flags >> virtualShift & maxVirtual)
	if h.machine != elfMachine || h.abi >= 8 || v == h.arch() {
		return 0
	}
	return v
}

// A file's flags have the target of the PTX above the architecture.
const (
	virtualShift = 16
	maxVirtual   = 0xff
)

// elfSection is a section header, with the section's content.
type elfSection struct {
	name       string
	kind       uint32
	link, info uint32
	flags      uint64
	offset     uint64
	size       uint64
	data       []byte // of size bytes, or nil if the section takes no space in the file
}

// section reads a section header. The second result is the offset of the section's name.
func (h *elfHeader) section(b []byte) (elfSection, uint32) {
	le := binary.LittleEndian
	s := elfSection{kind: le.Uint32(b[4:])}
	if h.wide {
		s.flags, s.offset, s.size = le.Uint64(b[8:]), le.Uint64(b[24:]), le.Uint64(b[32:])
		s.link, s.info = le.Uint32(b[40:]), le.Uint32(b[44:])
	} else {
		s.flags, s.offset, s.size = uint64(le.Uint32(b[8:])), uint64(le.Uint32(b[16:])), uint64(le.Uint32(b[20:]))
		s.link, s.info = le.Uint32(b[24:]), le.Uint32(b[28:])
	}
	return s, le.Uint32(b)
}

// inFile reports whether the section has content in the file.
func (s *elfSection) inFile() bool { return s.kind != 0 && s.kind != elfNobits }

// openELF measures the ELF file at address at of m by its headers.
func openELF(m Memory, at uint64) (*Contents, error) {
	start, err := m.start(at, elfHeader64)
	if err != nil {
		if start, err = m.start(at, elfHeader32); err != nil {
			return nil, err
		}
	}
	h, err := elfLayout(start)
	if err != nil {
		return nil, err
	}
	table, err := m.bytes("ELF section headers", at+h.table, uint64(h.entry)*uint64(h.sections))
	if err != nil {
		return nil, err
	}
	end := max(h.end, uint64(len(start)))
	for ; len(table) > 0; table = table[h.entry:] {
		if s, _ := h.section(table); s.inFile() {
			if s.offset > maxImage || s.size > maxImage {
				return nil, elfErrorf("", "a section of 0x%x bytes at 0x%x", s.size, s.offset)
			}
			end = max(end, s.offset+s.size)
		}
	}
	data, err := m.bytes("ELF cubin", at, end)
	if err != nil {
		return nil, err
	}
	e := Entry{Container: ELF, Arch: h.arch(), stored: data}
	return &Contents{Container: ELF, Entries: []Entry{e}, Size: len(data)}, nil
}

// elfFile is an ELF file taken apart. Contents of sections are parts of data.
type elfFile struct {
	elfHeader
	data     []byte
	sections []elfSection
	symbols  []elfSymbol
}

// elfSymbol is a symbol. Its value is an offset in its section.
type elfSymbol struct {
	name    string
	kind    byte
	section int // 0 for none
	value   uint64
	size    uint64
}

// readELF takes data apart. The result refers to data.
func readELF(data []byte) (*elfFile, error) {
	h, err := elfLayout(data)
	if err != nil {
		return nil, err
	}
	f := &elfFile{elfHeader: h, data: data}
	size := uint64(len(data))
	if h.end > size {
		return nil, elfErrorf("", "the headers end at 0x%x, the file at 0x%x", h.end, size)
	}
	places := make([]uint32, h.sections)
	for i := range places {
		var s elfSection
		s, places[i] = h.section(data[h.table+uint64(i*h.entry):])
		if s.inFile() {
			if s.offset > size || s.size > size-s.offset {
				return nil, elfErrorf("", "section %d ends behind the file", i)
			}
			s.data = data[s.offset : s.offset+s.size : s.offset+s.size]
		}
		f.sections = append(f.sections, s)
	}
	if h.names < len(f.sections) {
		names := newNames(f.sections[h.names].data)
		for i := range f.sections {
			if f.sections[i].name, err = names.at(places[i]); err != nil {
				return nil, elfErrorf("", "the name of section %d %v", i, err)
			}
		}
	}
	return f, f.readSymbols()
}

// readSymbols fills in the symbols. Number 0 is the null symbol, as in the file.
func (f *elfFile) readSymbols() error {
	le := binary.LittleEndian
	for i := range f.sections {
		s := &f.sections[i]
		if s.kind != elfSymtab || f.symbols != nil {
			continue
		}
		if int64(s.link) >= int64(len(f.sections)) {
			return elfErrorf(s.name, "no section %d for its names", s.link)
		}
		names := newNames(f.sections[s.link].data)
		step := elfSymbol32
		if f.wide {
			step = elfSymbol64
		}
		for b := s.data; len(b) >= step; b = b[step:] {
			var y elfSymbol
			info, section := b[12], le.Uint16(b[14:])
			if f.wide {
				info, section = b[4], le.Uint16(b[6:])
				y.value, y.size = le.Uint64(b[8:]), le.Uint64(b[16:])
			} else {
				y.value, y.size = uint64(le.Uint32(b[4:])), uint64(le.Uint32(b[8:]))
			}
			y.kind = info & 15
			if int(section) < len(f.sections) {
				y.section = int(section)
			}
			var err error
			if y.name, err = names.at(le.Uint32(b)); err != nil {
				return elfErrorf(s.name, "the name of symbol %d %v", len(f.symbols), err)
			}
			f.symbols = append(f.symbols, y)
		}
	}
	return nil
}

// names is a table of NUL-terminated names. Names from it share its memory.
type names string

func newNames(data []byte) names { return names(data) }

func (n names) at(place uint32) (string, error) {
	if uint64(place) > uint64(len(n)) {
		return "", fmt.Errorf("is outside its table")
	}
	rest := string(n[place:])
	end := strings.IndexByte(rest[:min(len(rest), maxName)], 0)
	switch {
	case end >= 0:
		return rest[:end], nil
	case len(rest) == 0:
		return "", nil
	case len(rest) > maxName:
		return "", fmt.Errorf("has more than %d bytes", maxName)
	}
	return "", fmt.Errorf("does not end")
}

// within reports whether size bytes at offset lie within length bytes.
func within(offset, size, length uint64) bool { return offset <= length && size <= length-offset }
