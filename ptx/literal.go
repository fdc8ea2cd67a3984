package ptx

import (
	"math"
	"strconv"
	"strings"
)

// literal says how an immediate is written, until it is converted to its operand's type.
type literal uint8

const (
	noLiteral literal = iota
	intLiteral
	f32Literal // 0f and 8 digits
	f64Literal // 0d and 16 digits, or decimal
)

// constant is the value of a constant expression.
type constant struct {
	lit      literal
	bits     uint64 // of the integer or the float
	unsigned bool   // an integer without sign
}

// constInt returns a signed integer.
func constInt(value int64) constant { return constant{lit: intLiteral, bits: uint64(value)} }

// constBool returns 1 or 0.
func constBool(value bool) constant {
	if value {
		return constInt(1)
	}
	return constInt(0)
}

// constFloat returns a float.
func constFloat(value float64) constant {
	return constant{lit: f64Literal, bits: math.Float64bits(value)}
}

// float returns the value as a float.
func (c constant) float() float64 {
	switch {
	case c.lit == f32Literal:
		return float64(math.Float32frombits(uint32(c.bits)))
	case c.lit == f64Literal:
		return math.Float64frombits(c.bits)
	case c.unsigned:
		return float64(c.bits)
	}
	return float64(int64(c.bits))
}

// isFloat reports whether the value is a float.
func (c constant) isFloat() bool { return c.lit == f32Literal || c.lit == f64Literal }

// parseInt reads an integer literal: hexadecimal, octal, binary or decimal, with or without U.
func parseInt(text string) (constant, bool) {
	digits := strings.TrimRight(text, "uU")
	c := constant{lit: intLiteral, unsigned: digits != text}
	base := 10
	if len(digits) > 1 && digits[0] == '0' {
		switch base, digits = 8, digits[1:]; digits[0] {
		case 'x', 'X':
			base, digits = 16, digits[1:]
		case 'b', 'B':
			base, digits = 2, digits[1:]
		}
	}
	value, err := strconv.ParseUint(digits, base, 64)
	c.bits = value
	c.unsigned = c.unsigned || value > math.MaxInt64
	return c, err == nil && len(text)-len(strings.TrimRight(text, "uU")) <= 1
}

// parseFloat reads a float literal that the lexer has checked.
func parseFloat(text string) (constant, bool) {
	switch {
	case len(text) > 2 && text[1]|0x20 == 'f':
		bits, err := strconv.ParseUint(text[2:], 16, 32)
		return constant{lit: f32Literal, bits: bits}, err == nil
	case len(text) > 2 && text[1]|0x20 == 'd':
		bits, err := strconv.ParseUint(text[2:], 16, 64)
		return constant{lit: f64Literal, bits: bits}, err == nil
	}
	value, err := strconv.ParseFloat(text, 64)
	return constFloat(value), err == nil
}

// convert returns the bits of a value for an operand of a type. It reports false for a float where
// the type takes none.
func (c constant) convert(t Type) (uint64, bool) {
	switch {
	case c.lit == intLiteral && t == F32:
		return uint64(math.Float32bits(float32(c.float()))), true
	case c.lit == intLiteral && t == F64:
		return math.Float64bits(c.float()), true
	case c.lit == intLiteral && t == Pred && c.bits != 0:
		return 1, true
	case !c.isFloat():
		return c.bits, true
	}
	switch t.Bits() {
	case 64:
		return c.f64(), true
	case 32:
		return uint64(c.f32()), t != F16x2 && t != BF16x2
	case 16:
		if t == BF16 {
			return uint64(roundBF16(c.f32())), true
		}
		return uint64(roundF16(c.float())), t == F16 || t == B16
	}
	return 0, false
}

// f32 returns the bits of a float as an f32. A NaN keeps the upper bits of its payload.
func (c constant) f32() uint32 {
	if c.lit == f32Literal {
		return uint32(c.bits)
	}
	const quiet = 1 << 22
	if c.bits&^(1<<63) > 0x7ff<<52 {
		return uint32(c.bits>>63<<31) | 0x7f800000 | quiet | uint32(c.bits>>29&0x7fffff)
	}
	return math.Float32bits(float32(c.float()))
}

// f64 returns the bits of a float as an f64. A NaN keeps its payload.
func (c constant) f64() uint64 {
	if c.lit == f64Literal {
		return c.bits
	}
	if uint32(c.bits)&^(1<<31) > 0x7f800000 {
		return c.bits>>31<<63 | 0x7ff<<52 | c.bits&0x7fffff<<29
	}
	return math.Float64bits(c.float())
}

// roundBF16 rounds an f32 to its upper half, to nearest even.
func roundBF16(bits uint32) uint16 {
	if bits&^(1<<31) > 0x7f800000 {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// roundF16 rounds a float to 16 bits, to nearest even.
func roundF16(value float64) uint16 {
	sign := uint16(0)
	if math.Signbit(value) {
		sign = 0x8000
	}
	switch magnitude := math.Abs(value); {
	case math.IsNaN(value):
		return sign | 0x7e00
	case magnitude >= 65520:
		return sign | 0x7c00
	case magnitude < 1.0/(1<<14): // a denormal is a multiple of 2^-24
		return sign | uint16(math.RoundToEven(magnitude*(1<<24)))
	default:
		fraction, exponent := math.Frexp(magnitude) // 0.5 <= fraction < 1
		return sign | uint16(int(math.RoundToEven(fraction*(1<<11)))+(exponent+13)<<10)
	}
}
