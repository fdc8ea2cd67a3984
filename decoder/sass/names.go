package sass

import "jacquard/tesla"

// comparisons are the outcomes for which a comparison is true, by [tesla.Cmp]; the same codes are
// conditions.
var comparisons = [16]string{
	"FALSE", "LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "TRUE",
}

// conditions are the conditions of guards, "" for numbers without meaning.
var conditions = [32]string{
	0x00: "TRUE", 0x01: "LT", 0x02: "EQ", 0x03: "LE", 0x04: "GT", 0x05: "NE", 0x06: "GE", 0x07: "NUM",
	0x08: "NAN", 0x09: "LTU", 0x0a: "EQU", 0x0b: "LEU", 0x0c: "GTU", 0x0d: "NEU", 0x0e: "GEU", 0x0f: "FALSE",
	0x10: "OVERFLOW", 0x11: "CARRY", 0x12: "ABOVE", 0x13: "SIGN",
	0x1c: "NOT_SIGN", 0x1d: "NOT_ABOVE", 0x1e: "NOT_CARRY", 0x1f: "NOT_OVERFLOW",
}

// roundings are the modifiers of [tesla.Round].
var roundings = [...]string{tesla.RN: "", tesla.RM: ".FLOOR", tesla.RP: ".CEIL", tesla.RZ: ".TRUNC"}

// types are the types in places where they always show.
var types = map[tesla.Type]string{
	tesla.U8: ".U8", tesla.S8: ".S8", tesla.U8W: ".U8", tesla.S8W: ".S8",
	tesla.B16: ".U16", tesla.U16: ".U16", tesla.S16: ".S16",
	tesla.B32: ".U32", tesla.U32: ".U32", tesla.S32: ".S32", tesla.U24: ".U24", tesla.S24: ".S24",
	tesla.B64: ".S64", tesla.U64: ".U64", tesla.S64: ".S64", tesla.B128: ".S128",
	tesla.F16: ".F16", tesla.F32: ".F32", tesla.F64: ".F64",
}

// operationType is the type of integer arithmetic; unsigned 32 bits do not show.
func operationType(t tesla.Type) string {
	if t == tesla.B32 || t == tesla.U32 {
		return ""
	}
	return types[t]
}

// atomics are the operations of global atomics.
var atomics = map[tesla.AtomOp]string{
	tesla.AtomAdd: ".IADD", tesla.AtomExch: ".EXCH", tesla.AtomCas: ".CAS", tesla.AtomInc: ".INC", tesla.AtomDec: ".DEC",
	tesla.AtomMax: ".IMAX", tesla.AtomMin: ".IMIN", tesla.AtomAnd: ".AND", tesla.AtomOr: ".OR", tesla.AtomXor: ".XOR",
}

// logics are the operations of LOP.
var logics = [...]string{tesla.And: ".AND", tesla.Or: ".OR", tesla.Xor: ".XOR", tesla.Pass: ".PASS_B"}

// swizzles are the operations of the lanes of FSWZ.
var swizzles = [...]string{tesla.Add: "ADD", tesla.Sub: "SUB", tesla.SubR: "SUBR", tesla.AddC: "ADDC", tesla.Mov2: "MOV"}
