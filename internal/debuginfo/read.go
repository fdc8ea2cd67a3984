package debuginfo

import (
	"cmp"
	"debug/dwarf"
	"slices"
)

// Sections are the sections that hold the description, and what their numbers stand for.
type Sections struct {
	Abbrev, Info, Ranges, Str []byte
	// File returns the path of a file's number in the line table at an offset of .debug_line; "" for
	// an unknown one.
	File func(table int64, number int64) string
	// Symbol returns the variable at an address, and how many bytes are between.
	Symbol func(address uint64) (name string, offset uint64, ok bool)
}

// Unit is a translation unit. Roots are its functions with code.
type Unit struct {
	Roots   []*Scope
	Globals []*Variable
}

// Limits of a description.
const (
	mostNested = 256
	mostParts  = 1 << 20 // entries that are read
)

// Read reads the units. The error is an [*Error].
func Read(s Sections) ([]Unit, error) {
	d, err := dwarf.New(s.Abbrev, nil, nil, s.Info, nil, nil, s.Ranges, s.Str)
	if err != nil {
		return nil, &Error{Problem: err.Error()}
	}
	r := &reader{Sections: s, data: d, types: map[dwarf.Offset]*Type{}, in: d.Reader()}
	var units []Unit
	for r.err == nil {
		e, err := r.in.Next()
		if err != nil {
			return nil, &Error{uint64(r.at), err.Error()}
		}
		if e == nil {
			break
		}
		if r.count(e); e.Tag != dwarf.TagCompileUnit {
			r.skip(e, 0)
			continue
		}
		r.unit = Unit{}
		r.lines, _ = e.Val(dwarf.AttrStmtList).(int64)
		r.each(e, 0, r.topLevel)
		units = append(units, r.unit)
	}
	if r.err != nil {
		return nil, r.err
	}
	return units, nil
}

// reader reads entries. After an error, nothing more is read.
type reader struct {
	Sections
	data  *dwarf.Data
	in    *dwarf.Reader
	at    dwarf.Offset
	lines int64 // offset of the unit's line table
	unit  Unit
	types map[dwarf.Offset]*Type
	parts int
	err   error
}

func (r *reader) fail(at dwarf.Offset, problem string) {
	if r.err == nil {
		r.err = &Error{uint64(at), problem}
	}
}

// count bounds the entries: a file may lead back to earlier ones.
func (r *reader) count(e *dwarf.Entry) {
	if r.parts++; r.parts > mostParts {
		r.fail(e.Offset, "too many entries")
	}
}

// each calls do for the children of an entry that was read last. do reads or skips their children.
func (r *reader) each(e *dwarf.Entry, depth int, do func(e *dwarf.Entry, depth int)) {
	if !e.Children {
		return
	}
	if depth > mostNested {
		r.fail(e.Offset, "entries are nested too deep")
	}
	for r.err == nil {
		child, err := r.in.Next()
		switch {
		case err != nil:
			r.fail(e.Offset, err.Error())
		case child == nil:
			r.fail(e.Offset, "the list of its parts does not end")
		case child.Tag == 0:
			return
		default:
			r.count(child)
			do(child, depth+1)
		}
	}
}

// elsewhere reads the entry at an offset by do, and returns to where the reader was.
func (r *reader) elsewhere(at dwarf.Offset, do func(e *dwarf.Entry)) {
	if r.err != nil {
		return
	}
	before := r.in
	defer func() { r.in = before }()
	r.in = r.data.Reader()
	r.in.Seek(at)
	e, err := r.in.Next()
	switch {
	case err != nil:
		r.fail(at, err.Error())
	case e == nil || e.Tag == 0:
		r.fail(at, "no entry is there")
	default:
		do(e)
	}
}

// topLevel reads what a unit or a namespace declares.
func (r *reader) topLevel(e *dwarf.Entry, depth int) {
	switch e.Tag {
	case dwarf.TagNamespace:
		r.each(e, depth, r.topLevel)
		return
	case dwarf.TagVariable:
		if v := r.variable(e); v.Place.Space != Nowhere && v.Name != "" {
			r.unit.Globals = append(r.unit.Globals, v)
		}
	case dwarf.TagSubprogram:
		if ranges := r.ranges(e); len(ranges) > 0 {
			s := &Scope{Function: r.name(e, mostTypes), Ranges: ranges}
			r.unit.Roots = append(r.unit.Roots, s)
			r.each(e, depth, r.inside(s))
			return
		}
	}
	r.skip(e, depth)
}

// skip goes behind the parts of an entry, one by one: the place that the entry gives for the next may
// be any.
func (r *reader) skip(e *dwarf.Entry, depth int) { r.each(e, depth, r.skip) }

// inside returns what reads the parts of a scope.
func (r *reader) inside(s *Scope) func(*dwarf.Entry, int) {
	return func(e *dwarf.Entry, depth int) {
		switch e.Tag {
		case dwarf.TagVariable, dwarf.TagFormalParameter:
			if v := r.variable(e); v.Name != "" {
				s.Variables = append(s.Variables, v)
			}
		case dwarf.TagLexDwarfBlock, dwarf.TagInlinedSubroutine:
			inner := &Scope{Ranges: r.ranges(e)}
			if e.Tag == dwarf.TagInlinedSubroutine {
				inner.Function = cmp.Or(r.name(e, mostTypes), "?")
				file, _ := e.Val(dwarf.AttrCallFile).(int64)
				line, _ := e.Val(dwarf.AttrCallLine).(int64)
				inner.Call = Line{r.File(r.lines, file), int(int32(line))}
			}
			if len(inner.Ranges) > 0 {
				s.Inner = append(s.Inner, inner)
				r.each(e, depth, r.inside(inner))
				return
			}
		}
		r.skip(e, depth)
	}
}

// ranges returns the code of an entry.
func (r *reader) ranges(e *dwarf.Entry) (list []Range) {
	if e.Val(dwarf.AttrLowpc) == nil && e.Val(dwarf.AttrRanges) == nil {
		return nil
	}
	pairs, err := r.data.Ranges(e)
	if err != nil {
		r.fail(e.Offset, err.Error())
	}
	r.parts += len(pairs)
	for _, p := range pairs {
		if p[0] < p[1] {
			list = append(list, Range{p[0], p[1]})
		}
	}
	return list
}

// name returns the name of an entry, or that of the one that it completes.
func (r *reader) name(e *dwarf.Entry, depth int) (name string) {
	name, _ = e.Val(dwarf.AttrName).(string)
	if of, ok := origin(e); ok && name == "" && depth > 0 {
		r.elsewhere(of, func(e *dwarf.Entry) { name = r.name(e, depth-1) })
	}
	return name
}

// origin returns the entry that an entry completes.
func origin(e *dwarf.Entry) (dwarf.Offset, bool) {
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if at, ok := e.Val(a).(dwarf.Offset); ok {
			return at, true
		}
	}
	return 0, false
}

// variable reads a variable or a parameter.
func (r *reader) variable(e *dwarf.Entry) *Variable {
	v := &Variable{Name: r.name(e, mostTypes), Param: e.Tag == dwarf.TagFormalParameter}
	v.Type = r.typeOf(e, mostTypes)
	if expression, ok := e.Val(dwarf.AttrLocation).([]byte); ok {
		class, _ := e.Val(dwarf.AttrAddrClass).(int64)
		v.Place = r.place(expression, class, r.in.AddressSize())
	}
	return v
}

// typeOf returns the type of an entry, or of the one that it completes.
func (r *reader) typeOf(e *dwarf.Entry, depth int) (t *Type) {
	if at, ok := e.Val(dwarf.AttrType).(dwarf.Offset); ok {
		return r.typeAt(at, 0)
	}
	if of, ok := origin(e); ok && depth > 0 {
		r.elsewhere(of, func(e *dwarf.Entry) { t = r.typeOf(e, depth-1) })
	}
	return t
}

// spaces are the spaces of NVIDIA's address classes.
var spaces = map[int64]Space{2: Register, 4: Const, 5: Global, 6: Local, 8: Shared, 12: Generic}

// place evaluates the expressions of compilers for devices: an address, or a register, and a number
// that is added. Any other is nowhere.
func (r *reader) place(b []byte, class int64, wide int) Place {
	const address, constant, plus, register = 0x03, 0x23, 0x22, 0x90
	p, known := Place{Space: spaces[class]}, false
	for len(b) > 0 {
		op := b[0]
		b = b[1:]
		switch {
		case op == address && !known && len(b) >= wide:
			at := number(b[:wide])
			b, known = b[wide:], true
			p.Offset = at
			if name, offset, ok := r.Symbol(at); ok {
				p.Symbol, p.Offset = name, offset
			}
			if p.Space == Nowhere {
				p.Space = Generic
			}
		case op == register && !known:
			p, known = Place{Space: Register}, true
			p.Offset, b = leb(b)
		case op == constant && known:
			var n uint64
			n, b = leb(b)
			p.Offset += n
		default:
			return Place{}
		}
	}
	if !known {
		return Place{}
	}
	return p
}

// number returns a number of any width, the lowest byte first.
func number(b []byte) (v uint64) {
	for _, c := range slices.Backward(b) {
		v = v<<8 | uint64(c)
	}
	return v
}

// leb reads a number of seven bits per byte.
func leb(b []byte) (v uint64, rest []byte) {
	for shift := 0; len(b) > 0; shift += 7 {
		c := b[0]
		b = b[1:]
		if shift < 64 {
			v |= uint64(c&0x7f) << shift
		}
		if c&0x80 == 0 {
			break
		}
	}
	return v, b
}
