package cubin

import "encoding/binary"

// Values of ELF headers that only the writer needs.
const (
	elfProgbits = 1
	elfStrtab   = 3

	elfProgram32, elfProgram64 = 32, 56

	segmentLoad   = 1
	segmentSelf   = 6
	segmentKernel = 0x60000000
	segmentCode   = 5 // flags: read, execute
	segmentData   = 6 // flags: read, write

	maxSections = 0xff00
)

// outSection is a section to write.
type outSection struct {
	name       string
	kind       uint32
	flags      uint64
	link, info uint32
	align      int
	entry      int // bytes per record
	data       []byte
	fill       func() []byte // makes data once all sections and symbols are there
	size       int           // of data, or of a section that is not in the file
	offset     int
	place      int // of the name
}

// outSymbol is a global symbol to write.
type outSymbol struct {
	name        string
	kind, other byte
	section     int
	value, size int
}

// outSegment is a program header over sections [from, to).
type outSegment struct {
	kind, flags uint32
	symbol      int // number among the global symbols, of a kernel
	from, to    int
}

// elfWriter collects sections, symbols and segments.
type elfWriter struct {
	img      *Image
	wide     bool
	sections []outSection
	symbols  []outSymbol // the global ones
	segments []outSegment
}

// Numbers of the first sections.
const (
	sectionNames = 1 + iota
	symbolNames
	symbolTable
)

// tables begins the list of sections.
func (w *elfWriter) tables() {
	w.add(outSection{})
	w.add(outSection{name: ".shstrtab", kind: elfStrtab, align: 1})
	w.add(outSection{name: ".strtab", kind: elfStrtab, align: 1})
	w.add(outSection{name: ".symtab", kind: elfSymtab, link: symbolNames, align: w.pick(4, 8), entry: w.pick(elfSymbol32, elfSymbol64)})
}

func (w *elfWriter) add(s outSection)     { w.sections = append(w.sections, s) }
func (w *elfWriter) symbol(y outSymbol)   { w.symbols = append(w.symbols, y) }
func (w *elfWriter) segment(s outSegment) { w.segments = append(w.segments, s) }

// number returns the number in the symbol table of a global symbol. Symbols of sections come
// first, each with the number of its section, so the number is known once all sections are added.
func (w *elfWriter) number(global int) int { return len(w.sections) + global }

// relocations adds the relocations of a section.
func (w *elfWriter) relocations(name string, of int, fill func() []byte) {
	w.add(outSection{name: name, kind: elfRel, link: symbolTable, info: uint32(of), align: 4, entry: w.pick(elfRel32, elfRel64), fill: fill})
}

// relocation appends a relocation record.
func (w *elfWriter) relocation(b []byte, offset, symbol, kind int) []byte {
	if w.wide {
		return w.words(b, uint64(offset), uint64(symbol)<<32|uint64(kind))
	}
	return w.words(b, uint64(offset), uint64(symbol)<<8|uint64(kind))
}

// file returns the file in the order of NVIDIA's compilers: header, section headers, contents,
// program headers.
func (w *elfWriter) file() ([]byte, error) {
	if len(w.sections) >= maxSections || 2*len(w.segments) >= maxSections {
		return nil, elfErrorf("", "%d sections", len(w.sections))
	}
	w.fill()
	header := w.pick(elfHeader32, elfHeader64)
	at := header + len(w.sections)*w.pick(elfSection32, elfSection64)
	for i := range w.sections {
		s := &w.sections[i]
		if s.kind == elfNobits {
			s.offset = at
			continue
		}
		s.size = len(s.data)
		if s.align > 0 {
			at = (at + s.align - 1) / s.align * s.align
		}
		s.offset = at
		at += s.size
	}
	at = (at + 7) &^ 7
	b := w.header(header, at)
	for i := range w.sections {
		b = w.sectionRecord(b, &w.sections[i])
	}
	for i := range w.sections {
		if s := &w.sections[i]; s.kind != elfNobits && s.size > 0 {
			b = lay(b, s.offset, s.size, s.data)
		}
	}
	b = lay(b, at, 0, nil)
	self := uint64((len(w.segments) + 1) * w.pick(elfProgram32, elfProgram64))
	b = w.programRecord(b, segmentSelf, segmentCode, uint64(at), self, self)
	for i := range w.segments {
		b = w.segmentRecord(b, &w.segments[i])
	}
	return b, nil
}

// fill makes the contents that depend on the numbers of symbols, and the symbol table.
func (w *elfWriter) fill() {
	for i := range w.sections {
		if s := &w.sections[i]; s.fill != nil {
			s.data = s.fill()
		}
	}
	names, table := []byte{0}, w.symbolRecord(nil, 0, &outSymbol{})
	for i := 1; i < len(w.sections); i++ {
		table = w.symbolRecord(table, 0, &outSymbol{kind: symbolSection, section: i})
	}
	for i := range w.symbols {
		table = w.symbolRecord(table, len(names), &w.symbols[i])
		names = append(append(names, w.symbols[i].name...), 0)
	}
	w.sections[symbolNames].data = names
	w.sections[symbolTable].data = table
	w.sections[symbolTable].info = uint32(len(w.sections)) // the first global symbol
	names = []byte{0}
	for i := 1; i < len(w.sections); i++ {
		w.sections[i].place = len(names)
		names = append(append(names, w.sections[i].name...), 0)
	}
	w.sections[sectionNames].data = names
}

func (w *elfWriter) pick(narrow, wide int) int {
	if w.wide {
		return wide
	}
	return narrow
}

// words appends fields, each as wide as the class has them.
func (w *elfWriter) words(b []byte, fields ...uint64) []byte {
	for _, f := range fields {
		if w.wide {
			b = binary.LittleEndian.AppendUint64(b, f)
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(f))
		}
	}
	return b
}

// unifiedTextures is the flag of files whose texture references are also samplers.
const unifiedTextures = 0x100

// header returns the file header, with program headers at an offset.
func (w *elfWriter) header(sections, programs int) []byte {
	le := binary.LittleEndian
	arch := uint32(10 + int(w.img.Arch))
	b := []byte{0x7f, 'E', 'L', 'F', byte(w.pick(1, 2)), 1, 1, 0x33, 2, 0, 0, 0, 0, 0, 0, 0}
	b = le.AppendUint16(b, 2) // an executable
	b = le.AppendUint16(b, elfMachine)
	b = le.AppendUint32(b, 1)
	b = w.words(b, 0, uint64(programs), uint64(sections))
	b = le.AppendUint32(b, arch|uint32(w.img.Target())<<virtualShift|unifiedTextures)
	for _, v := range []int{
		w.pick(elfHeader32, elfHeader64), w.pick(elfProgram32, elfProgram64), len(w.segments) + 1,
		w.pick(elfSection32, elfSection64), len(w.sections), sectionNames,
	} {
		b = le.AppendUint16(b, uint16(v))
	}
	return b
}

func (w *elfWriter) sectionRecord(b []byte, s *outSection) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(s.place))
	b = le.AppendUint32(b, s.kind)
	b = w.words(b, s.flags, 0, uint64(s.offset), uint64(s.size))
	b = le.AppendUint32(b, s.link)
	b = le.AppendUint32(b, s.info)
	return w.words(b, uint64(s.align), uint64(s.entry))
}

func (w *elfWriter) symbolRecord(b []byte, name int, y *outSymbol) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(name))
	if w.wide {
		b = le.AppendUint16(append(b, y.kind, y.other), uint16(y.section))
		return w.words(b, uint64(y.value), uint64(y.size))
	}
	b = w.words(b, uint64(y.value), uint64(y.size))
	return le.AppendUint16(append(b, y.kind, y.other), uint16(y.section))
}

// segmentRecord appends the program header of a segment. The header of a kernel's segment names
// its symbol.
func (w *elfWriter) segmentRecord(b []byte, s *outSegment) []byte {
	first := &w.sections[s.from]
	end, memory := first.offset, 0
	for i := s.from; i < s.to; i++ {
		if x := &w.sections[i]; x.kind == elfNobits {
			memory += x.size
		} else {
			end = x.offset + x.size
		}
	}
	flags := s.flags
	if s.kind == segmentKernel {
		flags |= uint32(w.number(s.symbol)) << 8
	}
	size := end - first.offset
	return w.programRecord(b, s.kind, flags, uint64(first.offset), uint64(size), uint64(size+memory))
}

func (w *elfWriter) programRecord(b []byte, kind, flags uint32, offset, size, memory uint64) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, kind)
	if w.wide {
		b = le.AppendUint32(b, flags)
		return w.words(b, offset, 0, 0, size, memory, 4)
	}
	b = w.words(b, offset, 0, 0, size, memory)
	b = le.AppendUint32(b, flags)
	return w.words(b, 4)
}
