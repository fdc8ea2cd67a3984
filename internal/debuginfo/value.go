package debuginfo

// Windows of spaces in generic addresses. They lie above all device memory.
const (
	WindowShared = 0xfd000000
	WindowLocal  = 0xfe000000
	WindowConst  = 0xff000000
	WindowSize   = 1 << 24
)

// Memory reads bytes of the memory of a thread. Symbols of places are names of variables.
type Memory interface {
	Read(at Place, size uint64) ([]byte, error)
}

// Value is a variable or a part of one. It may change with the memory.
type Value struct {
	Name  string // of the variable, the member or the element
	Type  *Type
	Place Place
	// Bits is how many bits a bit-field has, and Shift how many bits lie below; 0 for other values.
	Bits, Shift uint8
	data        []byte // of a value that lies in no memory
}

// Value returns the value of a variable.
func (v *Variable) Value() Value { return Value{Name: v.Name, Type: v.Type, Place: v.Place} }

// bytes reads the value, or the first bytes of it.
func (v Value) bytes(m Memory, most uint64) ([]byte, error) {
	size := v.Type.Bytes()
	switch {
	case size == 0:
		return nil, valueErrorf("%s has an unknown size", v.Type)
	case v.data != nil:
		return v.data, nil
	case v.Place.Space == Nowhere:
		return nil, valueErrorf("the compiler left %s out", v.Name)
	}
	size = min(size, most)
	b, err := m.Read(v.Place, size)
	if err == nil && uint64(len(b)) < size {
		err = valueErrorf("%s: %d bytes of %d can be read", v.Name, len(b), size)
	}
	return b, err
}

// Integer returns the value as an integer: of integers, letters, enumerations, truths and pointers.
func (v Value) Integer(m Memory) (int64, error) {
	t := v.Type.Under()
	switch t.Kind {
	case Bool, Char, Signed, Unsigned, Enum, Pointer, Reference:
	default:
		return 0, valueErrorf("%s is no integer but %s", v.Name, v.Type)
	}
	b, err := v.bytes(m, 8)
	if err != nil {
		return 0, err
	}
	n := number(b[:min(len(b), 8)])
	bits := 8 * min(len(b), 8)
	if v.Bits > 0 {
		n, bits = n>>v.Shift, int(v.Bits)
	}
	up := 64 - bits
	if t.Sign {
		return int64(n<<up) >> up, nil
	}
	return int64(n << up >> up), nil
}

// InSpace returns the place in its space of a generic address.
func InSpace(address uint64) Place {
	for _, w := range []struct {
		at    uint64
		space Space
	}{{WindowShared, Shared}, {WindowLocal, Local}, {WindowConst, Const}} {
		if address-w.at < WindowSize {
			return Place{Space: w.space, Offset: address - w.at}
		}
	}
	return Place{Space: Global, Offset: address}
}

// Deref returns what a pointer or a reference leads to.
func (v Value) Deref(m Memory) (Value, error) {
	t := v.Type.Under()
	if t.Kind == Array {
		return v.Index(m, 0)
	}
	if t.Kind != Pointer && t.Kind != Reference {
		return Value{}, valueErrorf("%s is no pointer but %s", v.Name, v.Type)
	}
	at, err := v.Integer(m)
	switch {
	case err != nil:
		return Value{}, err
	case at == 0:
		return Value{}, valueErrorf("%s is 0 and leads nowhere", v.Name)
	case t.Elem.Under().Kind == Void:
		return Value{}, valueErrorf("%s leads to void", v.Name)
	}
	return Value{Name: "*" + v.Name, Type: t.Elem, Place: InSpace(uint64(at))}, nil
}

// Index returns an element of an array, or of what a pointer leads to.
func (v Value) Index(m Memory, i int64) (Value, error) {
	t := v.Type.Under()
	start := v
	switch t.Kind {
	case Pointer:
		to, err := v.Deref(m)
		if err != nil {
			return Value{}, err
		}
		start = to
	case Array:
		if i < 0 || t.Count > 0 && uint64(i) >= t.Count {
			return Value{}, valueErrorf("%s has no element %d", v.Name, i)
		}
	default:
		return Value{}, valueErrorf("%s is no array but %s", v.Name, v.Type)
	}
	size := t.Elem.Bytes()
	if size == 0 {
		return Value{}, valueErrorf("%s has an unknown size", t.Elem)
	}
	return start.part(element(i), t.Elem, uint64(i)*size), nil
}

// Member returns a member of a structure, or of a structure that a pointer leads to; members of base
// classes and of members without a name are members, too.
func (v Value) Member(m Memory, name string) (Value, error) {
	if t := v.Type.Under(); t.Kind == Pointer || t.Kind == Reference {
		to, err := v.Deref(m)
		if err != nil {
			return Value{}, err
		}
		v = to
	}
	if found, ok := v.member(name, mostTypes); ok && name != "" {
		return found, nil
	}
	return Value{}, valueErrorf("%s has no member %s", v.Type, name)
}

func (v Value) member(name string, depth int) (Value, bool) {
	t := v.Type.Under()
	if t.Kind != Struct || depth == 0 {
		return Value{}, false
	}
	for i := range t.Members {
		if m := &t.Members[i]; m.Name == name {
			return v.memberAt(m), true
		} else if m.Name == "" {
			if found, ok := v.memberAt(m).member(name, depth-1); ok {
				return found, true
			}
		}
	}
	return Value{}, false
}

func (v Value) memberAt(m *Member) Value {
	p := v.part(m.Name, m.Type, m.Offset)
	p.Bits, p.Shift = m.Bits, m.Shift
	return p
}

// part returns a part of a value, some bytes from its start.
func (v Value) part(name string, t *Type, offset uint64) Value {
	p := Value{Name: name, Type: t, Place: v.Place}
	if v.data != nil {
		size := t.Bytes()
		if offset > uint64(len(v.data)) || size > uint64(len(v.data))-offset {
			p.Place = Place{}
			return p
		}
		p.data = v.data[offset : offset+size]
	}
	if p.Place.Space != Nowhere {
		p.Place.Offset += offset
	}
	return p
}

// Length returns how many children a value has: the members of a structure, the elements of an array,
// and what a pointer leads to.
func (v Value) Length() uint64 {
	switch t := v.Type.Under(); t.Kind {
	case Struct:
		return uint64(len(t.Members))
	case Array:
		return t.Count
	case Pointer, Reference:
		if to := t.Elem.Under().Kind; to != Void && to != Function {
			return 1
		}
	}
	return 0
}

// Child returns a child of a value.
func (v Value) Child(m Memory, i uint64) (Value, error) {
	t := v.Type.Under()
	switch {
	case i >= v.Length():
		return Value{}, valueErrorf("%s has no part %d", v.Name, i)
	case t.Kind == Struct:
		child := v.memberAt(&t.Members[i])
		if child.Name == "" {
			child.Name = child.Type.String()
		}
		return child, nil
	case t.Kind == Array:
		return v.Index(m, int64(i))
	}
	return v.Deref(m)
}
