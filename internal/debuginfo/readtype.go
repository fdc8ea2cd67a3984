package debuginfo

import (
	"debug/dwarf"
	"math"
)

// kinds are the kinds of types, by their entries.
var kinds = map[dwarf.Tag]Kind{
	dwarf.TagBaseType: Unknown, dwarf.TagPointerType: Pointer, dwarf.TagReferenceType: Reference,
	dwarf.TagRvalueReferenceType: Reference, dwarf.TagArrayType: Array, dwarf.TagStructType: Struct,
	dwarf.TagClassType: Struct, dwarf.TagUnionType: Struct, dwarf.TagEnumerationType: Enum,
	dwarf.TagTypedef: Typedef, dwarf.TagConstType: Qualified, dwarf.TagVolatileType: Qualified,
	dwarf.TagRestrictType: Qualified, dwarf.TagSubroutineType: Function, dwarf.TagUnspecifiedType: Void,
}

var qualifiers = map[dwarf.Tag]string{dwarf.TagConstType: "const", dwarf.TagVolatileType: "volatile", dwarf.TagRestrictType: "restrict"}

var keywords = map[dwarf.Tag]string{dwarf.TagStructType: "struct", dwarf.TagClassType: "class", dwarf.TagUnionType: "union"}

// typeAt returns the type at an offset. A type may be part of itself by way of a pointer.
func (r *reader) typeAt(at dwarf.Offset, depth int) *Type {
	if t, ok := r.types[at]; ok {
		return t
	}
	t := &Type{Kind: Unknown}
	r.types[at] = t
	if depth > mostNested {
		r.fail(at, "types are nested too deep")
	}
	r.elsewhere(at, func(e *dwarf.Entry) { r.readType(t, e, depth) })
	if t.Kind == Void {
		r.types[at], t = nil, nil
	}
	return t
}

func (r *reader) readType(t *Type, e *dwarf.Entry, depth int) {
	kind, ok := kinds[e.Tag]
	if !ok {
		return
	}
	t.Kind, t.Keyword = kind, keywords[e.Tag]
	t.Name, _ = e.Val(dwarf.AttrName).(string)
	size, _ := e.Val(dwarf.AttrByteSize).(int64)
	t.Size = uint64(max(size, 0))
	if of, ok := e.Val(dwarf.AttrType).(dwarf.Offset); ok && kind != Enum && kind != Function {
		t.Elem = r.typeAt(of, depth+1)
	}
	switch kind {
	case Pointer, Reference:
		t.Size = 0
	case Qualified:
		t.Name = qualifiers[e.Tag]
	case Unknown:
		t.encoding(e)
	case Array:
		r.array(t, e, depth)
	case Struct:
		r.each(e, depth, func(e *dwarf.Entry, depth int) { r.member(t, e, depth) })
	case Enum:
		r.each(e, depth, func(e *dwarf.Entry, depth int) { r.enumerator(t, e, depth) })
	}
}

// encoding sets the kind of a base type.
func (t *Type) encoding(e *dwarf.Entry) {
	encoding, _ := e.Val(dwarf.AttrEncoding).(int64)
	switch encoding {
	case 2:
		t.Kind = Bool
	case 4:
		t.Kind = Float
	case 5:
		t.Kind, t.Sign = Signed, true
	case 6:
		t.Kind, t.Sign = Char, true
	case 7:
		t.Kind = Unsigned
	case 8, 16:
		t.Kind = Char
	}
}

// array makes arrays of arrays of several dimensions.
func (r *reader) array(t *Type, e *dwarf.Entry, depth int) {
	var counts []uint64
	r.each(e, depth, func(e *dwarf.Entry, depth int) {
		count, _ := e.Val(dwarf.AttrCount).(int64)
		if upper, ok := e.Val(dwarf.AttrUpperBound).(int64); ok && upper < math.MaxInt64 {
			count = upper + 1
		}
		if e.Tag == dwarf.TagSubrangeType {
			counts = append(counts, uint64(max(count, 0)))
		}
		r.skip(e, depth)
	})
	if len(counts) > mostTypes {
		r.fail(e.Offset, "an array of too many dimensions")
		return
	}
	elem := t.Elem
	for i := len(counts) - 1; i > 0; i-- {
		elem = &Type{Kind: Array, Elem: elem, Count: counts[i]}
	}
	if t.Elem, t.Size = elem, 0; len(counts) > 0 {
		t.Count = counts[0]
	}
}

// member adds a member or a base class. Functions and static members are none.
func (r *reader) member(t *Type, e *dwarf.Entry, depth int) {
	defer r.skip(e, depth)
	if e.Tag != dwarf.TagMember && e.Tag != dwarf.TagInheritance || e.Val(dwarf.AttrExternal) != nil {
		return
	}
	m := Member{}
	m.Name, _ = e.Val(dwarf.AttrName).(string)
	if at, ok := e.Val(dwarf.AttrType).(dwarf.Offset); ok {
		m.Type = r.typeAt(at, depth+1)
	}
	switch at := e.Val(dwarf.AttrDataMemberLoc).(type) {
	case int64:
		m.Offset = uint64(at)
	case []byte:
		if len(at) > 1 && at[0] == 0x23 {
			m.Offset, _ = leb(at[1:])
		}
	}
	m.bitField(e)
	t.Members = append(t.Members, m)
}

// bitField reads the place of a bit-field: DWARF 2 counts bits from the highest of its storage.
func (m *Member) bitField(e *dwarf.Entry) {
	bits, ok := e.Val(dwarf.AttrBitSize).(int64)
	size := int64(m.Type.Bytes())
	if !ok || bits <= 0 || bits > 64 || size == 0 || size > 8 {
		return
	}
	shift := int64(-1)
	if from, ok := e.Val(dwarf.AttrBitOffset).(int64); ok {
		shift = 8*size - from - bits
	} else if from, ok := e.Val(dwarf.AttrDataBitOffset).(int64); ok && from >= 0 {
		m.Offset = uint64(from/8) / uint64(size) * uint64(size)
		shift = from - 8*int64(m.Offset)
	}
	if shift >= 0 && shift+bits <= 8*size {
		m.Bits, m.Shift = uint8(bits), uint8(shift)
	}
}

func (r *reader) enumerator(t *Type, e *dwarf.Entry, depth int) {
	defer r.skip(e, depth)
	name, _ := e.Val(dwarf.AttrName).(string)
	value, ok := e.Val(dwarf.AttrConstValue).(int64)
	if e.Tag == dwarf.TagEnumerator && ok {
		t.Values = append(t.Values, Enumerator{name, value})
		t.Sign = t.Sign || value < 0
	}
}
