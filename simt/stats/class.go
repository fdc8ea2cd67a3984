package stats

import (
	"slices"

	"jacquard/tesla"
)

// Class says what kind of work an instruction does.
type Class uint8

// The classes.
const (
	Move     Class = iota // between registers of any kind
	Integer               // integer and logic, comparisons too
	Float                 // single precision, comparisons too
	Double                // double precision
	Special               // reciprocal, square root, logarithm, sine ..: the special function unit
	Convert               // between types
	Constant              // loads from c[]
	Shared                // loads and stores of s[]
	Local                 // of l[]
	Global                // of g[]
	Atomic                // atomics and reductions
	Texture               // fetches and queries
	Control               // what steers lanes: branches, joins, calls, votes, ends
	Barrier               // bar
	Unknown               // no instruction of this architecture
)

// Classes is the number of classes.
const Classes = len(classNames)

var classNames = [...]string{
	"move", "integer", "float", "double", "special", "convert", "constant", "shared", "local", "global", "atomic",
	"texture", "control", "barrier", "unknown",
}

// String returns the name of the class.
func (c Class) String() string { return classNames[c] }

// members are the operations of each class.
var members = [Classes][]tesla.Op{
	Move: {
		tesla.OpMov, tesla.OpMovFromAddr, tesla.OpMovFromCond, tesla.OpMovFromSpecial, tesla.OpMovToCond, tesla.OpSlct,
	},
	Integer: {
		tesla.OpAddAddr, tesla.OpShlToAddr, tesla.OpIAdd, tesla.OpIMad, tesla.OpIMax, tesla.OpIMin, tesla.OpIMul,
		tesla.OpISad, tesla.OpISet, tesla.OpLogic, tesla.OpShl, tesla.OpShr,
	},
	Float:  {tesla.OpFAdd, tesla.OpFMad, tesla.OpFMax, tesla.OpFMin, tesla.OpFMul, tesla.OpFSet, tesla.OpQuadOp},
	Double: {tesla.OpDAdd, tesla.OpDFma, tesla.OpDMax, tesla.OpDMin, tesla.OpDMul, tesla.OpDSet},
	Special: {
		tesla.OpCos, tesla.OpEx2, tesla.OpLg2, tesla.OpPreEx2, tesla.OpPreSin, tesla.OpRcp, tesla.OpRsqrt,
		tesla.OpSin,
	},
	Convert:  {tesla.OpCvt},
	Constant: {tesla.OpLdConst},
	Shared:   {tesla.OpLdShared, tesla.OpStShared},
	Local:    {tesla.OpLdLocal, tesla.OpStLocal},
	Global:   {tesla.OpLdGlobal, tesla.OpStGlobal},
	Atomic:   {tesla.OpAtom, tesla.OpRed},
	Texture: {
		tesla.OpTexAuto, tesla.OpTexBias, tesla.OpTexCSAA, tesla.OpTexFetch, tesla.OpTexGather, tesla.OpTexLod, tesla.OpTexPrep,
		tesla.OpTexQueryLod, tesla.OpTexSize,
	},
	Control: {
		tesla.OpBra, tesla.OpBraIndirect, tesla.OpBreak, tesla.OpBreakAddr, tesla.OpBrkpt, tesla.OpCall, tesla.OpJoinAt,
		tesla.OpNop, tesla.OpPmEvent, tesla.OpPreRet, tesla.OpQuadOn, tesla.OpQuadPop, tesla.OpRet, tesla.OpTrap,
		tesla.OpVote,
	},
	Barrier: {tesla.OpBar},
}

// ClassOf returns the class of an operation. Where an operand comes from does not count: an addition of
// a word of s[] is Integer.
func ClassOf(op tesla.Op) Class {
	for class, ops := range members {
		if slices.Contains(ops, op) {
			return Class(class)
		}
	}
	return Unknown
}
