package carrier

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// Machines of COFF and PE files. Some tools leave the machine of an object file with data alone
// unknown.
const (
	coffUnknown = 0
	coffI386    = 0x14c
	coffAMD64   = 0x8664
	coffARM64   = 0xaa64
)

// coffHeader is the common content of three headers: of COFF object files, of COFF files with many
// sections, and of PE files.
type coffHeader struct {
	machine  uint16
	sections uint32
	symbols  uint32 // offset of their table
	count    uint32 // of symbols
	record   uint32 // bytes of a symbol
	table    uint64 // offset of the section headers
}

const (
	coffHeaderSize  = 20
	coffSymbolSize  = 18
	bigHeaderSize   = 56 // of an object file with many sections (/bigobj)
	bigSymbolSize   = 20
	coffSectionSize = 40
	coffRelocation  = 10
)

var le = binary.LittleEndian

// readCOFF reads the header at an offset. It reports whether there is one.
func readCOFF(data []byte, at uint64) (h coffHeader, ok bool) {
	if at > uint64(len(data)) || uint64(len(data))-at < coffHeaderSize {
		return h, false
	}
	b := data[at:]
	if le.Uint16(b) == 0 && le.Uint16(b[2:]) == 0xffff && len(b) >= bigHeaderSize && le.Uint16(b[4:]) > 0 {
		return coffHeader{le.Uint16(b[6:]), le.Uint32(b[44:]), le.Uint32(b[48:]), le.Uint32(b[52:]), bigSymbolSize, at + bigHeaderSize}, true
	}
	options := uint64(le.Uint16(b[16:]))
	return coffHeader{le.Uint16(b), uint32(le.Uint16(b[2:])), le.Uint32(b[8:]), le.Uint32(b[12:]), coffSymbolSize,
		at + coffHeaderSize + options}, true
}

// isCOFF reports whether data is an object file of Windows. Such a file has no magic number, so all
// that its header says must hold.
func isCOFF(data []byte) bool {
	h, ok := readCOFF(data, 0)
	if !ok {
		return false
	}
	switch h.machine {
	case coffUnknown, coffI386, coffAMD64, coffARM64:
	default:
		return false
	}
	size := uint64(len(data))
	if h.record == coffSymbolSize && h.table != coffHeaderSize || h.sections == 0 || h.sections > 1<<20 ||
		h.table+coffSectionSize*uint64(h.sections) > size || uint64(h.symbols)+uint64(h.record)*uint64(h.count) > size {
		return false
	}
	for i := range uint64(h.sections) {
		s := readSection(data[h.table+coffSectionSize*i:])
		if s.offset != 0 && s.flags&coffZeros == 0 && uint64(s.offset)+uint64(s.size) > size {
			return false
		}
	}
	return true
}

// coffSection is a section header.
type coffSection struct {
	name                   []byte
	virtualSize, address   uint32
	size, offset           uint32 // in the file
	relocations, relocated uint32 // offset, and number
	flags                  uint32
}

const (
	coffZeros = 0x80       // the section is not in the file
	coffMany  = 0x01000000 // the number of relocations stands in the first
)

func readSection(b []byte) coffSection {
	return coffSection{bytes.TrimRight(b[:8], "\x00"), le.Uint32(b[8:]), le.Uint32(b[12:]), le.Uint32(b[16:]), le.Uint32(b[20:]),
		le.Uint32(b[24:]), uint32(le.Uint16(b[32:])), le.Uint32(b[36:])}
}

// layCOFF lays out an object file of Windows, with its sections one after the other.
func (l *layout) layCOFF() {
	h, ok := readCOFF(l.data, 0)
	if !ok {
		return
	}
	l.windows(h.machine)
	next := uint64(objectBase)
	var starts []uint64
	list := l.readSections(h)
	for _, s := range list {
		starts = append(starts, next)
		if s.flags&coffZeros != 0 {
			l.load(next, 0, 0, uint64(s.size))
		} else {
			l.load(next, uint64(s.offset), uint64(s.size), uint64(s.size))
		}
		next += (uint64(s.size)+objectGap-1)&^(objectGap-1) + objectGap
	}
	l.loaded()
	for i, s := range list {
		l.relocateCOFF(h, s, starts[i], starts)
	}
}

// readSections reads the section headers that are in the file.
func (l *layout) readSections(h coffHeader) (list []coffSection) {
	strings := uint64(h.symbols) + uint64(h.record)*uint64(h.count)
	for i := range uint64(h.sections) {
		b := l.inFile(h.table+coffSectionSize*i, coffSectionSize)
		if b == nil {
			break
		}
		s := readSection(b)
		list = append(list, s)
		if s.flags&coffZeros == 0 {
			l.sections = append(l.sections, section{l.sectionName(s.name, strings), uint64(s.offset), uint64(s.size)})
		}
	}
	return list
}

// longestName is the most bytes of a name in the table of strings.
const longestName = 256

// sectionName returns a section's name. One of more than eight bytes stands in the table of strings,
// and the header has a slash and its offset there.
func (l *layout) sectionName(name []byte, strings uint64) string {
	if len(name) < 2 || name[0] != '/' {
		return string(name)
	}
	offset, err := strconv.ParseUint(string(name[1:]), 10, 32)
	if err != nil || strings+offset >= uint64(len(l.data)) {
		return string(name)
	}
	text := l.data[strings+offset:]
	text, _, _ = bytes.Cut(text[:min(len(text), longestName+1)], []byte{0})
	if len(text) > longestName {
		return string(name)
	}
	return string(text)
}

// relocateCOFF applies the relocations of an object file's section that store an address. The place
// holds the addend.
func (l *layout) relocateCOFF(h coffHeader, s coffSection, base uint64, starts []uint64) {
	widths := map[uint16]map[uint16]int{coffAMD64: {1: 8, 2: 4}, coffI386: {6: 4}, coffARM64: {1: 4, 14: 8}}[h.machine]
	at, count := uint64(s.relocations), uint64(s.relocated)
	if first := l.inFile(at, coffRelocation); first != nil && s.flags&coffMany != 0 && count == 0xffff {
		count = uint64(le.Uint32(first))
	}
	for i := uint64(0); i < count && l.take(); i++ {
		record := l.inFile(at+i*coffRelocation, coffRelocation)
		if record == nil {
			return
		}
		width := widths[le.Uint16(record[8:])]
		address, ok := l.coffSymbol(h, le.Uint32(record[4:]), starts)
		place := l.patch(base+uint64(le.Uint32(record)-s.address), width)
		if width > 0 && ok && place != nil {
			put(place, number(place)+address)
		}
	}
}

// coffSymbol returns the address of a symbol that the file defines.
func (l *layout) coffSymbol(h coffHeader, index uint32, starts []uint64) (uint64, bool) {
	b := l.inFile(uint64(h.symbols)+uint64(h.record)*uint64(index), uint64(h.record))
	if b == nil || index >= h.count {
		return 0, false
	}
	number := int64(int16(le.Uint16(b[12:])))
	if h.record == bigSymbolSize {
		number = int64(int32(le.Uint32(b[12:])))
	}
	if number < 1 || number > int64(len(starts)) {
		return 0, false
	}
	return starts[number-1] + uint64(le.Uint32(b[8:])), true
}

// layPE lays out a program or library of Windows. Its pointers are in place for the address that it
// asks for.
func (l *layout) layPE() {
	start := l.inFile(0x3c, 4)
	if start == nil {
		return
	}
	at := uint64(le.Uint32(start))
	signature := l.inFile(at, 4)
	h, ok := readCOFF(l.data, at+4)
	if !ok || string(signature) != "PE\x00\x00" || h.record != coffSymbolSize {
		return
	}
	optional := l.inFile(at+4+coffHeaderSize, 32)
	if optional == nil {
		return
	}
	l.windows(h.machine)
	base := uint64(le.Uint32(optional[28:]))
	if le.Uint16(optional) == 0x20b { // PE32+
		base = le.Uint64(optional[24:])
	}
	for _, s := range l.readSections(h) {
		l.load(base+uint64(s.address), uint64(s.offset), uint64(s.size), uint64(s.virtualSize))
	}
	l.loaded()
}

// windows sets the widths of a machine's types: unsigned long has 32 bits.
func (l *layout) windows(machine uint16) {
	l.word, l.long = 8, 4
	if machine == coffI386 {
		l.word = 4
	}
}
