package tesla

import "fmt"

// Instruction is one decoded machine instruction. It is plain data: == compares the meaning and the
// encoding of two instructions.
//
// A zero field means "absent": Op 0 is OpInvalid, Marker 0 none, and so on. Code that builds an
// instruction names only the fields present; the zero Guard always holds.
type Instruction struct {
	Raw  [2]uint32 // the words as found; Raw[1] is 0 in a short instruction
	Size uint8     // bytes: 4 or 8
	Form Form      // the row of the instruction description
	Op   Op
	Bad  Bad // unless OK, the instruction faults when executed

	// Type is the type of the operation: of the product for IMad; the access type of loads, stores
	// and atomics.
	Type  Type
	From  Type // Cvt: source type; otherwise TypeNone
	Round Round
	Arith Arith // IAdd, IMad: add, sub, subr, addc. FAdd etc. use operand negation instead
	Logic Logic // Logic: and, or, xor, mov2
	Cmp   Cmp   // ISet, FSet, DSet
	Atom  AtomOp
	Vote  VoteOp
	Mods  Mods

	Idle     uint8    // long Mov: lanes excluded, 0..15, bit i for lanes with lane%4 == i
	Quad     [4]Arith // QuadOp: operation per lane position (add, subr, sub, mov2)
	QuadLane uint8    // QuadOp: source lane 0..3, 4..7 the derivative selectors
	Tex      Tex      // texture instructions

	Dst  Operand // None if the result goes only to CDst or memory
	CDst CReg    // $c written
	Src  [3]Operand
	// For stores Src[0] is the memory operand and Src[1] the data; for Red and Atom Src[0] is the
	// memory operand, Src[1] the operand and Src[2] the swap value of cas. Loads have the memory
	// operand in Src[0]. Two-source add family: Src[0] and Src[1] in print order, wherever the
	// encoding has them. IMad, FMad, DFma: factors in Src[0], Src[1], addend in Src[2]. Slct: a, b,
	// c. ISad: a, b, addend.

	CarryIn CReg // $c read by addc
	// Guard always holds if the encoding has none or ignores it. For Vote it is the input
	// condition.
	Guard   Guard
	Marker  Marker
	Target  uint32 // branch, call, joinat, breakaddr, preret: byte address from the kernel's start
	Barrier Barrier
}

// CReg names a condition register; the zero CReg names none.
type CReg uint8

// The condition registers.
const (
	NoCond CReg = iota
	C0
	C1
	C2
	C3
)

// Index returns the number of the register, 0..3. NoCond has none and gives 0xff.
func (c CReg) Index() uint8 { return uint8(c) - 1 }

// String returns the register in assembly syntax, "" for none.
func (c CReg) String() string {
	if c == NoCond {
		return ""
	}
	return fmt.Sprintf("$c%d", c.Index())
}

// Guard is a condition on one condition register. The zero Guard always holds.
type Guard struct {
	Reg  uint8 // 0..3
	Cond Cond
}

// Marker is the exit or join flag of a long instruction.
type Marker uint8

const (
	MarkerNone Marker = iota
	MarkerExit        // the active lanes finish after the instruction
	MarkerJoin        // reconvergence point, evaluated before the instruction
)

// Barrier is the operand of Bar.
type Barrier struct {
	ID    uint8  // 0..15
	Count uint16 // raw count field, 0..4095; meaningless with All
	All   bool
	Inc   bool // arrive
	Wait  bool
}

// Tex holds the fields of a texture instruction.
type Tex struct {
	Unit, Sampler uint8
	Mask          uint8 // destination components, bit 0 = x; results are packed upward from Dst
	Coords        uint8 // number of source registers, 1..4, starting at Dst's register
	Live          bool
	Deriv         bool
	Cube          bool
	Offset        [3]int8 // texel offsets x, y, z
}

// Bad tells why an encoding cannot execute. The zero value is OK.
type Bad uint8

const (
	OK          Bad = iota
	BadOpcode       // no such instruction on this architecture
	BadOperand      // an operand or type field has an invalid value
	BadLength       // a long instruction at an odd word, or truncated at the end of the code
	BadGraphics     // exists, but not in compute programs (st to output space and the like)
)

// OperandKind is the place of an operand.
type OperandKind uint8

const (
	None      OperandKind = iota
	Reg                   // $rN, Index = N
	Half                  // $rNl or $rNh, Index = 2N (low) or 2N+1 (high)
	Pair                  // $rNd, Index = N: 64 bits in N and N+1
	Quadruple             // $rNq, Index = N: 128 bits
	Discard               // #: result dropped
	CondReg               // $cN as data
	AddrReg               // $aN, Index = N
	Imm                   // Value
	Shared                // s[]: Base, Value = byte offset, Type = access type
	Const                 // cN[]: Index = bank, Base, Value = byte offset, Type = access type
	Local                 // l[]: Base, Value = byte offset
	// gN[]: Index = window, Value = number of the register that holds the address
	Global
	Special        // Index = special register number
	Output         // o[]: graphics only
	InvalidOperand // an operand the encoding makes impossible
)

// Operand is a source or destination.
type Operand struct {
	Kind OperandKind
	Type Type // access type of a memory operand (U8, U16, S16, B32 ...); TypeNone for registers
	// As extends a 16-bit factor of IMul or IMad: U16 or S16; TypeNone elsewhere.
	As    Type
	Index uint8 // meaning depends on Kind
	Base  uint8 // memory operands: $a register added to the offset, 0 for none
	Post  bool  // memory operands: post-increment; Value is then the (sign-extended) step in bytes
	Neg   bool  // applied after Abs
	Abs   bool
	Not   bool
	Value uint32
}
