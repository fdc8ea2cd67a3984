package ir

import "jacquard/ptx"

// Kind is where a value lives.
type Kind uint8

// The kinds.
const (
	None  Kind = iota // no value
	Word              // 32 bits; of a narrower type the upper bits are anything
	Long              // 64 bits
	Pred              // true or false
	Tuple             // several Words, from a vector load or a texture
	Addr              // an address register
)

var kindNames = [...]string{None: "none", Word: "w", Long: "l", Pred: "p", Tuple: "t", Addr: "a"}

// String returns a letter for the kind.
func (k Kind) String() string { return kindNames[k] }

// Value is an operation and its result.
type Value struct {
	ID    int32 // unique in its Func
	Op    Op
	Kind  Kind
	Sub   ptx.Type  // type of the operation, where signedness or width matter
	From  ptx.Type  // Cvt, Clamp: the source
	Round ptx.Round // if the text gives one
	Cmp   ptx.Cmp
	Atom  ptx.AtomOp
	Geom  ptx.Geom
	Space ptx.Space
	Count uint8 // elements of a Load or Store, Words of a Tuple
	Mask  uint8 // Tex: components wanted, bit 0 for x
	Sat   bool
	// Volatile accesses are neither removed nor combined.
	Volatile bool
	// Lock: a Load in shared memory tries to lock its word, a Store unlocks it.
	Lock  bool
	Imm   uint64
	Sym   *ptx.Var
	Args  []*Value
	Block *Block
	Line  Line
	// Divisions counts the divisions of f32 before it in the text: see optimize.Contract.
	Divisions int32
	// Uses counts the operands and block controls that are this value.
	Uses int32
	// Index is scratch of a pass.
	Index int32

	room [3]*Value // holds Args of most values
}

// Line is a place in a source file; the zero Line is unknown. Scope is an index in Func.Scopes.
type Line struct{ File, Line, Scope int32 }

// Effect returns the effect of the value's operation.
func (v *Value) Effect() Effect {
	if v.Op == Load && v.Space == ptx.Const && !v.Volatile {
		return Pure
	}
	if v.Lock {
		return Writes
	}
	return v.Op.Effect()
}

// IsConst reports whether the value is a constant, and which.
func (v *Value) IsConst() (uint64, bool) { return v.Imm, v.Op == Const }

// Is reports whether the value is the constant c.
func (v *Value) Is(c uint64) bool { return v.Op == Const && v.Imm == c }

// Signed reports whether the type of the operation is signed.
func (v *Value) Signed() bool { return Signed(v.Sub) }

// Words returns how many registers the value takes.
func (v *Value) Words() int {
	switch v.Kind {
	case Word:
		return 1
	case Long:
		return 2
	case Tuple:
		return int(v.Count)
	}
	return 0
}

// Sign returns the float whose sign the value changes (neg) or drops, nil for a value that is
// something else. A change of the bit keeps subnormal f32, which FNeg and FAbs take for zeros;
// operations that read floats take them for zeros, too, but for conversions to 64 bits.
func (v *Value) Sign() (x *Value, neg bool) {
	const bit = 1 << 31
	switch {
	case v.Sat:
	case v.Op == FNeg, v.Op == DNeg, v.Op == Xor && v.Kind == Word && v.Args[1].Is(bit):
		return v.Args[0], true
	case v.Op == FAbs, v.Op == DAbs, v.Op == And && v.Kind == Word && v.Args[1].Is(bit-1):
		return v.Args[0], false
	}
	return nil, false
}
