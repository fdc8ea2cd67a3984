package ir

// Op is the operation that makes a value.
type Op uint8

// The operations. Args are named a, b, c in order. Kinds of operands and results are Words unless
// a line says otherwise; operations marked WL work on Words and Longs, by the kind of the result.
// An integer operation whose Sub is a type of 16 bits uses the lower halves of its operands.
const (
	NoOp Op = iota

	// Values without operands.
	Const    // Imm; any kind; a Pred is 0 or 1
	Undef    // any bits; any kind
	Tid      // what the machine puts into $r0: tid.x | tid.y<<16 | tid.z<<26
	Header   // the u16 at byte Imm of s[], the launch's header, extended by zero
	Param    // the parameter at byte Imm of the parameters, of type Sub, extended to a Word
	Physid   // the special register %physid
	Clock    // the special register %clock; reads of it keep their order
	Pm       // the special register %pm0 + Imm
	Symbol   // the address of Sym plus Imm in its own space; a Word
	Phi      // one operand per predecessor of the block, in order
	Copy     // WL
	Pack     // Long from lower and upper Word
	Low      // lower Word of a Long
	High     // upper Word of a Long
	Element  // word Imm of a Tuple
	Generic  // the generic address of an address in Space
	Specific // the address in Space of a generic one

	// Integers.
	Add     // WL
	Sub     // WL
	AddC    // a + b + carry of c, an Add, Sub or AddC
	Mul     // WL: lower half of the product
	MulHi   // WL: upper half, signed if Sub is
	Mul16   // product of two lower halves, signed if Sub is
	Mul24   // lower 32 bits of the product of 24 bits, signed if Sub is
	Mul24Hi // upper 32 of its 48 bits
	Neg     // WL
	Abs     // WL, signed
	Sad     // c + |a - b|, signed if Sub is
	Min     // WL, signed if Sub is
	Max     // WL
	And     // WL and Pred
	Or      // WL and Pred
	Xor     // WL and Pred
	Not     // WL and Pred
	Shl     // WL: b is a Word; from the width on, zero
	ShrU    // WL
	ShrS    // WL
	ZExt8   // bits 7..0, extended by zero
	ZExt16
	SExt8
	SExt16
	Clamp   // cvt.sat: a, of integer type From, clamped into the integer type Sub
	ICmp    // Pred: a Cmp b, of type Sub
	ISet    // all ones or zero: a Cmp b, of type Sub
	Select  // WL: b if the Pred a holds, else c
	PredSet // all ones or zero from a Pred

	// Single precision.
	FAdd // Round, Sat
	FMul // Round, Sat
	FMad // a*b + c, product truncated; Sat
	FMin
	FMax
	FNeg
	FAbs
	FSat
	FCmp  // Pred
	FSet  // all ones or zero
	FSlct // a if c >= 0, else b; c is a float
	Rcp
	Rsqrt
	Lg2
	Sin // of what PreSin gives
	Cos // of what PreSin gives
	Ex2 // of what PreEx2 gives
	PreSin
	PreEx2
	Cvt // from type From to type Sub; Round, Sat; Words or Longs as the types say

	// Double precision, Longs.
	DAdd // Round
	DMul // Round
	DFma // Round
	DMin
	DMax
	DNeg
	DAbs
	DCmp // Pred
	DSet // Word

	// Memory. The address is a, a Word, plus Imm bytes; Sub is the type of an element, Count how
	// many. Results of one Word or one Long are that, others a Tuple of Words.
	Load   // Space
	Store  // Space; the data follow the address
	Atom   // Atom; operands after the address: b, and c for cas
	Red    // as Atom, without a result
	Locked // Pred: a, a Load with Lock, locked its word
	Tex    // Geom, Sym, Mask; coordinates; a Tuple of as many Words as Mask has bits
	Fence  // threadfence: earlier accesses come before later ones; Imm may be InCode

	// Warps and blocks.
	Bar  // Imm is the barrier; a, if there, is the number of threads
	Vote // Pred of a Pred; Imm 0 is any, 1 is all
	Meet // the live lanes of a warp are together here: code that looks at other lanes follows; a, if present, is the mask of the lanes that come

	// What only the last passes make.
	Shl16  // a << Imm into an address register; Addr
	AddrTo // a plus Imm; Addr from Addr

	opCount
)

// InCode is the Imm of a Fence that no instruction stands for.
const InCode = 1

// Effect is the effect of an operation besides making a value.
type Effect uint8

// The effects.
const (
	Pure   Effect = iota
	Reads         // memory: may not move over a write
	Writes        // memory, or something else that must happen once, in order
)

var opNames = [opCount]string{
	NoOp: "none", Const: "const", Undef: "undef", Tid: "tid", Header: "header", Param: "param",
	Physid: "physid", Clock: "clock", Pm: "pm", Symbol: "symbol", Phi: "phi", Copy: "copy",
	Pack: "pack", Low: "low", High: "high", Element: "element", Generic: "generic", Specific: "specific", Add: "add", Sub: "sub",
	AddC: "addc", Mul: "mul", MulHi: "mulhi", Mul16: "mul16", Mul24: "mul24",
	Mul24Hi: "mul24hi", Neg: "neg", Abs: "abs", Sad: "sad", Min: "min", Max: "max", And: "and",
	Or: "or", Xor: "xor", Not: "not", Shl: "shl", ShrU: "shr.u", ShrS: "shr.s", ZExt8: "zext8",
	ZExt16: "zext16", SExt8: "sext8", SExt16: "sext16", Clamp: "clamp", ICmp: "icmp",
	ISet: "iset", Select: "select", PredSet: "predset", FAdd: "fadd", FMul: "fmul", FMad: "fmad",
	FMin: "fmin", FMax: "fmax", FNeg: "fneg", FAbs: "fabs", FSat: "fsat", FCmp: "fcmp",
	FSet: "fset", FSlct: "fslct", Rcp: "rcp", Rsqrt: "rsqrt", Lg2: "lg2", Sin: "sin", Cos: "cos",
	Ex2: "ex2", PreSin: "presin", PreEx2: "preex2", Cvt: "cvt", DAdd: "dadd", DMul: "dmul",
	DFma: "dfma", DMin: "dmin", DMax: "dmax", DNeg: "dneg", DAbs: "dabs", DCmp: "dcmp",
	DSet: "dset", Load: "load", Store: "store", Atom: "atom", Red: "red", Locked: "locked", Tex: "tex",
	Fence: "fence", Bar: "bar", Vote: "vote", Meet: "meet", Shl16: "shl16", AddrTo: "addrto",
}

// String returns the operation's name.
func (o Op) String() string { return opNames[o] }

// Effect returns the effect of the operation besides making a value. Loads from constant memory
// and parameters are pure; see Value.Effect.
func (o Op) Effect() Effect {
	switch o {
	case Load, Tex:
		return Reads
	case Store, Atom, Red, Fence, Bar, Vote, Meet, Clock, Pm:
		return Writes
	}
	return Pure
}

// Commutes reports whether a and b may change places.
func (o Op) Commutes() bool {
	switch o {
	case Add, AddC, Mul, MulHi, Mul16, Mul24, Mul24Hi, Sad, Min, Max, And, Or, Xor,
		FAdd, FMul, FMad, DAdd, DMul, DFma:
		return true
	}
	return false
}
