package lane

import (
	"jacquard/fpu"
	"jacquard/tesla"
)

// CvtKernel returns the kernel of a conversion between types of at most 32 bits, and false if the
// machine has no such conversion. The kernel reads the low bits of its source words, so half
// registers must be extracted before. It leaves the result in the low bits, 8-bit results extended
// to their 16- or 32-bit container. integral is the flag that rounds f32 to integral values; sat
// clamps to [0, 1].
func CvtKernel(to, from tesla.Type, r tesla.Round, integral, abs, neg, sat bool) (func(d, a Rows, s *Sel), bool) {
	c, ok := Conversion(to, from, r, integral, abs, neg, sat)
	if !ok || is64(to) || is64(from) {
		return nil, false
	}
	if !abs && !neg {
		if widen := widening(to, from); widen != nil {
			return widen, true
		}
	}
	return Convert(c), true
}

// Convert returns the kernel of a Valid conversion without sides wider than 32 bits.
func Convert(c fpu.Conversion) Unary {
	body := c.RowFunc()
	return func(d, a Rows, s *Sel) { each1(d, a, s, body) }
}

// widening returns the kernel of a conversion that only extends a value, as every launch does with
// its indices, or nil.
func widening(to, from tesla.Type) Unary {
	type pair struct{ to, from tesla.Type }
	switch (pair{to, from}) {
	case pair{tesla.U32, tesla.U32}, pair{tesla.S32, tesla.S32}:
		return Move
	case pair{tesla.U32, tesla.U16}, pair{tesla.S32, tesla.U16}:
		return ExtractLowU
	case pair{tesla.S32, tesla.S16}:
		return ExtractLowS
	case pair{tesla.U32, tesla.U8}, pair{tesla.U32, tesla.U8W}, pair{tesla.S32, tesla.U8}, pair{tesla.S32, tesla.U8W}:
		return ExtractByteU
	case pair{tesla.S32, tesla.S8}, pair{tesla.S32, tesla.S8W}:
		return ExtractByteS
	}
	return nil
}

// CvtFlags returns the kernel that writes the flags of a CvtKernel's results, and false for a type
// that is no CvtKernel's destination.
func CvtFlags(to tesla.Type) (func(f []Flags, r Rows, s *Sel), bool) {
	switch to {
	case tesla.F32:
		return FFlags, true
	case tesla.F16:
		return halfFlags, true
	case tesla.U8, tesla.S8, tesla.U16, tesla.S16:
		return func(f []Flags, r Rows, s *Sel) { ResultFlags(f, r, 16, s) }, true
	case tesla.U8W, tesla.S8W, tesla.U32, tesla.S32:
		return func(f []Flags, r Rows, s *Sel) { ResultFlags(f, r, 32, s) }, true
	}
	return nil, false
}

// halfFlags is FFlags for f16.
func halfFlags(f []Flags, r Rows, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		var v Flags
		for lane, word := range r.At(w) {
			v.set(lane, fpu.Flags16(uint16(word)))
		}
		f[w].put(v, s.Mask[i])
	}
}

// set stores the flags of one lane, whose flags are clear before.
func (f *Flags) set(lane int, v fpu.Flags) {
	f.Z |= Mask(v&fpu.Zero) << lane
	f.S |= Mask(v&fpu.Sign) / Mask(fpu.Sign) << lane
	f.C |= Mask(v&fpu.Carry) / Mask(fpu.Carry) << lane
	f.O |= Mask(v&fpu.Overflow) / Mask(fpu.Overflow) << lane
}

func is64(t tesla.Type) bool { return t == tesla.U64 || t == tesla.S64 || t == tesla.F64 }

// Conversion returns the conversion of an instruction, and false if the machine has none.
func Conversion(to, from tesla.Type, r tesla.Round, integral, abs, neg, sat bool) (fpu.Conversion, bool) {
	t, known := Kinds[to]
	f, ok := Kinds[from]
	c := fpu.Conversion{
		To: t, From: f, Round: fpu.Round(r),
		Integral: integral, Abs: abs, Neg: neg, Sat: sat,
	}
	return c, known && ok && c.Valid()
}

// Kinds maps the types of conversions to package fpu's kinds.
var Kinds = map[tesla.Type]fpu.Kind{
	tesla.U8: fpu.U8, tesla.S8: fpu.S8, tesla.U8W: fpu.U8W, tesla.S8W: fpu.S8W,
	tesla.U16: fpu.U16, tesla.S16: fpu.S16, tesla.U32: fpu.U32, tesla.S32: fpu.S32,
	tesla.U64: fpu.U64, tesla.S64: fpu.S64,
	tesla.F16: fpu.F16, tesla.F32: fpu.F32, tesla.F64: fpu.F64,
}

// Converts reports whether CvtKernel or CvtKernel64 has a kernel of a conversion.
func Converts(to, from tesla.Type, r tesla.Round, integral, abs, neg, sat bool) bool {
	_, ok := Conversion(to, from, r, integral, abs, neg, sat)
	return ok
}
