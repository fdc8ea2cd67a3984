package lane

import (
	"unsafe"

	"jacquard/fpu"
	"jacquard/tesla"
)

// The shapes of kernels.
type (
	// Unary computes d of a.
	Unary = func(d, a Rows, s *Sel)
	// Binary computes d of a and b.
	Binary = func(d, a, b Rows, s *Sel)
	// Ternary computes d of a, b and c.
	Ternary = func(d, a, b, c Rows, s *Sel)
	// Comparison is CompareU, CompareS or FCompare.
	Comparison = func(out *[MaxWarps]Mask, a, b Rows, cmp uint8, s *Sel)
	// Binary64 is Binary for f64; Rounded64 is one that rounds.
	Binary64  = func(d, a, b Rows64, s *Sel)
	Rounded64 = func(d, a, b Rows64, r tesla.Round, s *Sel)
)

// Kernels is a set of kernels for one instruction set of the host. Each field does exactly the same
// as the function of this package with its name; those functions are the portable set. Find returns
// the sets.
//
// Many fields: one per kernel. An engine takes the function itself when it binds an instruction, so
// that a kernel call needs no table.
type Kernels struct {
	SIMD string // the set's name: off, avx2 or avx512

	Move, Not                   Unary
	ExtractLowU, ExtractLowS    Unary
	ExtractHighU, ExtractHighS  Unary
	ExtractByteU, ExtractByteS  Unary
	InsertLow, InsertHigh       Unary
	And, AndNot, Or, OrNot, Xor Binary

	Add, Sub, AbsDiffU, AbsDiffS                Binary
	AddCarry                                    func(d, a, b Rows, f []Flags, s *Sel)
	AddSat, SubSat                              func(d, a, b Rows, width int, s *Sel)
	AddCarrySat                                 func(d, a, b Rows, f []Flags, width int, s *Sel)
	Mul, Mul24LoU, Mul24LoS, Mul24HiU, Mul24HiS Binary
	MulLowLow, MulHighLow, MulHighHigh          Binary // see MulHalves
	MulAdd                                      Ternary
	MulAddLowLow, MulAddHighLow, MulAddHighHigh Ternary // see MulAddHalves
	MinU, MinS, MaxU, MaxS                      Binary
	Shl, ShrU, ShrS                             Binary
	CompareU, CompareS                          Comparison
	Expand                                      func(d Rows, m *[MaxWarps]Mask, s *Sel)

	ResultFlags                    func(f []Flags, r Rows, width int, s *Sel)
	AddFlags, SubFlags             func(f []Flags, a, b Rows, width int, sat bool, s *Sel)
	AddCarryFlags                  func(f []Flags, a, b Rows, carry []Flags, width int, sat bool, s *Sel)
	ShlFlags, ShrUFlags, ShrSFlags func(f []Flags, a, n Rows, width int, s *Sel)

	FAddRN, FAddRZ, FMulRN, FMulRZ, FMin, FMax     Binary
	FSubRN                                         Binary
	FMad, FMsub, FNmad, FSlct                      Ternary
	FSat                                           Unary
	FCompare                                       Comparison
	FFlags, FSlctFlags                             func(f []Flags, r Rows, s *Sel)
	Rcp, Rsqrt, Lg2, Sin, Cos, Ex2, PreSin, PreEx2 Unary

	DAdd, DMul Rounded64
	DFma       func(d, a, b, c Rows64, r tesla.Round, s *Sel)
	DMin, DMax Binary64
	DModify    func(d, a Rows64, abs, neg bool, s *Sel)
	DCompare   func(out *[MaxWarps]Mask, a, b Rows64, cmp uint8, s *Sel)
	DFlags     func(f []Flags, r Rows64, s *Sel)

	Follow   func(out *[MaxWarps]Mask, base *[MaxWarps]uint32, a Rows, pattern *Row, s *Sel)
	Gather   func(d Rows, start *[MaxWarps]unsafe.Pointer, pattern *Row, s *Sel)
	Scatter  func(start *[MaxWarps]unsafe.Pointer, pattern *Row, a Rows, s *Sel)
	LoadRun  func(d Rows, start *[MaxWarps]unsafe.Pointer, s *Sel)
	StoreRun func(start *[MaxWarps]unsafe.Pointer, a Rows, s *Sel)
	Spread   func(d Rows, v *[MaxWarps]uint32, s *Sel)

	Even func(a *Row, base, stride uint32) Mask
	Pack func(d *[2 * Width]uint32, a *Row, m Mask)

	// convert returns the vector kernel of a conversion, or nil.
	convert func(c fpu.Conversion) Unary
	// convert64 is convert for conversions with a side of 64 bits.
	convert64 func(c fpu.Conversion) func(d, a Rows64, s *Sel)
}

// portable returns the set that runs anywhere.
func portable() *Kernels {
	return &Kernels{
		SIMD: Off,

		Move: Move, Not: Not,
		ExtractLowU: ExtractLowU, ExtractLowS: ExtractLowS,
		ExtractHighU: ExtractHighU, ExtractHighS: ExtractHighS,
		ExtractByteU: ExtractByteU, ExtractByteS: ExtractByteS,
		InsertLow: InsertLow, InsertHigh: InsertHigh,
		And: And, AndNot: AndNot, Or: Or, OrNot: OrNot, Xor: Xor,

		Add: Add, Sub: Sub, AbsDiffU: AbsDiffU, AbsDiffS: AbsDiffS,
		AddCarry: AddCarry,
		AddSat:   AddSat, SubSat: SubSat,
		AddCarrySat: AddCarrySat,
		Mul:         Mul, Mul24LoU: Mul24LoU, Mul24LoS: Mul24LoS, Mul24HiU: Mul24HiU, Mul24HiS: Mul24HiS,
		MulLowLow: MulLowLow, MulHighLow: MulHighLow, MulHighHigh: MulHighHigh,
		MulAdd:       MulAdd,
		MulAddLowLow: MulAddLowLow, MulAddHighLow: MulAddHighLow, MulAddHighHigh: MulAddHighHigh,
		MinU: MinU, MinS: MinS, MaxU: MaxU, MaxS: MaxS,
		Shl: Shl, ShrU: ShrU, ShrS: ShrS,
		CompareU: CompareU, CompareS: CompareS,
		Expand: Expand,

		ResultFlags: ResultFlags,
		AddFlags:    AddFlags, SubFlags: SubFlags,
		AddCarryFlags: AddCarryFlags,
		ShlFlags:      ShlFlags, ShrUFlags: ShrUFlags, ShrSFlags: ShrSFlags,

		FAddRN: FAddRN, FAddRZ: FAddRZ, FSubRN: FSubRN, FMulRN: FMulRN, FMulRZ: FMulRZ, FMin: FMin, FMax: FMax,
		FMad: FMad, FMsub: FMsub, FNmad: FNmad, FSlct: FSlct,
		FSat:     FSat,
		FCompare: FCompare,
		FFlags:   FFlags, FSlctFlags: FSlctFlags,
		Rcp: Rcp, Rsqrt: Rsqrt, Lg2: Lg2, Sin: Sin, Cos: Cos, Ex2: Ex2, PreSin: PreSin, PreEx2: PreEx2,

		DAdd: DAdd, DMul: DMul, DFma: DFma, DMin: DMin, DMax: DMax,
		DModify: DModify, DCompare: DCompare, DFlags: DFlags,

		Follow: Follow, Gather: Gather, Scatter: Scatter, LoadRun: LoadRun, StoreRun: StoreRun, Spread: Spread,

		Even: Even, Pack: Pack,

		convert:   func(fpu.Conversion) Unary { return nil },
		convert64: func(fpu.Conversion) func(d, a Rows64, s *Sel) { return nil },
	}
}

// MulHalves returns the kernel of a product of unsigned halves: the high half of a if
// aHigh, the low half otherwise, and the same for b.
func (k *Kernels) MulHalves(aHigh, bHigh bool) Binary {
	switch {
	case aHigh && bHigh:
		return k.MulHighHigh
	case aHigh:
		return k.MulHighLow
	case bHigh:
		return func(d, a, b Rows, s *Sel) { k.MulHighLow(d, b, a, s) }
	}
	return k.MulLowLow
}

// MulAddHalves returns the kernel of a product of halves, as in MulHalves, plus c.
func (k *Kernels) MulAddHalves(aHigh, bHigh bool) Ternary {
	switch {
	case aHigh && bHigh:
		return k.MulAddHighHigh
	case aHigh:
		return k.MulAddHighLow
	case bHigh:
		return func(d, a, b, c Rows, s *Sel) { k.MulAddHighLow(d, b, a, c, s) }
	}
	return k.MulAddLowLow
}
