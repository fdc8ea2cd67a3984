package callers

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"slices"
	"strings"

	"jacquard/simt/check"
)

// file is a file of code with its symbols and its debug information. All but segments may be absent.
type file struct {
	segments  []elf.ProgHeader
	functions []elf.Symbol // by address
	debug     *dwarf.Data
}

// open reads a file of code. A file that cannot be read has nothing.
func open(path string) *file {
	f := &file{}
	e, err := elf.Open(path)
	if err != nil {
		return f
	}
	defer e.Close()
	for _, p := range e.Progs {
		if p.Type == elf.PT_LOAD {
			f.segments = append(f.segments, p.ProgHeader)
		}
	}
	symbols, err := e.Symbols()
	if err != nil { // stripped
		symbols, _ = e.DynamicSymbols()
	}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 {
			f.functions = append(f.functions, s)
		}
	}
	slices.SortStableFunc(f.functions, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	f.debug, _ = e.DWARF()
	return f
}

// address returns the address in the file's own numbers of the byte at an offset.
func (f *file) address(offset uint64) (uint64, bool) {
	for _, s := range f.segments {
		if offset >= s.Off && offset-s.Off < s.Filesz {
			return s.Vaddr + offset - s.Off, true
		}
	}
	return 0, false
}

// symbol returns the name of the function at an address, "" if it is not known.
func (f *file) symbol(address uint64) string {
	at, found := slices.BinarySearchFunc(f.functions, address, func(s elf.Symbol, a uint64) int { return cmp.Compare(s.Value, a) })
	if !found {
		at--
	}
	if at < 0 {
		return ""
	}
	if s := f.functions[at]; s.Size == 0 || address-s.Value < s.Size {
		return s.Name
	}
	return ""
}

// frames returns the functions at an address with their lines, innermost first: the function of the
// code, and before it those that the compiler put into it. There are none without a line.
func (f *file) frames(address uint64) []check.Frame {
	if f.debug == nil {
		return nil
	}
	r := f.debug.Reader()
	unit, err := r.SeekPC(address)
	if err != nil {
		return nil
	}
	lines, err := f.debug.LineReader(unit)
	if err != nil || lines == nil {
		return nil
	}
	line, ok := lineAt(lines, address)
	if !ok || line.File == nil {
		return nil
	}
	at := check.Frame{File: line.File.Name, Line: line.Line}
	var list []check.Frame
	for _, e := range slices.Backward(f.around(r, address)) {
		at.Function = f.name(e)
		list = append(list, at)
		at = check.Frame{}
		if e.Tag == dwarf.TagInlinedSubroutine {
			number, _ := e.Val(dwarf.AttrCallFile).(int64)
			row, _ := e.Val(dwarf.AttrCallLine).(int64)
			if files := lines.Files(); number >= 0 && number < int64(len(files)) && files[number] != nil {
				at.File, at.Line = files[number].Name, int(row)
			}
		}
	}
	if list == nil {
		list = []check.Frame{at}
	}
	return list
}

// lineAt returns the row of a line table for an address. Its parts come in any order, which
// LineReader.SeekPC does not expect.
func lineAt(lines *dwarf.LineReader, address uint64) (line dwarf.LineEntry, ok bool) {
	for first := true; ; first = false {
		var next dwarf.LineEntry
		if lines.Next(&next) != nil {
			return line, false
		}
		if !first && !line.EndSequence && line.Address <= address && address < next.Address {
			return line, true
		}
		line = next
	}
}

// around returns the functions that hold an address, outermost first: one with code of its own, and
// those that are part of it. The reader stands behind the entry of a unit.
func (f *file) around(r *dwarf.Reader, address uint64) (list []*dwarf.Entry) {
	for depth := 1; depth > 0; {
		e, err := r.Next()
		if e == nil || err != nil {
			break
		}
		enter := false
		switch e.Tag {
		case 0:
			depth--
			continue
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine:
			if enter = f.holds(e, address); enter {
				list = append(list, e)
			}
		case dwarf.TagLexDwarfBlock:
			enter = len(list) > 0 && f.holds(e, address)
		case dwarf.TagNamespace, dwarf.TagStructType, dwarf.TagClassType:
			enter = len(list) == 0
		}
		switch {
		case e.Children && enter:
			depth++
		case e.Children:
			r.SkipChildren()
		}
	}
	return list
}

// holds reports whether the code of an entry has an address.
func (f *file) holds(e *dwarf.Entry, address uint64) bool {
	ranges, err := f.debug.Ranges(e)
	return err == nil && slices.ContainsFunc(ranges, func(r [2]uint64) bool { return address >= r[0] && address < r[1] })
}

// name returns the name of a function, which may stand at its declaration. A stub has its kernel's
// name, and is told by its symbol.
func (f *file) name(e *dwarf.Entry) string {
	const most = 4 // an inlined function, its definition, its declaration
	for range most {
		if symbol, ok := e.Val(dwarf.AttrLinkageName).(string); ok && strings.Contains(symbol, stub) {
			return symbol
		}
		if name, ok := e.Val(dwarf.AttrName).(string); ok {
			return name
		}
		to, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			to, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			return ""
		}
		r := f.debug.Reader()
		r.Seek(to)
		next, err := r.Next()
		if next == nil || err != nil {
			return ""
		}
		e = next
	}
	return ""
}
