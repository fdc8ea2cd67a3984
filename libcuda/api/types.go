package api

// Kind says what a named type is.
type Kind string

const (
	Scalar   Kind = "scalar"   // another name of a C type
	Handle   Kind = "handle"   // a pointer to an incomplete structure; a number to the driver
	Opaque   Kind = "opaque"   // an incomplete structure, used through pointers
	Callback Kind = "callback" // a pointer to a function
	Foreign  Kind = "foreign"  // a type of another library's header, known only inside the library
)

// Type is a named type that is neither an enumeration nor a structure of ours.
type Type struct {
	Name  string
	Kind  Kind
	Tag   string // handles and opaque structures: the structure's tag
	Since Version
	// Definition is a C type for scalars and foreign types, and a declarator for callbacks, with
	// NAME in place of the name.
	Definition string
}

// Struct is a structure with known layout.
type Struct struct {
	Name   string
	Fields []Field
	Narrow bool // it has a second form, for the interface before 3.2
	Wide   bool // it holds sizes or device pointers
}

// Field is a structure member. Name may carry an array length.
type Field struct {
	Name string
	Type string // a C type, or "size" or "dptr", whose width depends on the interface
}

// Tag is the structure's tag.
func (s *Struct) Tag() string { return s.Name + "_st" }

// CType is the field's C type in the interface before 3.2 (narrow) or since. devicePointer names
// the type of device pointers there.
func (f Field) CType(narrow bool, devicePointer string) string {
	switch f.Type {
	case "size":
		if narrow {
			return "unsigned int"
		}
		return "size_t"
	case "dptr":
		return devicePointer
	}
	return f.Type
}
