package cubin

import (
	"encoding/binary"
	"slices"
	"strings"
)

// readLines reads the line table of the kernels, if there is one that can be read. As drivers do,
// it passes over a broken table: code runs without one.
func (m *elfModule) readLines() error {
	i := slices.IndexFunc(m.sections, func(s elfSection) bool { return s.name == sectionLines })
	if i < 0 {
		return nil
	}
	t := &lineReader{elfModule: m, reading: reading{data: m.sections[i].data}, relocated: m.lineAddresses(), names: map[string]string{}}
	for len(t.data) > t.at && !t.bad {
		at := int64(t.at)
		t.unit()
		if m.lineFiles == nil {
			m.lineFiles = map[int64][]string{}
		}
		m.lineFiles[at] = t.files
	}
	if t.bad {
		for i := range m.img.Kernels {
			m.img.Kernels[i].Lines = nil
		}
	}
	return nil
}

// lineAddresses returns the symbols whose addresses a line table holds, by offset in the table.
func (m *elfModule) lineAddresses() map[uint64]int {
	found := map[uint64]int{}
	le := binary.LittleEndian
	for _, s := range m.sections {
		if s.name != sectionLineRelocations && s.name != ".rela.debug_line" {
			continue
		}
		step := elfRel32
		if m.wide {
			step = elfRel64
		}
		gap := 0
		if s.kind == elfRela {
			gap = step / 2
		}
		for b := s.data; len(b) >= step+gap; b = b[step+gap:] {
			if m.wide {
				found[le.Uint64(b)] = int(le.Uint32(b[12:]))
			} else {
				found[uint64(le.Uint32(b))] = int(le.Uint32(b[4:]) >> 8)
			}
		}
	}
	return found
}

// lineReader runs the programs of a line table.
type lineReader struct {
	*elfModule
	reading
	relocated map[uint64]int
	names     map[string]string // each path once
	paths     int               // bytes of them
	lineHeader

	kernel     *Kernel
	address    uint64
	file, line int64
}

// lineHeader is the header of a unit.
type lineHeader struct {
	version    uint16
	step       int  // bytes that an address moves by
	base, span int  // of the movements of special instructions
	first      byte // special instruction
	operands   []byte
	folders    []string
	files      []string
}

// unit reads a header and runs the program after it.
func (t *lineReader) unit() {
	length := t.u32()
	if length == 0 {
		return // padding
	}
	if length > uint32(len(t.data)-t.at) {
		t.bad = true
		return
	}
	whole, end := t.data, t.at+int(length)
	t.data = t.data[:end]
	t.header()
	t.start()
	for !t.bad && t.at < end {
		t.instruction()
	}
	t.data = whole
}

// header reads the header of a unit up to its program.
func (t *lineReader) header() {
	if t.version = t.u16(); t.version < 2 || t.version > 4 {
		t.bad = true
	}
	length := t.u32()
	if t.bad || length > uint32(len(t.data)-t.at) {
		t.bad = true
		return
	}
	program := t.at + int(length)
	t.step = int(t.u8())
	if t.version == 4 {
		t.u8() // operations per instruction
	}
	t.u8() // whether rows are statements
	t.base, t.span, t.first = int(int8(t.u8())), int(t.u8()), t.u8()
	if t.span == 0 || t.first == 0 {
		t.bad = true
		return
	}
	t.operands = t.take(int(t.first) - 1)
	t.folders, t.files = nil, nil
	for folder := t.text(); folder != "" && !t.bad; folder = t.text() {
		t.folders = append(t.folders, folder)
	}
	for name := t.text(); name != "" && !t.bad; name = t.text() {
		t.named(name, t.unsigned())
		t.unsigned() // time
		t.unsigned() // size
	}
	t.bad = t.bad || t.at > program
	t.at = program
}

// named adds a file of the unit.
func (t *lineReader) named(name string, folder uint64) {
	if folder > uint64(len(t.folders)) {
		t.bad = true
		return
	}
	if folder > 0 && name[0] != '/' {
		name = t.folders[folder-1] + "/" + name
	}
	known, ok := t.names[name]
	if !ok {
		if t.paths += len(name); t.paths > maxPaths || len(name) >= maxName {
			t.bad = true
			return
		}
		known, t.names[name] = name, name
	}
	t.files = append(t.files, known)
}

// start begins a sequence. Without a relocation the code belongs to the only kernel.
func (t *lineReader) start() {
	t.kernel, t.address, t.file, t.line = nil, 0, 1, 1
	if len(t.img.Kernels) == 1 {
		t.kernel = &t.img.Kernels[0]
	}
}

// instruction runs one instruction.
func (t *lineReader) instruction() {
	op := t.u8()
	switch {
	case op >= t.first:
		special := int(op - t.first)
		t.address += uint64(special / t.span * t.step)
		t.line += int64(t.base + special%t.span)
		t.row()
	case op == lineExtended:
		t.extended()
	case op == lineCopy:
		t.row()
	case op == lineAdvance:
		t.address += t.unsigned() * uint64(t.step)
	case op == lineAdvanceLine:
		t.line += t.signed()
	case op == lineSetFile:
		t.file = int64(t.unsigned())
	case op == lineConstAdvance:
		t.address += uint64(int(0xff-t.first) / t.span * t.step)
	case op == lineFixedAdvance:
		t.address += uint64(t.u16())
	default: // nothing that matters here
		for range t.operands[op-1] {
			t.unsigned()
		}
	}
}

// extended runs an instruction that has its length.
func (t *lineReader) extended() {
	length := t.unsigned()
	if length == 0 || length > uint64(len(t.data)-t.at) {
		t.bad = true
		return
	}
	end := t.at + int(length)
	switch t.u8() {
	case lineEnd:
		t.start()
	case lineSetAddress:
		t.setAddress(end - t.at)
	}
	t.at = end
}

// setAddress makes the kernel of a relocation the current one. The operand has so many bytes.
func (t *lineReader) setAddress(size int) {
	symbol, ok := t.relocated[uint64(t.at)]
	switch size {
	case 4:
		t.address = uint64(t.u32())
	case 8:
		t.address = binary.LittleEndian.Uint64(t.take(8))
	}
	if !ok || symbol >= len(t.symbols) {
		return
	}
	y := &t.symbols[symbol]
	t.address += y.value
	t.kernel = nil
	if name, ok := strings.CutPrefix(t.sections[y.section].name, sectionText); ok {
		t.kernel = t.kernels[name]
	}
}

// row appends to the lines of the kernel. Of several rows for one place the last counts.
func (t *lineReader) row() {
	k := t.kernel
	if k == nil || t.address%4 != 0 || t.address >= uint64(4*len(k.Code)) {
		return
	}
	if t.file < 1 || t.file > int64(len(t.files)) || t.line < 0 || t.line > maxLine {
		t.bad = true
		return
	}
	row := Line{Offset: uint32(t.address), File: t.files[t.file-1], Line: int(t.line)}
	switch n := len(k.Lines); {
	case n == 0 || k.Lines[n-1].Offset < row.Offset:
		k.Lines = append(k.Lines, row)
	case k.Lines[n-1].Offset == row.Offset:
		k.Lines[n-1] = row
	}
}

// reading is data that is read from its start. Reading past the end gives zeros and sets bad.
type reading struct {
	data []byte
	at   int
	bad  bool
}

// take returns the next n bytes.
func (b *reading) take(n int) []byte {
	if n > len(b.data)-b.at {
		b.at, b.bad = len(b.data), true
		return make([]byte, n)
	}
	b.at += n
	return b.data[b.at-n : b.at]
}

func (b *reading) u8() byte    { return b.take(1)[0] }
func (b *reading) u16() uint16 { return binary.LittleEndian.Uint16(b.take(2)) }
func (b *reading) u32() uint32 { return binary.LittleEndian.Uint32(b.take(4)) }

// unsigned reads a number of seven bits per byte, the lowest first.
func (b *reading) unsigned() uint64 {
	v, n := binary.Uvarint(b.data[b.at:])
	if n <= 0 {
		b.at, b.bad = len(b.data), true
		return 0
	}
	b.at += n
	return v
}

// signed reads a number. The last byte holds its sign.
func (b *reading) signed() int64 {
	var v int64
	for shift := 0; shift < 64; shift += 7 {
		c := b.u8()
		v |= int64(c&0x7f) << shift
		if c&0x80 == 0 {
			if c&0x40 != 0 && shift+7 < 64 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	b.bad = true
	return 0
}

// text reads a string up to its NUL.
func (b *reading) text() string {
	rest := b.data[b.at:]
	end := slices.Index(rest[:min(len(rest), maxName)], 0)
	if end < 0 {
		b.at, b.bad = len(b.data), true
		return ""
	}
	b.at += end + 1
	return string(rest[:end])
}
