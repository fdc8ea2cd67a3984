package tesla

// Type is the type of an operation, a conversion side or a memory access.
type Type uint8

// Bytes returns the size of a value of type t: 1, 2, 4, 8 or 16. TypeNone has the size of a
// register, 4.
func (t Type) Bytes() int {
	if int(t) < len(typeBytes) {
		return int(typeBytes[t])
	}
	return 4
}

// Round is a rounding mode; the values are the 2-bit hardware code.
type Round uint8

const (
	RN Round = iota // to nearest, ties to even
	RM              // towards minus infinity
	RP              // towards plus infinity
	RZ              // towards zero
)

// Arith is the variant of the add family.
type Arith uint8

const (
	Add  Arith = iota // a + b
	Sub               // a - b
	SubR              // b - a
	AddC              // a + b + carry of CarryIn
	Mov2              // QuadOp only: b
)

// Logic is the variant of the logic instruction; values are the hardware code.
type Logic uint8

const (
	And Logic = iota
	Or
	Xor
	Pass // mov2: the second operand
)

// Cmp is a comparison mask: the outcomes for which the comparison is true.
type Cmp uint8

const (
	Less Cmp = 1 << iota
	Equal
	Greater
	Unordered // floating point only
)

// AtomOp is a global atomic; values are the hardware code.
type AtomOp uint8

const (
	AtomAdd  AtomOp = 0
	AtomExch AtomOp = 1
	AtomCas  AtomOp = 2
	AtomInc  AtomOp = 4
	AtomDec  AtomOp = 5
	AtomMax  AtomOp = 6
	AtomMin  AtomOp = 7
	AtomAnd  AtomOp = 10
	AtomOr   AtomOp = 11
	AtomXor  AtomOp = 12
)

// VoteOp is the variant of vote.
type VoteOp uint8

const (
	VoteAny VoteOp = 1
	VoteAll VoteOp = 2
)

// Mods are yes/no modifiers.
type Mods uint16

const (
	Sat      Mods = 1 << iota // saturate the result
	High                      // mul24: bits 47..16 of the product
	Integral                  // cvt: round to an integral value ("rni" and its kin)
	Lock                      // ld s[] with lock
	Unlock                    // st s[] with unlock
	Limited                   // call.lim and the like
	SFU                       // mov through the special function unit: no effect on the result
)

// Cond is the condition of a guard. The names are the hardware's. The description has the codes;
// here "always" and "never" are exchanged, so that the zero Cond always holds.
type Cond uint8

// The conditions. CondL to CondGEU are the comparison masks of [Cmp]: CondLE holds after an outcome
// that is less or equal, CondLEU also after an unordered one.
const (
	CondAlways Cond = iota
	CondL
	CondE
	CondLE
	CondG
	CondLG
	CondGE
	CondLGE
	CondU
	CondLU
	CondEU
	CondLEU
	CondGU
	CondLGU
	CondGEU
	CondNever
	CondO       // overflow
	CondC       // carry
	CondA       // above: carry and not zero
	CondS       // sign
	CondInvalid // a code that the hardware does not define
)

// The complements of CondO to CondS.
const (
	CondNS Cond = iota + 0x1c
	CondNA
	CondNC
	CondNO
)
