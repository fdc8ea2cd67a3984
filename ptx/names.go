package ptx

import "strconv"

// Names are spelled as in the text, without the dot.
var (
	typeNames = [...]string{"", "pred", "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64",
		"s8", "s16", "s32", "s64", "f16", "f16x2", "bf16", "bf16x2", "f32", "f64", "texref",
		"samplerref", "surfref", "u16x2", "s16x2", "u2", "u4", "s2", "s4"}
	typeBits = [...]uint8{0, 1, 8, 16, 32, 64, 128, 8, 16, 32, 64, 8, 16, 32, 64, 16, 32, 16, 32, 32,
		64, 64, 64, 64, 32, 32, 2, 4, 2, 4}
	spaceNames = [...]string{"", "reg", "const", "global", "local", "param", "shared", "tex"}
	roundNames = [...]string{"", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna"}
	cmpNames   = [...]string{"", "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ",
		"neu", "ltu", "leu", "gtu", "geu", "num", "nan"}
	boolNames = [...]string{"", "and", "or", "xor"}
	modNames  = [...]string{"uni", "sat", "ftz", "approx", "full", "wide", "lo", "hi", "volatile",
		"cc", "to", "noinc", "sync", "aligned", "trap", "clamp", "zero", "wrap", "shiftamt", "nc",
		"l", "r", "relu", "NaN", "xorsign", "unified", "noftz", "p", "mask", "abs",
		"L2::cache_hint", "pack", "po", "shr7", "shr15"}
	atomNames = [...]string{"", "and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"}
	geomNames = [...]string{"", "1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"}
	modeNames = [...]string{"", "all", "any", "uni", "ballot", "up", "down", "bfly", "idx", "sync",
		"arrive", "red", "warp", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16", "finite", "infinite",
		"number", "notanumber", "normal", "subnormal", "cta", "gl", "sys", "any", "all", "cluster",
		"L1", "L2", "base", "level", "grad", "r", "g", "b", "a", "width", "height", "depth",
		"channel_data_type", "channel_order", "normalized_coords", "force_unnormalized_coords",
		"filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2", "array_size",
		"num_mipmap_levels", "num_samples", "memory_layout", "commit_group", "wait_group", "wait_all"}
	orderNames = [...]string{"", "weak", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"}
	scopeNames = [...]string{"", "cta", "cluster", "gpu", "sys"}
	cacheNames = [...]string{"", "ca", "cg", "cs", "lu", "cv", "wb", "wt"}
	linkNames  = [...]string{"", "visible", "extern", "weak", "common"}

	opNames = [numOps]string{OpAbs: "abs", OpActiveMask: "activemask", OpAdd: "add", OpAddc: "addc",
		OpAlloca: "alloca", OpAnd: "and", OpApplyPriority: "applypriority", OpAtom: "atom", OpBar: "bar", OpBfe: "bfe", OpBfi: "bfi",
		OpBfind: "bfind", OpBmsk: "bmsk", OpBra: "bra", OpBrev: "brev", OpBrkpt: "brkpt",
		OpBrx: "brx", OpCall: "call", OpClz: "clz", OpCnot: "cnot", OpCopysign: "copysign",
		OpCos: "cos", OpCp: "cp", OpCreatePolicy: "createpolicy", OpCvt: "cvt", OpCvta: "cvta", OpDiscard: "discard", OpDiv: "div", OpDp2a: "dp2a", OpDp4a: "dp4a",
		OpEx2: "ex2", OpExit: "exit", OpFence: "fence", OpFma: "fma", OpFns: "fns", OpGridDepControl: "griddepcontrol",
		OpIsspacep: "isspacep", OpLd: "ld", OpLdu: "ldu", OpLg2: "lg2", OpLop3: "lop3", OpMad: "mad",
		OpMad24: "mad24", OpMadc: "madc", OpMatch: "match", OpMax: "max", OpMembar: "membar",
		OpMin: "min", OpMov: "mov", OpMul: "mul", OpMul24: "mul24", OpNanosleep: "nanosleep",
		OpNeg: "neg", OpNot: "not", OpOr: "or", OpPmevent: "pmevent", OpPopc: "popc",
		OpPrefetch: "prefetch", OpPrefetchu: "prefetchu", OpPrmt: "prmt", OpRcp: "rcp", OpRed: "red",
		OpRedux: "redux", OpRem: "rem", OpRet: "ret", OpRsqrt: "rsqrt", OpSad: "sad",
		OpSelp: "selp", OpSet: "set", OpSetMaxNReg: "setmaxnreg", OpSetp: "setp", OpShf: "shf", OpShfl: "shfl", OpShl: "shl",
		OpShr: "shr", OpSin: "sin", OpSlct: "slct", OpSqrt: "sqrt", OpSt: "st",
		OpStackRestore: "stackrestore", OpStackSave: "stacksave", OpSub: "sub", OpSubc: "subc",
		OpSuld: "suld", OpSuq: "suq", OpSured: "sured", OpSust: "sust", OpSzext: "szext",
		OpTanh: "tanh", OpTestp: "testp", OpTex: "tex", OpTld4: "tld4", OpTrap: "trap",
		OpTxq: "txq", OpVabsdiff: "vabsdiff", OpVabsdiff2: "vabsdiff2", OpVabsdiff4: "vabsdiff4",
		OpVadd: "vadd", OpVadd2: "vadd2",
		OpVadd4: "vadd4", OpVavrg2: "vavrg2", OpVavrg4: "vavrg4", OpVmad: "vmad", OpVmax: "vmax", OpVmax2: "vmax2",
		OpVmax4: "vmax4", OpVmin: "vmin", OpVmin2: "vmin2", OpVmin4: "vmin4", OpVote: "vote", OpVset: "vset",
		OpVset2: "vset2",
		OpVset4: "vset4", OpVshl: "vshl", OpVshr: "vshr", OpVsub: "vsub", OpVsub2: "vsub2", OpVsub4: "vsub4", OpXor: "xor"}
)

// name returns the entry of a table of names, or kind(value) for a value that the table lacks.
func name[T ~uint8](names []string, value T, kind string) string {
	if int(value) < len(names) {
		return names[value]
	}
	return kind + "(" + strconv.Itoa(int(value)) + ")"
}

// String returns the name in the text without the dot, "" for NoType.
func (t Type) String() string { return name(typeNames[:], t, "Type") }

// String returns the name in the text without the dot, "" for Generic.
func (s Space) String() string { return name(spaceNames[:], s, "Space") }

// String returns the name in the text without the dot, "" for NoRound.
func (r Round) String() string { return name(roundNames[:], r, "Round") }

// String returns the name in the text without the dot, "" for NoCmp.
func (c Cmp) String() string { return name(cmpNames[:], c, "Cmp") }

// String returns the name in the text without the dot, "" for NoBool.
func (b BoolOp) String() string { return name(boolNames[:], b, "BoolOp") }

// String returns the name in the text without the dot, "" for NoAtom.
func (a AtomOp) String() string { return name(atomNames[:], a, "AtomOp") }

// String returns the name in the text without the dot, "" for NoGeom.
func (g Geom) String() string { return name(geomNames[:], g, "Geom") }

// String returns the name in the text without the dot, "" for NoMode.
func (m Mode) String() string { return name(modeNames[:], m, "Mode") }

// String returns the name in the text without the dot, "" for NoOrder.
func (o Order) String() string { return name(orderNames[:], o, "Order") }

// String returns the name in the text without the dot, "" for NoScope.
func (s MemScope) String() string { return name(scopeNames[:], s, "MemScope") }

// String returns the name in the text without the dot, "" for NoCache.
func (c CacheOp) String() string { return name(cacheNames[:], c, "CacheOp") }

// String returns the name in the text without the dot, "" for Private.
func (l Linkage) String() string { return name(linkNames[:], l, "Linkage") }

// String returns the name in the text, "" for NoOp.
func (o Op) String() string { return name(opNames[:], o, "Op") }

// Bits returns the width of a value: 1 for Pred, 64 for references to textures and surfaces.
func (t Type) Bits() int {
	if int(t) < len(typeBits) {
		return int(typeBits[t])
	}
	return 0
}

// Bytes returns the size of a value in memory.
func (t Type) Bytes() int { return (t.Bits() + 7) / 8 }

// Float reports whether values are floats or pairs of them.
func (t Type) Float() bool { return t >= F16 && t <= F64 }

// Signed reports whether values are integers with a sign.
func (t Type) Signed() bool { return t >= S8 && t <= S64 || t == S16x2 || t == S2 || t == S4 }

// Unsigned reports whether values are integers without a sign.
func (t Type) Unsigned() bool { return t >= U8 && t <= U64 || t == U16x2 || t == U2 || t == U4 }

// Opaque reports whether values are references to textures, samplers or surfaces.
func (t Type) Opaque() bool { return t >= TexRef && t <= SurfRef }
