package cubin

import (
	"encoding/binary"
	"slices"
	"strings"

	"jacquard/internal/debuginfo"
)

// Names and numbers of line tables, of DWARF 2. A table is a program: its instructions move an
// address and a line, and append rows.
const (
	sectionLines           = ".debug_line"
	sectionLineRelocations = ".rel.debug_line"

	lineCopy         = 1 // standard instructions
	lineAdvance      = 2
	lineAdvanceLine  = 3
	lineSetFile      = 4
	lineSetColumn    = 5
	lineConstAdvance = 8
	lineFixedAdvance = 9

	lineExtended   = 0
	lineEnd        = 1 // extended instructions
	lineSetAddress = 2

	// A special instruction moves the address and the line at once, and appends a row.
	lineFirstSpecial = 10
	lineBase         = -3 // the least movement of the line
	lineRange        = 12 // movements of the line
	lineUnit         = 4  // bytes that the address moves by

	relocationAddress64 = 2 // 64-bit absolute address
)

// lineOperands are the numbers of operands of the standard instructions from 1 on.
var lineOperands = [lineFirstSpecial - 1]byte{0, 1, 1, 1, 1, 0, 0, 0, 1}

// lines writes the line table of all kernels that have one, with one sequence per kernel. It returns
// the numbers of the files.
func (w *elfWriter) lines() (files map[string]int) {
	described := func(k Kernel) bool { return len(k.Lines) > 0 || w.wide && k.Debug != nil }
	if !slices.ContainsFunc(w.img.Kernels, described) {
		return nil
	}
	t := &lineWriter{elfWriter: w, files: map[string]int{}}
	t.header()
	for i := range w.img.Kernels {
		if len(w.img.Kernels[i].Lines) > 0 {
			t.kernel(i)
		}
	}
	binary.LittleEndian.PutUint32(t.data, uint32(len(t.data)-4))
	number := len(w.sections)
	w.add(outSection{name: sectionLines, kind: elfProgbits, data: t.data, align: 1})
	kind := relocationAddress
	if w.wide {
		kind = relocationAddress64
	}
	w.relocations(sectionLineRelocations, number, func() (b []byte) {
		for _, a := range t.addresses {
			b = w.relocation(b, a.place, w.number(w.ofKernel(a.kernel)), kind)
		}
		return b
	})
	return t.files
}

// lineWriter writes a line table.
type lineWriter struct {
	*elfWriter
	data      []byte
	files     map[string]int // their numbers, from 1
	addresses []lineAddress
}

// lineAddress is a place in the table that holds the address of a kernel.
type lineAddress struct{ place, kernel int }

// header writes the header: lengths, how instructions look, folders, files.
func (t *lineWriter) header() {
	le := binary.LittleEndian
	const lengths = 10 // bytes of the fields up to the header's own length
	t.data = le.AppendUint16(make([]byte, 4, 256), 2)
	t.data = le.AppendUint32(t.data, 0)
	base := lineBase
	t.data = append(t.data, lineUnit, 1, byte(base), lineRange, lineFirstSpecial)
	t.data = append(t.data, lineOperands[:]...)
	var folders []string
	var files []byte
	for _, path := range t.paths() {
		folder, name := splitPath(path)
		number := 0
		if folder != "" {
			if number = slices.Index(folders, folder) + 1; number == 0 {
				folders = append(folders, folder)
				number = len(folders)
			}
		}
		files = append(append(files, name...), 0)
		files = append(binary.AppendUvarint(files, uint64(number)), 0, 0) // no time, no size
	}
	for _, folder := range folders {
		t.data = append(append(t.data, folder...), 0)
	}
	t.data = append(append(append(t.data, 0), files...), 0)
	le.PutUint32(t.data[lengths-4:], uint32(len(t.data)-lengths))
}

// paths numbers the files in the order of their first use, those of lines first.
func (t *lineWriter) paths() (list []string) {
	add := func(path string) {
		if path != "" && t.files[path] == 0 {
			list = append(list, path)
			t.files[path] = len(list)
		}
	}
	for i := range t.img.Kernels {
		for _, l := range t.img.Kernels[i].Lines {
			add(l.File)
		}
	}
	for i := range t.img.Kernels {
		if d := t.img.Kernels[i].Debug; d != nil && t.wide {
			calls(d.Root, add)
		}
	}
	return list
}

// calls visits the files of the calls that are inlined.
func calls(s *debuginfo.Scope, visit func(path string)) {
	visit(s.Call.File)
	for _, inner := range s.Inner {
		calls(inner, visit)
	}
}

// splitPath returns the folder and the name of a path, such that both are joined by a slash. The
// folder is "" if it does not matter.
func splitPath(path string) (folder, name string) {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 || i == len(path)-1 || path[i-1] == '/' {
		return "", path
	}
	return path[:i], path[i+1:]
}

// kernel writes the sequence of a kernel.
func (t *lineWriter) kernel(i int) {
	k := &t.img.Kernels[i]
	wide := t.pick(4, 8)
	t.data = append(t.data, lineExtended, byte(wide+1), lineSetAddress)
	t.addresses = append(t.addresses, lineAddress{len(t.data), i})
	t.data = append(t.data, make([]byte, wide)...)
	at, file, line := uint32(0), 1, 1
	for _, l := range k.Lines {
		if number := t.files[l.File]; number != file {
			t.data = binary.AppendUvarint(append(t.data, lineSetFile), uint64(number))
			file = number
		}
		t.row((l.Offset-at)/lineUnit, l.Line-line)
		at, line = l.Offset, l.Line
	}
	t.data = binary.AppendUvarint(append(t.data, lineAdvance), uint64(len(k.Code))-uint64(at/lineUnit))
	t.data = append(t.data, lineExtended, 1, lineEnd)
}

// row moves the address by units and the line, and appends a row.
func (t *lineWriter) row(units uint32, line int) {
	if line < lineBase || line >= lineBase+lineRange {
		t.data = appendSigned(append(t.data, lineAdvanceLine), line)
		line = 0
	}
	const most = (0xff - lineFirstSpecial - (lineRange - 1)) / lineRange
	if units > most {
		t.data = binary.AppendUvarint(append(t.data, lineAdvance), uint64(units))
		units = 0
	}
	t.data = append(t.data, byte(lineFirstSpecial+line-lineBase+lineRange*int(units)))
}

// appendSigned appends a number of seven bits per byte, the lowest first; the last has its sign.
func appendSigned(b []byte, v int) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}
