package expr

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"jacquard/internal/debuginfo"
)

// Kind is a kind of type.
type Kind uint8

// The kinds.
const (
	Int Kind = iota // signed
	Uint
	Float
	Pointer
	Array
	Struct
	Bytes // of no known type
)

// Type is the type of a value.
type Type struct {
	Kind   Kind
	Size   int    // bytes
	Name   string // as the source writes it; "" for a pointer or an array of a cast
	Space  string // of a Pointer: global, shared, local, const, param, or Generic
	Elem   *Type  // of a Pointer or an Array
	Len    int    // of an Array; 0 if it is unknown
	Fields []Field
	Refers bool             // a pointer that is a reference: its value is what it leads to
	Letter bool             // an integer that is shown as a letter, too
	Words  map[int64]string // of an integer: names of numbers, as of an enumeration
}

// Generic is the space of a pointer whose address says which memory it leads to: see
// [debuginfo.InSpace].
const Generic = "generic"

// Field is a member of a struct.
type Field struct {
	Name   string
	Offset int
	Type   *Type
	Cut    Cut
}

// Cut is the part of an integer that a bit-field has: how many bits, and how many lie below. The
// zero Cut is all of it.
type Cut struct{ Bits, Shift uint8 }

// of returns the value of a bit-field, of an integer that holds it.
func (c Cut) of(v Value) Value {
	if c.Bits == 0 || c.Bits+c.Shift > 64 {
		return v
	}
	n := int64(v.bits() << (64 - c.Bits - c.Shift))
	if v.Type.Kind == Int {
		v.Data = Of(v.Type, n>>(64-c.Bits)).Data
	} else {
		v.Data = Of(v.Type, int64(uint64(n)>>(64-c.Bits))).Data
	}
	if v.Place != nil {
		v.Place.Cut = c
	}
	return v
}

// Into returns the integer old with the bits of the field from v.
func (c Cut) Into(old, v []byte) []byte {
	mask := (uint64(1)<<c.Bits - 1) << c.Shift
	was, is := Value{Data: old}, Value{Data: v}
	u := was.bits()&^mask | is.bits()<<c.Shift&mask
	return binary.LittleEndian.AppendUint64(nil, u)[:len(old)]
}

// The types that expressions have by themselves.
var (
	TypeInt    = &Type{Kind: Int, Size: 4, Name: "int"}
	TypeUint   = &Type{Kind: Uint, Size: 4, Name: "unsigned int"}
	TypeLong   = &Type{Kind: Int, Size: 8, Name: "long long"}
	TypeULong  = &Type{Kind: Uint, Size: 8, Name: "unsigned long long"}
	TypeFloat  = &Type{Kind: Float, Size: 4, Name: "float"}
	TypeDouble = &Type{Kind: Float, Size: 8, Name: "double"}
)

// named are the words of types in a cast, without spaces around.
var named = map[string]*Type{
	"int": TypeInt, "signed": TypeInt, "signed int": TypeInt, "unsigned": TypeUint, "unsigned int": TypeUint,
	"char": {Kind: Int, Size: 1, Name: "char"}, "signed char": {Kind: Int, Size: 1, Name: "signed char"},
	"unsigned char": {Kind: Uint, Size: 1, Name: "unsigned char"}, "bool": {Kind: Uint, Size: 1, Name: "bool"},
	"short": {Kind: Int, Size: 2, Name: "short"}, "unsigned short": {Kind: Uint, Size: 2, Name: "unsigned short"},
	"long": TypeLong, "long long": TypeLong, "unsigned long": TypeULong, "unsigned long long": TypeULong,
	"float": TypeFloat, "double": TypeDouble,
}

// PointerTo returns the type of pointers into a space.
func PointerTo(elem *Type, space string) *Type {
	return &Type{Kind: Pointer, Size: 4, Space: space, Elem: elem}
}

// String returns the type as an expression writes it.
func (t *Type) String() string {
	switch {
	case t.Name != "":
		return t.Name
	case t.Kind == Pointer:
		return fmt.Sprintf("@%s %s *", t.Space, t.Elem)
	case t.Kind == Array:
		return fmt.Sprintf("%s [%d]", t.Elem, t.Len)
	}
	return "{...}"
}

// Place is where a value lies, so that it can be assigned.
type Place struct {
	Space   string // of memory; "" for a register
	Address uint32
	Name    string // of a register or a variable
	Cut     Cut    // of a bit-field
}

// Value is a value with its type.
type Value struct {
	Type  *Type
	Data  []byte // little endian, as long as the type
	Place *Place // nil: it has none
}

// bits returns the first eight bytes.
func (v *Value) bits() uint64 {
	var b [8]byte
	copy(b[:], v.Data)
	return binary.LittleEndian.Uint64(b[:])
}

// Int returns the value of an integer or an address.
func (v *Value) Int() int64 {
	u := v.bits()
	if v.Type.Kind == Float {
		return int64(v.Float())
	}
	if shift := 64 - 8*v.Type.Size; v.Type.Kind == Int && shift > 0 {
		return int64(u<<shift) >> shift
	}
	return int64(u)
}

// Float returns the value as a floating-point number.
func (v *Value) Float() float64 {
	switch u := v.bits(); {
	case v.Type.Kind == Float && v.Type.Size == 4:
		return float64(math.Float32frombits(uint32(u)))
	case v.Type.Kind == Float:
		return math.Float64frombits(u)
	case v.Type.Kind == Int:
		return float64(v.Int())
	}
	return float64(v.bits())
}

// True reports whether the value counts as true.
func (v *Value) True() bool {
	if v.Type.Kind == Float {
		return v.Float() != 0
	}
	return v.bits() != 0
}

// Of returns a value of type t made of an integer.
func Of(t *Type, n int64) Value {
	if t.Kind == Float {
		return OfFloat(t, float64(n))
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(n))
	return Value{Type: t, Data: b[:min(t.Size, 8)]}
}

// OfFloat returns a value of type t made of a floating-point number.
func OfFloat(t *Type, f float64) Value {
	switch {
	case t.Kind != Float:
		return Of(t, int64(f))
	case t.Size == 4:
		return Value{Type: t, Data: binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(f)))}
	}
	return Value{Type: t, Data: binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))}
}

// Convert returns a scalar value as another scalar type.
func Convert(v Value, t *Type) (Value, error) {
	switch {
	case v.Type.Kind == Array && t.Kind == Pointer && decayed(v).Type.Kind == Pointer:
		return Convert(decayed(v), t)
	case v.Type.Kind == Pointer && t.Kind == Pointer && v.Type.Space != t.Space:
		return v.toSpace(t)
	case v.Type.Kind >= Array:
		return Value{}, fmt.Errorf("a %s is no scalar", v.Type)
	case t.Kind >= Array:
		return Value{}, fmt.Errorf("no cast to %s: want a scalar or a pointer", t)
	case t.Kind == Float:
		return OfFloat(t, v.Float()), nil
	case t.Kind == Uint && v.Type.Kind == Float && v.Float() >= 1<<63:
		return Of(t, int64(uint64(v.Float()))), nil
	}
	return Of(t, v.Int()), nil
}

// InSpace returns the memory and the address that a pointer leads to.
func (v *Value) InSpace() (space string, address uint32) {
	if v.Type.Space != Generic {
		return v.Type.Space, uint32(v.Int())
	}
	p := debuginfo.InSpace(uint64(v.Int()))
	return p.Space.String(), uint32(p.Offset)
}

// generic returns the address of a pointer that says which memory it leads to.
func (v *Value) generic() int64 {
	if v.Type.Space == Generic {
		return v.Int()
	}
	return int64(uint32(v.Int())) + windows[v.Type.Space]
}

// windows are where memories lie in generic addresses. Parameters lie in shared memory.
var windows = map[string]int64{
	"shared": debuginfo.WindowShared, "local": debuginfo.WindowLocal, "const": debuginfo.WindowConst,
	"param": debuginfo.WindowShared + 16,
}

// toSpace returns a pointer as a pointer into another space.
func (v *Value) toSpace(t *Type) (Value, error) {
	if t.Space == Generic {
		return Of(t, v.generic()), nil
	}
	space, address := v.InSpace()
	if v.Type.Space == Generic && space != t.Space && v.Int() != 0 {
		return Value{}, fmt.Errorf("the pointer leads to @%s 0x%x", space, address)
	}
	return Of(t, int64(address)), nil
}

// spaces are the words after @, and what they stand for.
var spaces = map[string]string{
	"global": "global", "shared": "shared", "local": "local", "constant": "const", "const": "const",
	"parameter": "param", "param": "param", "generic": "global",
}

func spaceNames() string {
	return strings.Join([]string{"@global", "@shared", "@local", "@constant or @parameter"}, ", ")
}
