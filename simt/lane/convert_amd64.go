package lane

import "jacquard/fpu"

// wordsKernel is a unary kernel with two parameters: the words that extend an integer, or the bits
// to clear and to flip.
type wordsKernel = func(d, a Rows, x, y uint32, s *Sel)

// limitsKernel is a unary kernel that clamps to a range of integers.
type limitsKernel = func(d, a Rows, least, most, container uint32, s *Sel)

// conversions are the vector kernels of conversions, by rounding mode where the mode matters.
type conversions struct {
	fromU32               Unary
	fromInt               wordsKernel
	toU32                 [4]Unary
	toInt                 [4]limitsKernel
	intToInt              func(d, a Rows, mask, top, least, most, container uint32, s *Sel)
	modifiedToInt         func(d, a Rows, mask, top, abs, neg, least, most, container uint32, s *Sel)
	u32ToInt              func(d, a Rows, most, container uint32, s *Sel)
	fromHalf              Unary
	toHalf                [4]Unary
	float, floatSat       wordsKernel
	integral, integralSat [4]wordsKernel
}

// find returns the vector kernel of c, or nil.
func (v *conversions) find(c fpu.Conversion) Unary {
	from, fromInt := integerKinds[c.From]
	to, toInt := integerKinds[c.To]
	plain := !c.Abs && !c.Neg
	switch {
	case c.From == fpu.F32 && c.To == fpu.F32:
		return v.floatToFloat(c)
	case c.From == fpu.U32 && toInt && plain:
		_, most, container := to.limits()
		if c.To == fpu.U32 {
			most = 1<<32 - 1
		}
		return func(d, a Rows, s *Sel) { v.u32ToInt(d, a, most, container, s) }
	case fromInt && toInt && plain:
		mask, top := from.extension()
		least, most, container := to.limits()
		return func(d, a Rows, s *Sel) { v.intToInt(d, a, mask, top, least, most, container, s) }
	case fromInt && toInt && (from.bits <= 16 || c.From == fpu.S32 && c.To != fpu.U32 && !(c.Abs && c.Neg)):
		mask, top := from.extension()
		least, most, container := to.limits()
		var abs, neg uint32
		if c.Abs {
			abs = 1<<32 - 1
		}
		if c.Neg {
			neg = 1<<32 - 1
		}
		return func(d, a Rows, s *Sel) { v.modifiedToInt(d, a, mask, top, abs, neg, least, most, container, s) }
	case c.From == fpu.F16 && c.To == fpu.F32 && plain && !c.Integral && !c.Sat:
		return v.fromHalf
	case c.From == fpu.F32 && c.To == fpu.F16 && plain && !c.Integral && !c.Sat:
		return v.toHalf[c.Round]
	case c.From == fpu.F32 && c.To == fpu.U32 && plain:
		return v.toU32[c.Round]
	case c.From == fpu.F32 && toInt && plain:
		least, most, container := to.limits()
		kernel := v.toInt[c.Round]
		return func(d, a Rows, s *Sel) { kernel(d, a, least, most, container, s) }
	case c.To == fpu.F32 && fromInt && plain && !c.Sat && (c.Round == fpu.RN || from.bits <= 16):
		if c.From == fpu.U32 {
			return v.fromU32
		}
		mask, top := from.extension()
		return func(d, a Rows, s *Sel) { v.fromInt(d, a, mask, top, s) }
	}
	return nil
}

func (v *conversions) floatToFloat(c fpu.Conversion) Unary {
	clear, flip := signBits(c.Abs, c.Neg)
	kernel := v.float
	switch {
	case c.Integral && c.Sat:
		kernel = v.integralSat[c.Round]
	case c.Integral:
		kernel = v.integral[c.Round]
	case c.Sat:
		kernel = v.floatSat
	}
	return func(d, a Rows, s *Sel) { kernel(d, a, clear, flip, s) }
}

// integerKind is an integer type of at most 32 bits and its container in bits.
type integerKind struct {
	bits, container int
	signed          bool
}

var integerKinds = map[fpu.Kind]integerKind{
	fpu.U8:  {8, 16, false},
	fpu.S8:  {8, 16, true},
	fpu.U8W: {8, 32, false},
	fpu.S8W: {8, 32, true},
	fpu.U16: {16, 16, false},
	fpu.S16: {16, 16, true},
	fpu.U32: {32, 32, false},
	fpu.S32: {32, 32, true},
}

// limits returns the kind's range, cut to the range of s32, and the container's bits.
func (k integerKind) limits() (least, most, container uint32) {
	container = uint32(1)<<k.container - 1
	if k.signed {
		return -(uint32(1) << (k.bits - 1)), 1<<(k.bits-1) - 1, container
	}
	return 0, min(uint32(1)<<k.bits-1, 1<<31-1), container
}

// extension returns the words with which x&mask^top - top is a value of the kind.
func (k integerKind) extension() (mask, top uint32) {
	if k.signed {
		top = 1 << (k.bits - 1)
	}
	return uint32(1)<<k.bits - 1, top
}

// pairConversions are the vector kernels of conversions with a side of 64 bits, by rounding mode
// where the mode matters.
type pairConversions struct {
	fromS32, fromU32, fromF32 widening
	toS32, toF32              [4]narrowing
}

type (
	widening  = func(d Rows64, a Rows, s *Sel)
	narrowing = func(d Rows, a Rows64, s *Sel)
)

// find returns the vector kernel of c, or nil.
func (v *pairConversions) find(c fpu.Conversion) func(d, a Rows64, s *Sel) {
	widen := func(kernel widening) func(d, a Rows64, s *Sel) {
		return func(d, a Rows64, s *Sel) { kernel(d, a.Lo, s) }
	}
	narrow := func(kernel narrowing) func(d, a Rows64, s *Sel) {
		return func(d, a Rows64, s *Sel) { kernel(d.Lo, a, s) }
	}
	switch plain := (fpu.Conversion{To: c.To, From: c.From, Round: c.Round, Integral: c.Integral, Sat: c.Sat}); {
	case c != plain: // the source has modifiers
		return nil
	case c.To == fpu.F64 && c.From == fpu.S32:
		return widen(v.fromS32)
	case c.To == fpu.F64 && c.From == fpu.U32:
		return widen(v.fromU32)
	case c.To == fpu.F64 && c.From == fpu.F32:
		return widen(v.fromF32)
	case c.To == fpu.S32 && c.From == fpu.F64:
		return narrow(v.toS32[c.Round])
	case c.To == fpu.F32 && c.From == fpu.F64:
		return narrow(v.toF32[c.Round])
	}
	return nil
}
