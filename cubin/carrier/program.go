package carrier

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"math"
	"sort"

	"jacquard/cubin"
)

// program is a host file, laid out in memory as far as the file says how.
type program struct {
	data     []byte
	word     int // bytes per pointer; 0 if the file is no ELF program
	segments []segment
	sections []*elf.SectionHeader
}

// segment is a part of the file that is loaded at an address.
type segment struct {
	address uint64
	size    uint64
	offset  uint64
	data    []byte // of the file, relocated; zeros follow up to size
}

// newProgram lays out data. A defect in an ELF file only means that fewer modules are found.
func newProgram(data []byte) *program {
	p := &program{data: data}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return p
	}
	p.word = 8
	if f.Class == elf.ELFCLASS32 {
		p.word = 4
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NULL && s.Type != elf.SHT_NOBITS {
			p.sections = append(p.sections, &s.SectionHeader)
		}
	}
	size := uint64(len(data))
	for _, s := range f.Progs {
		if s.Type == elf.PT_LOAD && s.Off <= size && s.Filesz <= size-s.Off {
			p.segments = append(p.segments, segment{s.Vaddr, max(s.Memsz, s.Filesz), s.Off, bytes.Clone(data[s.Off : s.Off+s.Filesz])})
		}
	}
	sort.Slice(p.segments, func(i, j int) bool { return p.segments[i].address < p.segments[j].address })
	p.relocate(f)
	return p
}

// relocate stores the pointers of a position-independent 64-bit program from its relocations. A
// 32-bit program has its pointers in place.
func (p *program) relocate(f *elf.File) {
	if f.Machine != elf.EM_X86_64 {
		return
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		records, err := s.Data()
		if err != nil {
			continue
		}
		for ; len(records) >= 24; records = records[24:] {
			le := binary.LittleEndian
			if elf.R_X86_64(uint32(le.Uint64(records[8:]))) == elf.R_X86_64_RELATIVE {
				if s, offset := p.at(le.Uint64(records)); s != nil && offset < uint64(len(s.data)) {
					copy(s.data[offset:], records[16:24])
				}
			}
		}
	}
}

// at returns the segment of an address and the offset in it, or nil.
func (p *program) at(address uint64) (*segment, uint64) {
	i := sort.Search(len(p.segments), func(i int) bool { return p.segments[i].address > address }) - 1
	if i < 0 || address-p.segments[i].address >= p.segments[i].size {
		return nil, 0
	}
	return &p.segments[i], address - p.segments[i].address
}

// ReadAt reads the program's memory as it is before the program starts.
func (p *program) ReadAt(b []byte, address int64) (int, error) {
	n := 0
	if s, offset := p.at(uint64(address)); s != nil {
		n = int(min(s.size-offset, uint64(len(b))))
		clear(b[:n])
		copy(b[:n], s.data[min(offset, uint64(len(s.data))):])
	}
	if n < len(b) {
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

// module returns the module whose magic number is at offset of the file, or nil if no module
// follows.
func (p *program) module(offset int) *cubin.Contents {
	memory, at := cubin.Memory{ReaderAt: bytes.NewReader(p.data), Word: 8}, uint64(offset)
	if bytes.HasPrefix(p.data[offset:], magics[1]) {
		if at = p.address(at); at == math.MaxUint64 {
			return nil
		}
		memory = cubin.Memory{ReaderAt: p, Word: p.word}
	}
	contents, err := cubin.Open(memory, at)
	if err != nil || len(contents.Entries) == 0 {
		return nil
	}
	return contents
}

// address returns the address of the file's byte at offset, or the highest number if it is not
// loaded.
func (p *program) address(offset uint64) uint64 {
	for _, s := range p.segments {
		if offset >= s.offset && offset-s.offset < uint64(len(s.data)) {
			return s.address + offset - s.offset
		}
	}
	return math.MaxUint64
}

// section returns the name of the section that holds the file's byte at offset.
func (p *program) section(offset int) string {
	for _, s := range p.sections {
		if uint64(offset) >= s.Offset && uint64(offset)-s.Offset < s.FileSize {
			return s.Name
		}
	}
	return ""
}
