package mem

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Data is the registers of an access, low word first: one row for types of up to 32 bits, two for
// 64, four for 128. Rows beyond the type's width are ignored.
type Data [4]*lane.Row

// shape is the layout of an element in memory and its widening to registers.
type shape uint8

const (
	none shape = iota
	byteU
	byteS
	halfU
	halfS
	word
	double
	quad
)

// shapes has the shape of every type that memory accesses can have.
var shapes = [...]shape{
	tesla.U8:   byteU,
	tesla.S8:   byteS,
	tesla.B16:  halfU,
	tesla.U16:  halfU,
	tesla.S16:  halfS,
	tesla.B32:  word,
	tesla.U32:  word,
	tesla.S32:  word,
	tesla.B64:  double,
	tesla.U64:  double,
	tesla.S64:  double,
	tesla.B128: quad,
	tesla.F16:  halfU,
	tesla.F32:  word,
	tesla.F64:  double,
}

// shapeSizes has the size of every shape.
var shapeSizes = func() (sizes [quad + 1]uint32) {
	for t, sh := range shapes {
		sizes[sh] = uint32(tesla.Type(t).Bytes())
	}
	return sizes
}()

// shapeOf returns the shape of t. It panics if memory accesses cannot have type t.
func shapeOf(t tesla.Type) shape {
	if int(t) < len(shapes) && shapes[t] != none {
		return shapes[t]
	}
	panic(fmt.Sprintf("mem: no access of type %d", t))
}

// size returns the bytes of an element.
func (sh shape) size() uint32 { return shapeSizes[sh] }

// Size returns the bytes of an element of type t in memory: 1, 2, 4, 8 or 16. It panics if memory
// accesses cannot have type t.
func Size(t tesla.Type) int { return int(shapeOf(t).size()) }
