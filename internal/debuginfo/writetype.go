package debuginfo

var plainShapes = map[Kind]int{Pointer: ofPointer, Reference: ofReference, Typedef: ofTypedef,
	Function: ofFunction, Void: ofVoid}

var qualifierShapes = map[string]int{"const": ofConst, "volatile": ofVolatile, "restrict": ofRestrict}

var keywordShapes = map[string]int{"struct": ofStruct, "class": ofClass, "union": ofUnion}

// typed writes the entry of a type.
func (u *unitWriter) typed(t *Type) {
	switch t.Kind {
	case Pointer, Reference, Typedef:
		u.entry(plainShapes[t.Kind], t.Name)
		u.refer(t.Elem)
	case Qualified:
		u.entry(qualifierShapes[t.Name], "")
		u.refer(t.Elem)
	case Function, Void:
		u.entry(plainShapes[t.Kind], t.Name)
	case Array:
		u.arrayType(t)
	case Struct:
		u.structType(t)
	case Enum:
		u.entry(ofEnum, t.Name)
		u.unsigned(t.Size)
		for _, v := range t.Values {
			u.entry(ofEnumerator, v.Name)
			u.signed(v.Value)
		}
		u.Info = append(u.Info, 0)
	default:
		u.entry(ofBase, t.Name)
		u.unsigned(t.Size)
		u.Info = append(u.Info, t.encodingByte())
	}
}

// encodingByte is the inverse of encoding.
func (t *Type) encodingByte() byte {
	switch t.Kind {
	case Bool:
		return 2
	case Float:
		return 4
	case Signed:
		return 5
	case Unsigned:
		return 7
	case Char:
		if t.Sign {
			return 6
		}
		return 8
	}
	return 0
}

func (u *unitWriter) arrayType(t *Type) {
	u.entry(ofArray, "")
	u.refer(t.Elem)
	if t.Count == 0 {
		u.entry(ofOpenDimension, "")
	} else {
		u.entry(ofDimension, "")
		u.unsigned(t.Count)
	}
	u.Info = append(u.Info, 0)
}

func (u *unitWriter) structType(t *Type) {
	u.entry(keywordShapes[t.Keyword], t.Name)
	u.unsigned(t.Size)
	for i := range t.Members {
		m := &t.Members[i]
		n := ofMember
		switch {
		case m.Bits > 0:
			n = ofBitField
		case m.Name == "" && m.Type != nil && m.Type.Kind == Struct && m.Type.Name != "":
			n = ofBaseClass
		}
		u.entry(n, m.Name)
		u.refer(m.Type)
		u.unsigned(m.Offset)
		if m.Bits > 0 {
			u.unsigned(uint64(m.Bits))
			u.unsigned(8*m.Type.Bytes() - uint64(m.Shift) - uint64(m.Bits))
		}
	}
	u.Info = append(u.Info, 0)
}

// signed writes a number of seven bits per byte; the last has its sign.
func (u *unitWriter) signed(v int64) {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			u.Info = append(u.Info, low)
			return
		}
		u.Info = append(u.Info, low|0x80)
	}
}
