package debuginfo

import (
	"debug/dwarf"
	"encoding/binary"
)

// Writer makes DWARF 2 of descriptions, a unit for each kernel, with addresses of 64 bits.
type Writer struct {
	Info, Ranges []byte
	Refs         []Ref
	// File returns the number of a path in the line table at the start of .debug_line.
	File func(path string) int
}

// Ref is a place in Info to which the address of a symbol is added: a kernel or a variable.
type Ref struct {
	Offset int
	Symbol string
}

// form is how an attribute is written.
type form byte

const (
	formAddress  form = 0x01
	formData4    form = 0x06
	formString   form = 0x08
	formBlock    form = 0x0a // at most 255 bytes
	formByte     form = 0x0b
	formSigned   form = 0x0d
	formUnsigned form = 0x0f
	formRef      form = 0x13 // 4 bytes, from the start of the unit
)

type attribute struct {
	name dwarf.Attr
	form form
}

// shape is a sort of entries.
type shape struct {
	tag      dwarf.Tag
	children bool
	list     []attribute
}

var (
	withName     = attribute{dwarf.AttrName, formString}
	withType     = attribute{dwarf.AttrType, formRef}
	withSize     = attribute{dwarf.AttrByteSize, formUnsigned}
	withRanges   = attribute{dwarf.AttrRanges, formData4}
	withLocation = []attribute{withName, withType, {dwarf.AttrAddrClass, formByte}, {dwarf.AttrLocation, formBlock}}
	withOffset   = attribute{dwarf.AttrDataMemberLoc, formUnsigned}
)

// The numbers of shapes.
const (
	ofUnit = 1 + iota
	ofKernel
	ofAbstract
	ofInlined
	ofBlock
	ofVariable
	ofParameter
	ofLostVariable
	ofLostParameter
	ofBase
	ofPointer
	ofReference
	ofArray
	ofDimension
	ofOpenDimension
	ofStruct
	ofClass
	ofUnion
	ofMember
	ofBitField
	ofBaseClass
	ofEnum
	ofEnumerator
	ofTypedef
	ofConst
	ofVolatile
	ofRestrict
	ofFunction
	ofVoid
)

var shapes = [...]shape{
	ofUnit: {dwarf.TagCompileUnit, true, []attribute{withName, {dwarf.AttrStmtList, formData4},
		{dwarf.AttrLowpc, formAddress}, {dwarf.AttrHighpc, formAddress}}},
	ofKernel: {dwarf.TagSubprogram, true, []attribute{withName,
		{dwarf.AttrLowpc, formAddress}, {dwarf.AttrHighpc, formAddress}}},
	ofAbstract: {dwarf.TagSubprogram, false, []attribute{withName, {dwarf.AttrInline, formByte}}},
	ofInlined: {dwarf.TagInlinedSubroutine, true, []attribute{{dwarf.AttrAbstractOrigin, formRef}, withRanges,
		{dwarf.AttrCallFile, formUnsigned}, {dwarf.AttrCallLine, formUnsigned}}},
	ofBlock:         {dwarf.TagLexDwarfBlock, true, []attribute{withRanges}},
	ofVariable:      {dwarf.TagVariable, false, withLocation},
	ofParameter:     {dwarf.TagFormalParameter, false, withLocation},
	ofLostVariable:  {dwarf.TagVariable, false, []attribute{withName, withType}},
	ofLostParameter: {dwarf.TagFormalParameter, false, []attribute{withName, withType}},
	ofBase:          {dwarf.TagBaseType, false, []attribute{withName, withSize, {dwarf.AttrEncoding, formByte}}},
	ofPointer:       {dwarf.TagPointerType, false, []attribute{withType}},
	ofReference:     {dwarf.TagReferenceType, false, []attribute{withType}},
	ofArray:         {dwarf.TagArrayType, true, []attribute{withType}},
	ofDimension:     {dwarf.TagSubrangeType, false, []attribute{{dwarf.AttrCount, formUnsigned}}},
	ofOpenDimension: {dwarf.TagSubrangeType, false, nil},
	ofStruct:        {dwarf.TagStructType, true, []attribute{withName, withSize}},
	ofClass:         {dwarf.TagClassType, true, []attribute{withName, withSize}},
	ofUnion:         {dwarf.TagUnionType, true, []attribute{withName, withSize}},
	ofMember:        {dwarf.TagMember, false, []attribute{withName, withType, withOffset}},
	ofBitField: {dwarf.TagMember, false, []attribute{withName, withType, withOffset,
		{dwarf.AttrBitSize, formUnsigned}, {dwarf.AttrBitOffset, formUnsigned}}},
	ofBaseClass:  {dwarf.TagInheritance, false, []attribute{withType, withOffset}},
	ofEnum:       {dwarf.TagEnumerationType, true, []attribute{withName, withSize}},
	ofEnumerator: {dwarf.TagEnumerator, false, []attribute{withName, {dwarf.AttrConstValue, formSigned}}},
	ofTypedef:    {dwarf.TagTypedef, false, []attribute{withName, withType}},
	ofConst:      {dwarf.TagConstType, false, []attribute{withType}},
	ofVolatile:   {dwarf.TagVolatileType, false, []attribute{withType}},
	ofRestrict:   {dwarf.TagRestrictType, false, []attribute{withType}},
	ofFunction:   {dwarf.TagSubroutineType, false, nil},
	ofVoid:       {dwarf.TagUnspecifiedType, false, []attribute{withName}},
}

// Abbrev returns the section that says how entries look.
func Abbrev() (b []byte) {
	for i, s := range shapes[1:] {
		b = binary.AppendUvarint(b, uint64(i+1))
		b = append(binary.AppendUvarint(b, uint64(s.tag)), flag(s.children))
		for _, a := range s.list {
			b = append(binary.AppendUvarint(b, uint64(a.name)), byte(a.form))
		}
		b = append(b, 0, 0)
	}
	return append(b, 0)
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// unitWriter writes a unit.
type unitWriter struct {
	*Writer
	start     int
	types     map[*Type]int // offsets in the unit
	waiting   []patch
	queue     []*Type
	functions map[string]int
}

// patch is a place that refers to a type.
type patch struct {
	at int
	to *Type
}

// Add appends the unit of a kernel with so many bytes of code.
func (w *Writer) Add(kernel string, code int, i *Info) {
	u := &unitWriter{Writer: w, start: len(w.Info), types: map[*Type]int{}, functions: map[string]int{}}
	le := binary.LittleEndian
	w.Info = append(le.AppendUint16(append(w.Info, 0, 0, 0, 0), 2), 0, 0, 0, 0, 8)
	u.entry(ofUnit, kernel)
	w.Info = le.AppendUint32(w.Info, 0) // the line table
	u.code(kernel, code)
	u.abstract(i.Root)
	u.entry(ofKernel, i.Root.Function)
	u.code(kernel, code)
	u.scope(i.Root)
	for _, v := range i.Globals {
		u.variable(v)
	}
	for len(u.queue) > 0 {
		t := u.queue[0]
		u.queue = u.queue[1:]
		u.types[t] = len(w.Info) - u.start
		u.typed(t)
	}
	w.Info = append(w.Info, 0)
	for _, p := range u.waiting {
		le.PutUint32(w.Info[p.at:], uint32(u.types[p.to]))
	}
	le.PutUint32(w.Info[u.start:], uint32(len(w.Info)-u.start-4))
}

// entry begins an entry. A name, if the shape has one, is its first attribute.
func (u *unitWriter) entry(n int, name string) {
	u.unsigned(uint64(n))
	if list := shapes[n].list; len(list) > 0 && list[0] == withName {
		u.Info = append(append(u.Info, name...), 0)
	}
}

func (u *unitWriter) unsigned(v uint64) { u.Info = binary.AppendUvarint(u.Info, v) }

func (u *unitWriter) word(v int) { u.Info = binary.LittleEndian.AppendUint32(u.Info, uint32(v)) }

// code writes where the code of a kernel begins and ends.
func (u *unitWriter) code(kernel string, size int) {
	for _, at := range []int{0, size} {
		u.Refs = append(u.Refs, Ref{len(u.Info), kernel})
		u.Info = binary.LittleEndian.AppendUint64(u.Info, uint64(at))
	}
}

// abstract writes the functions that are inlined.
func (u *unitWriter) abstract(s *Scope) {
	for _, inner := range s.Inner {
		if name := inner.Function; name != "" && u.functions[name] == 0 {
			u.functions[name] = len(u.Info) - u.start
			u.entry(ofAbstract, name)
			u.Info = append(u.Info, 1)
		}
		u.abstract(inner)
	}
}

// scope writes the contents of a scope and ends it.
func (u *unitWriter) scope(s *Scope) {
	for _, v := range s.Variables {
		u.variable(v)
	}
	for _, inner := range s.Inner {
		if inner.Function == "" {
			u.entry(ofBlock, "")
			u.ranges(inner.Ranges)
		} else {
			u.entry(ofInlined, "")
			u.word(u.functions[inner.Function])
			u.ranges(inner.Ranges)
			u.unsigned(uint64(u.File(inner.Call.File)))
			u.unsigned(uint64(inner.Call.Line))
		}
		u.scope(inner)
	}
	u.Info = append(u.Info, 0)
}

// ranges writes a list of ranges and refers to it.
func (u *unitWriter) ranges(list []Range) {
	u.word(len(u.Ranges))
	for _, r := range append(list[:len(list):len(list)], Range{}) {
		u.Ranges = binary.LittleEndian.AppendUint64(u.Ranges, r.From)
		u.Ranges = binary.LittleEndian.AppendUint64(u.Ranges, r.To)
	}
}

// classes are the address classes of spaces.
var classes = map[Space]byte{Const: 4, Global: 5, Local: 6, Shared: 8, Generic: 12, Register: 2}

func (u *unitWriter) variable(v *Variable) {
	n := ofVariable
	if v.Param {
		n = ofParameter
	}
	if v.Place.Space == Nowhere {
		n += ofLostVariable - ofVariable
	}
	u.entry(n, v.Name)
	u.refer(v.Type)
	if v.Place.Space == Nowhere {
		return
	}
	u.Info = append(u.Info, classes[v.Place.Space])
	if v.Place.Space == Register {
		expression := binary.AppendUvarint([]byte{0x90}, v.Place.Offset)
		u.Info = append(append(u.Info, byte(len(expression))), expression...)
		return
	}
	address, rest := v.Place.Offset, []byte(nil)
	if v.Place.Symbol != "" {
		address = 0
		u.Refs = append(u.Refs, Ref{len(u.Info) + 2, v.Place.Symbol})
		if v.Place.Offset > 0 {
			rest = binary.AppendUvarint([]byte{0x23}, v.Place.Offset)
		}
	}
	u.Info = append(u.Info, byte(9+len(rest)), 0x03)
	u.Info = append(binary.LittleEndian.AppendUint64(u.Info, address), rest...)
}

// refer refers to a type.
func (u *unitWriter) refer(t *Type) {
	if t == nil {
		t = void
	}
	if _, ok := u.types[t]; !ok {
		u.types[t] = 0
		u.queue = append(u.queue, t)
	}
	u.waiting = append(u.waiting, patch{len(u.Info), t})
	u.word(0)
}

// void is what nil stands for.
var void = &Type{Kind: Void, Name: "void"}
