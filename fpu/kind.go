package fpu

// Kind is the type of one side of a conversion.
type Kind uint8

// The kinds. U8 and S8 live in half registers, U8W and S8W in full registers.
const (
	U8 Kind = iota
	S8
	U8W
	S8W
	U16
	S16
	U32
	S32
	U64
	S64
	F16
	F32
	F64

	kinds
)

// shape describes a kind. The container is the register form: 16, 32 or 64 bits.
type shape struct {
	name      string
	bits      int
	container int
	signed    bool
	float     bool
}

var shapes = [kinds]shape{
	U8:  {name: "u8", bits: 8, container: 16},
	S8:  {name: "s8", bits: 8, container: 16, signed: true},
	U8W: {name: "u8w", bits: 8, container: 32},
	S8W: {name: "s8w", bits: 8, container: 32, signed: true},
	U16: {name: "u16", bits: 16, container: 16},
	S16: {name: "s16", bits: 16, container: 16, signed: true},
	U32: {name: "u32", bits: 32, container: 32},
	S32: {name: "s32", bits: 32, container: 32, signed: true},
	U64: {name: "u64", bits: 64, container: 64},
	S64: {name: "s64", bits: 64, container: 64, signed: true},
	F16: {name: "f16", bits: 16, container: 16, signed: true, float: true},
	F32: {name: "f32", bits: 32, container: 32, signed: true, float: true},
	F64: {name: "f64", bits: 64, container: 64, signed: true, float: true},
}

// String returns the name in the golden vectors.
func (k Kind) String() string { return shapes[k].name }

// format returns the format of a floating-point kind.
func (k Kind) format() format {
	switch k {
	case F16:
		return half
	case F32:
		return single
	}
	return double
}

// read splits the value v of an integer kind into sign and magnitude.
func (k Kind) read(v uint64) (neg bool, mag uint64) {
	s := &shapes[k]
	unused := 64 - s.bits
	if !s.signed {
		return false, v << unused >> unused
	}
	x := int64(v<<unused) >> unused
	if x < 0 {
		return true, uint64(-x)
	}
	return false, uint64(x)
}

// clamp clamps an integer to the range of an integer kind and extends it to the container. clamped
// means that it was out of range.
func (k Kind) clamp(neg bool, mag uint64) (r uint64, clamped bool) {
	s := &shapes[k]
	limit := uint64(1)<<(s.bits-1)<<1 - 1 // shifted twice: 64 bits are legal
	if s.signed {
		limit >>= 1
		if neg {
			limit++
		}
	} else if neg {
		limit = 0
	}
	if mag > limit {
		mag, clamped = limit, true
	}
	if neg {
		mag = -mag
	}
	unused := 64 - s.container
	return mag << unused >> unused, clamped
}
