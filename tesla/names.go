package tesla

import "fmt"

// NameOf looks v up in a table of names; other values print as "Type(v)".
func NameOf[T ~uint8 | ~uint16](names []string, typ string, v T) string {
	if int(v) < len(names) && names[v] != "" {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", typ, v)
}

// String returns the condition's name, or "???" for a code without meaning.
func (c Cond) String() string {
	if int(c) < len(wordsCond) && wordsCond[c] != "" {
		return wordsCond[c]
	}
	return "???"
}

// String returns the name of the condition that is true for the same outcomes.
func (c Cmp) String() string {
	switch {
	case c == 0:
		return CondNever.String()
	case c == Less|Equal|Greater|Unordered:
		return CondAlways.String()
	case c > Less|Equal|Greater|Unordered:
		return fmt.Sprintf("Cmp(%d)", uint8(c))
	}
	return Cond(c).String()
}

// String returns the type in assembly syntax. U8W and S8W print like U8 and S8.
func (t Type) String() string { return NameOf(typeNames, "Type", t) }

var roundNames = []string{RN: "rn", RM: "rm", RP: "rp", RZ: "rz"}

// String returns the mode in assembly syntax.
func (r Round) String() string { return NameOf(roundNames, "Round", r) }

var arithNames = []string{Add: "add", Sub: "sub", SubR: "subr", AddC: "addc", Mov2: "mov2"}

// String returns the operation in assembly syntax.
func (a Arith) String() string { return NameOf(arithNames, "Arith", a) }

var logicNames = []string{And: "and", Or: "or", Xor: "xor", Pass: "mov2"}

// String returns the operation in assembly syntax.
func (l Logic) String() string { return NameOf(logicNames, "Logic", l) }

var atomNames = []string{
	AtomAdd: "add", AtomExch: "exch", AtomCas: "cas", AtomInc: "inc", AtomDec: "dec", AtomMax: "max",
	AtomMin: "min", AtomAnd: "and", AtomOr: "or", AtomXor: "xor",
}

// String returns the operation in assembly syntax.
func (o AtomOp) String() string { return NameOf(atomNames, "AtomOp", o) }

var voteNames = []string{VoteAny: "any", VoteAll: "all"}

// String returns the operation in assembly syntax.
func (v VoteOp) String() string { return NameOf(voteNames, "VoteOp", v) }

var markerNames = []string{MarkerNone: "none", MarkerExit: "exit", MarkerJoin: "join"}

// String returns the marker in assembly syntax, or "none".
func (m Marker) String() string { return NameOf(markerNames, "Marker", m) }

var badNames = []string{
	OK: "valid", BadOpcode: "no such instruction", BadOperand: "invalid operand",
	BadLength: "misaligned or truncated", BadGraphics: "graphics only",
}

// String describes the error.
func (b Bad) String() string { return NameOf(badNames, "Bad", b) }

var kindNames = []string{
	None: "none", Reg: "register", Half: "half register", Pair: "register pair", Quadruple: "register quadruple",
	Discard: "discard", CondReg: "condition register", AddrReg: "address register", Imm: "immediate",
	Shared: "shared memory", Const: "constant memory", Local: "local memory", Global: "global memory",
	Special: "special register", Output: "output space", InvalidOperand: "invalid operand",
}

// String describes the place of the operand.
func (k OperandKind) String() string { return NameOf(kindNames, "OperandKind", k) }
