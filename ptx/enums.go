package ptx

// Type is a type of the language.
type Type uint8

// The types.
const (
	NoType Type = iota
	Pred
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	BF16
	BF16x2
	F32
	F64
	TexRef
	SamplerRef
	SurfRef
	U16x2 // two 16-bit integers in 32 bits
	S16x2
	U2 // of results of cvt.pack alone, as the other three
	U4
	S2
	S4
)

// Space is a state space.
type Space uint8

// The state spaces. An address without a space is generic.
const (
	Generic Space = iota
	Reg
	Const
	Global
	Local
	Param
	Shared
	Tex
)

// Round is a rounding modifier.
type Round uint8

// The rounding modifiers. Without one, arithmetic rounds to nearest and mul and add may be
// contracted.
const (
	NoRound Round = iota
	RN            // to nearest even
	RZ            // towards zero
	RM            // down
	RP            // up
	RNI           // to an integer: nearest even
	RZI
	RMI
	RPI
	RNA // to nearest, ties away from zero
)

// Cmp is a comparison.
type Cmp uint8

// The comparisons. Comparisons with U hold for NaN, too; Lo to Hs are unsigned.
const (
	NoCmp Cmp = iota
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Lo
	Ls
	Hi
	Hs
	Equ
	Neu
	Ltu
	Leu
	Gtu
	Geu
	Num
	Nan
)

// BoolOp combines predicates.
type BoolOp uint8

// The operations on predicates.
const (
	NoBool BoolOp = iota
	And
	Or
	Xor
)

// Mods are the modifiers that are there or not.
type Mods uint64

// The modifiers.
const (
	Uni      Mods = 1 << iota // bra, call: all threads of the warp go the same way
	Sat                       // clamps to [0, 1], or to the type's range
	Ftz                       // denormals are zero
	Approx                    // the fast approximation
	Full                      // div.full
	Wide                      // mul, mad: the result is twice as wide
	LoHalf                    // mul, mad: the lower half
	HiHalf                    // mul, mad: the upper half
	Volatile                  // ld, st: neither removed nor combined
	CarryOut                  // .cc
	To                        // cvta.to: from generic
	Noinc
	Sync    // shfl.sync, vote.sync, bar.warp.sync: a mask of lanes follows
	Aligned // barrier.sync.aligned
	Trap    // sust.b.trap
	Clamp   // suld.clamp, sust.clamp, shf.clamp
	Zero    // suld.zero, sust.zero
	Wrap    // shf.wrap
	Shiftamt
	Nc   // ld.global.nc
	Left // shf.l
	Right
	Relu
	NaN // min.NaN
	XorSign
	Unified   // ld.unified
	Noftz     // atom.add.noftz
	Formatted // suld.p, sust.p, sured.p: the format converts; without it, bits (.b)
	EventMask // pmevent.mask
	AbsResult // min.xorsign.abs
	CacheHint // ld, st, cp.async: a policy of the second cache follows
	Pack      // cvt.pack
	PlusOne   // vmad.po
	Shr7      // vmad: the sum is shifted
	Shr15
)

// AtomOp is the operation of atom and red.
type AtomOp uint8

// The atomic operations.
const (
	NoAtom AtomOp = iota
	AtomAnd
	AtomOr
	AtomXor
	AtomCas
	AtomExch
	AtomAdd
	AtomInc
	AtomDec
	AtomMin
	AtomMax
)

// Geom is the geometry of a texture or surface.
type Geom uint8

// The geometries.
const (
	NoGeom Geom = iota
	Geom1D
	Geom2D
	Geom3D
	GeomA1D
	GeomA2D
	GeomCube
	GeomACube
	Geom2DMS
	GeomA2DMS
)

// Mode is a modifier of one operation alone.
type Mode uint8

// The modes.
const (
	NoMode  Mode = iota
	VoteAll      // vote
	VoteAny
	VoteUni
	VoteBallot
	ShflUp // shfl
	ShflDown
	ShflBfly
	ShflIdx
	BarSync // bar, barrier
	BarArrive
	BarRed // with Instr.Atom: AtomAdd for popc, AtomAnd, AtomOr
	BarWarp
	PrmtF4E // prmt
	PrmtB4E
	PrmtRC8
	PrmtECL
	PrmtECR
	PrmtRC16
	TestFinite // testp
	TestInfinite
	TestNumber
	TestNotANumber
	TestNormal
	TestSubnormal
	FenceCTA // membar, fence: the scope
	FenceGL  // .gl of membar, .gpu of fence
	FenceSys
	MatchAny // match
	MatchAll
	FenceCluster
	PrefetchL1 // prefetch, prefetchu
	PrefetchL2
	TexBase // tex: the most detailed level
	TexLevel
	TexGrad
	GatherR // tld4: the component
	GatherG
	GatherB
	GatherA
	QueryWidth // txq, suq
	QueryHeight
	QueryDepth
	QueryChannelDataType
	QueryChannelOrder
	QueryNormalizedCoords
	QueryForceUnnormalizedCoords
	QueryFilterMode
	QueryAddrMode0
	QueryAddrMode1
	QueryAddrMode2
	QueryArraySize
	QueryNumMipmapLevels
	QueryNumSamples
	QueryMemoryLayout
	CopyCommit // cp.async
	CopyWait
	CopyWaitAll
)

// Op is an operation.
type Op uint8

// The operations, by the name in the text.
const (
	NoOp Op = iota
	OpAbs
	OpActiveMask
	OpAdd
	OpAddc
	OpAlloca
	OpAnd
	OpApplyPriority
	OpAtom
	OpBar
	OpBfe
	OpBfi
	OpBfind
	OpBmsk
	OpBra
	OpBrev
	OpBrkpt
	OpBrx
	OpCall
	OpClz
	OpCnot
	OpCopysign
	OpCos
	OpCp
	OpCreatePolicy
	OpCvt
	OpCvta
	OpDiscard
	OpDiv
	OpDp2a
	OpDp4a
	OpEx2
	OpExit
	OpFence
	OpFma
	OpFns
	OpGridDepControl
	OpIsspacep
	OpLd
	OpLdu
	OpLg2
	OpLop3
	OpMad
	OpMad24
	OpMadc
	OpMatch
	OpMax
	OpMembar
	OpMin
	OpMov
	OpMul
	OpMul24
	OpNanosleep
	OpNeg
	OpNot
	OpOr
	OpPmevent
	OpPopc
	OpPrefetch
	OpPrefetchu
	OpPrmt
	OpRcp
	OpRed
	OpRedux
	OpRem
	OpRet
	OpRsqrt
	OpSad
	OpSelp
	OpSet
	OpSetMaxNReg
	OpSetp
	OpShf
	OpShfl
	OpShl
	OpShr
	OpSin
	OpSlct
	OpSqrt
	OpSt
	OpStackRestore
	OpStackSave
	OpSub
	OpSubc
	OpSuld
	OpSuq
	OpSured
	OpSust
	OpSzext
	OpTanh
	OpTestp
	OpTex
	OpTld4
	OpTrap
	OpTxq
	OpVabsdiff
	OpVabsdiff2
	OpVabsdiff4
	OpVadd
	OpVadd2
	OpVadd4
	OpVavrg2
	OpVavrg4
	OpVmad
	OpVmax
	OpVmax2
	OpVmax4
	OpVmin
	OpVmin2
	OpVmin4
	OpVote
	OpVset
	OpVset2
	OpVset4
	OpVshl
	OpVshr
	OpVsub
	OpVsub2
	OpVsub4
	OpXor

	numOps
)
