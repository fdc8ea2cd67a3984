package tesla

import "fmt"

// CondNames holds the names of the 32 conditions, "" for codes that have no
// meaning. The first 16 also name the comparison masks of the set instructions.
var CondNames = [32]string{
	0x00: "never", 0x01: "l", 0x02: "e", 0x03: "le", 0x04: "g", 0x05: "lg", 0x06: "ge", 0x07: "lge",
	0x08: "u", 0x09: "lu", 0x0a: "eu", 0x0b: "leu", 0x0c: "gu", 0x0d: "lgu", 0x0e: "geu", 0x0f: "always",
	0x10: "o", 0x11: "c", 0x12: "a", 0x13: "s", 0x1c: "ns", 0x1d: "na", 0x1e: "nc", 0x1f: "no",
}

// String returns the condition's name, or "???" for a code without meaning.
func (c Cond) String() string {
	if int(c) < len(CondNames) && CondNames[c] != "" {
		return CondNames[c]
	}
	return "???"
}

var typeNames = [...]string{
	TypeNone: "none", U8: "u8", S8: "s8", U8W: "u8", S8W: "s8", B16: "b16", U16: "u16", S16: "s16",
	B32: "b32", U32: "u32", S32: "s32", U24: "u24", S24: "s24", B64: "b64", U64: "u64", S64: "s64",
	B128: "b128", F16: "f16", F32: "f32", F64: "f64",
}

// String returns the type as it is written in instructions.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

var badNames = [...]string{
	OK: "valid", BadOpcode: "no such instruction", BadOperand: "invalid operand",
	BadLength: "misaligned or truncated", BadGraphics: "graphics only",
}

// String says in words what is wrong.
func (b Bad) String() string {
	if int(b) < len(badNames) {
		return badNames[b]
	}
	return fmt.Sprintf("Bad(%d)", uint8(b))
}
