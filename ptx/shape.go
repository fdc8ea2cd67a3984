package ptx

// role is the role of an operand.
type role uint8

const (
	roleValue   role = iota // a value that is read
	roleResult              // a register that is written
	roleAddress             // [a]
	roleConst               // a constant expression
	roleTexture             // the first of [t, s, {x, y}]
	roleSampler
	roleCoords
	roleTail  // of tex: a level, gradients, offsets
	roleLabel // of bra
	roleTable // of brx
	roleCall  // all operands of call
)

// typing says where the type of an operand comes from.
type typing uint8

const (
	byType typing = iota // Instr.Type
	byFrom               // Instr.From
	byWide               // Instr.Type, twice as wide with .wide
	by32                 // 32 bits
	byPred               // a predicate
	byAddr               // an address: 32 or 64 bits
)

// shape describes an operand: the meaning of a letter of the table.
type shape struct {
	letter byte
	role   role
	typing typing
	wider  bool  // a register may be wider than the type
	vector bool  // there are Instr.Vector elements
	parts  bool  // the operand may be a list whose elements together have the type
	pair   bool  // a predicate may follow: a|p
	lane   bool  // a byte or a half of a word may be chosen: a.b0
	space  Space // of an address, if it is not the instruction's
}

var shapes = [128]shape{
	'a': {letter: 'a'},
	'c': {letter: 'c', typing: byWide},
	'f': {letter: 'f', typing: byFrom},
	'F': {letter: 'F', typing: byFrom, wider: true},
	'i': {letter: 'i', typing: by32},
	'k': {letter: 'k', role: roleConst, typing: by32},
	'l': {letter: 'l', lane: true},
	'M': {letter: 'M', parts: true, vector: true},
	'n': {letter: 'n', typing: byAddr},
	'q': {letter: 'q', typing: byPred},
	'S': {letter: 'S', wider: true, vector: true},

	'd': {letter: 'd', role: roleResult},
	'D': {letter: 'D', role: roleResult, wider: true, vector: true, pair: true},
	'e': {letter: 'e', role: roleResult, pair: true},
	'm': {letter: 'm', role: roleResult, parts: true, vector: true},
	'p': {letter: 'p', role: roleResult, typing: byPred},
	'P': {letter: 'P', role: roleResult, typing: byPred, pair: true},
	'r': {letter: 'r', role: roleResult, lane: true},
	'w': {letter: 'w', role: roleResult, typing: byWide},
	'x': {letter: 'x', role: roleResult, typing: by32},
	'X': {letter: 'X', role: roleResult, typing: by32, pair: true},

	'A': {letter: 'A', role: roleAddress},
	'G': {letter: 'G', role: roleAddress, space: Global},
	't': {letter: 't', role: roleTexture},
	's': {letter: 's', role: roleSampler},
	'v': {letter: 'v', role: roleCoords, typing: byFrom},
	'o': {letter: 'o', role: roleTail, typing: byFrom},
	'B': {letter: 'B', role: roleTable},
	'C': {letter: 'C', role: roleCall},
	'L': {letter: 'L', role: roleLabel},
}

// typeOf returns the type of an operand of the shape.
func (s *shape) typeOf(ins *Instr) Type {
	switch s.typing {
	case byFrom:
		return ins.From
	case byWide:
		if ins.Mods&Wide != 0 {
			return widened(ins.Type)
		}
	case by32:
		return B32
	case byPred:
		return Pred
	case byAddr:
		return B64
	}
	return ins.Type
}

// elementType returns the type of an operand, or of element i of a list. It is NoType for a list
// that does not fit.
func (s *shape) elementType(ins *Instr, o *Operand, i int) Type {
	t := s.typeOf(ins)
	switch {
	case s.role == roleCoords && (t == NoType || i == 0 && ins.Geom.layered()):
		return B32
	case s.role == roleTail && o.Kind == List && ins.Mode != TexGrad:
		return B32 // offsets
	case s.role == roleTail, s.role == roleCoords, o.Kind != List:
	case s.vector && len(o.List) == max(ins.Vector, 1):
	case s.parts && ins.Vector <= 1:
		return bitsType(t, len(o.List))
	default:
		return NoType
	}
	return t
}

// layered reports whether the first coordinate is a number: of a layer or a sample.
func (g Geom) layered() bool {
	switch g {
	case GeomA1D, GeomA2D, GeomACube, Geom2DMS, GeomA2DMS:
		return true
	}
	return false
}

// bitsType returns the type of one of n parts of a type, NoType if it has no such parts.
func bitsType(t Type, n int) Type {
	if n != 2 && n != 4 && n != 8 {
		return NoType
	}
	for _, part := range [...]Type{B8, B16, B32, B64} {
		if part.Bits()*n == t.Bits() {
			return part
		}
	}
	return NoType
}

// widened returns the type with twice the bits.
func widened(t Type) Type {
	switch t {
	case B8, B16, B32, U8, U16, U32, S8, S16, S32:
		return t + 1
	}
	return t
}

// assign returns the shapes of the operands of an instruction; their number differs if the
// instruction has a wrong number of operands. An optional operand is present if the others leave
// one over; a sampler must also be an address.
func (f *form) assign(args []Operand, into []*shape) []*shape {
	spare := len(args) - f.least
	into = into[:0]
	for _, a := range f.args {
		if a.optional {
			at := len(into)
			sampler := a.shape.role == roleSampler
			if spare <= 0 || sampler && args[at].Kind != Address {
				continue
			}
			spare--
		}
		into = append(into, a.shape)
	}
	return into
}
