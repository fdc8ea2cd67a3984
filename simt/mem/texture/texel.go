package texture

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Format is the type of a texel's components; the values are CUarray_format's.
type Format uint8

// The formats.
const (
	FormatU8  Format = 0x01
	FormatU16 Format = 0x02
	FormatU32 Format = 0x03
	FormatS8  Format = 0x08
	FormatS16 Format = 0x09
	FormatS32 Format = 0x0a
	FormatF16 Format = 0x10
	FormatF32 Format = 0x20
)

// Size returns the bytes of a component, 0 if f is not a format.
func (f Format) Size() int {
	switch f {
	case FormatU8, FormatS8:
		return 1
	case FormatU16, FormatS16, FormatF16:
		return 2
	case FormatU32, FormatS32, FormatF32:
		return 4
	}
	return 0
}

// component returns the component at the start of b as a register. Unless integer is set, integers
// of 8 and 16 bits become fractions: they are divided by their greatest value, and the least signed
// value, which would fall below -1, becomes -1. Integers of 32 bits and f32 pass unchanged; f16
// widens exactly.
//
// Unverified: the division rounds to nearest.
func (f Format) component(b []byte, integer bool) uint32 {
	var v int32
	var greatest float32
	switch f {
	case FormatU8:
		v, greatest = int32(b[0]), math.MaxUint8
	case FormatU16:
		v, greatest = int32(binary.LittleEndian.Uint16(b)), math.MaxUint16
	case FormatS8:
		v, greatest = int32(int8(b[0])), math.MaxInt8
	case FormatS16:
		v, greatest = int32(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16
	case FormatF16:
		return widen(binary.LittleEndian.Uint16(b))
	case FormatU32, FormatS32, FormatF32:
		return binary.LittleEndian.Uint32(b)
	default:
		panic(fmt.Sprintf("texture: no format 0x%02x", uint8(f)))
	}
	if integer {
		return uint32(v)
	}
	return math.Float32bits(max(float32(v)/greatest, -1))
}

// widen returns the f32 with the value of the f16 h. Denormals become normal, and NaNs keep their
// payload.
func widen(h uint16) uint32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch {
	case exp == 0x1f:
		return sign | 0xff<<23 | frac<<13
	case exp != 0:
		return sign | (exp+127-15)<<23 | frac<<13
	case frac == 0:
		return sign
	}
	// frac * 2^-24, with its leading one at bit n
	n := uint32(bits.Len32(frac)) - 1
	return sign | (n+127-24)<<23 | frac<<(23-n)&(1<<23-1)
}
