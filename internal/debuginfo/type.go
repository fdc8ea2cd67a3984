package debuginfo

import (
	"fmt"
	"strings"
)

// Kind is a kind of types.
type Kind uint8

// The kinds.
const (
	Void Kind = iota
	Bool
	Char // one byte that is a letter
	Signed
	Unsigned
	Float
	Pointer
	Reference
	Array
	Struct
	Enum
	Typedef
	Qualified // const, volatile or restrict
	Function
	Unknown
)

// Type is a type of the source. A nil Elem is void.
type Type struct {
	Kind Kind
	// Name is that of the source, "" for none; that of Qualified is its qualifier. A letter without
	// sign has Kind Char and Sign false.
	Name    string
	Size    uint64 // bytes; 0 where the kind says it, or for an incomplete type
	Sign    bool   // of Char and Enum
	Elem    *Type  // of Pointer, Reference, Array, Typedef, Qualified
	Count   uint64 // of Array: elements; 0 if they are unknown
	Members []Member
	Values  []Enumerator
	Keyword string // of Struct: struct, class or union
}

// Member is a member of a structure. A base class has no name.
type Member struct {
	Name   string
	Type   *Type
	Offset uint64
	// Bits is how many bits a bit-field has, and Shift how many bits of its Type lie below; 0 for
	// other members.
	Bits, Shift uint8
}

// Enumerator is a name for a number.
type Enumerator struct {
	Name  string
	Value int64
}

// mostTypes bounds chains of types, which a file may make a ring.
const mostTypes = 64

// Under returns the type behind names and qualifiers; never nil.
func (t *Type) Under() *Type {
	for range mostTypes {
		if t == nil {
			return &Type{}
		}
		if t.Kind != Typedef && t.Kind != Qualified {
			return t
		}
		t = t.Elem
	}
	return &Type{Kind: Unknown}
}

// pointerBytes is the size of an address in a program.
const pointerBytes = 8

// mostBytes bounds sizes: no memory has more, and those of a broken description may be any.
const mostBytes = 1 << 40

// Bytes returns the size of a value of the type, 0 if that is unknown.
func (t *Type) Bytes() uint64 { return t.bytes(mostTypes) }

func (t *Type) bytes(depth int) uint64 {
	u := t.Under()
	switch u.Kind {
	case Pointer, Reference:
		return pointerBytes
	case Array:
		if depth == 0 {
			return 0
		}
		each := u.Elem.bytes(depth - 1)
		if each == 0 || u.Count > mostBytes/each {
			return 0
		}
		return each * u.Count
	}
	if u.Size > mostBytes {
		return 0
	}
	return u.Size
}

// String returns the name of the type in C.
func (t *Type) String() string { return t.text(mostTypes) }

func (t *Type) text(depth int) string {
	switch {
	case t == nil || t.Kind == Void:
		return "void"
	case depth == 0:
		return "..."
	}
	of := func() string { return t.Elem.text(depth - 1) }
	switch t.Kind {
	case Pointer:
		return of() + star(t.Elem, "*")
	case Reference:
		return of() + star(t.Elem, "&")
	case Qualified:
		if u := t.Elem; u != nil && (u.Kind == Pointer || u.Kind == Reference) {
			return of() + t.Name
		}
		return t.Name + " " + of()
	case Array:
		return t.array(depth)
	case Function:
		return "function"
	case Struct, Enum:
		if t.Name == "" {
			return "{...}"
		}
	}
	return t.Name
}

// star returns what stands behind the name of the type that a pointer leads to.
func star(to *Type, mark string) string {
	if to != nil && (to.Kind == Pointer || to.Kind == Reference) {
		return mark
	}
	return " " + mark
}

// array returns the name of an array: the lengths of all dimensions, the outer one first.
func (t *Type) array(depth int) string {
	var dims strings.Builder
	for ; t != nil && t.Kind == Array && depth > 0; t, depth = t.Elem, depth-1 {
		if t.Count == 0 {
			dims.WriteString("[]")
			continue
		}
		fmt.Fprintf(&dims, "[%d]", t.Count)
	}
	return t.text(depth) + " " + dims.String()
}
