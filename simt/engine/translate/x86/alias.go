package x86

// Other names of operations. AVX2 has one VPAND, AVX-512 one per element size: in such a case
// AVX2's name stands for 32 bits. Operations that both extract and store have a second name for the
// store.
const (
	VMOVDQU = VMOVDQU32
	VMOVDQA = VMOVDQA32
	VPAND   = VPANDD
	VPANDN  = VPANDND
	VPOR    = VPORD
	VPXOR   = VPXORD

	VMOVDQUStore = VMOVDQU32Store
	VMOVDQAStore = VMOVDQA32Store

	VBROADCASTF128 = VBROADCASTF32X4
	VBROADCASTI128 = VBROADCASTI32X4
	VINSERTF128    = VINSERTF32X4
	VINSERTI128    = VINSERTI32X4
	VEXTRACTF128   = VEXTRACTF32X4
	VEXTRACTI128   = VEXTRACTI32X4

	VMOVDStore         = VMOVDR
	VPEXTRDStore       = VPEXTRD
	VPEXTRQStore       = VPEXTRQ
	VEXTRACTF32X4Store = VEXTRACTF32X4
	VEXTRACTI32X4Store = VEXTRACTI32X4
	VEXTRACTF32X8Store = VEXTRACTF32X8
	VEXTRACTI32X8Store = VEXTRACTI32X8
	VEXTRACTF64X4Store = VEXTRACTF64X4
	VEXTRACTI64X4Store = VEXTRACTI64X4
	VEXTRACTF128Store  = VEXTRACTF32X4
	VEXTRACTI128Store  = VEXTRACTI32X4
	VPMOVWBStore       = VPMOVWB
	VPMOVDBStore       = VPMOVDB
	VPMOVDWStore       = VPMOVDW
	VPMOVQDStore       = VPMOVQD
	VPCOMPRESSDStore   = VPCOMPRESSD
	VPCOMPRESSQStore   = VPCOMPRESSQ
	VCVTPS2PHStore     = VCVTPS2PH
)

// Relations of integer comparisons whose immediate tells the relation, VPCMPD and its like.
const (
	CmpEQ uint8 = iota
	CmpLT
	CmpLE
	CmpFalse
	CmpNE
	CmpGE
	CmpGT
	CmpTrue
)

// fromGeneral returns the form of op that reads a general register, if it has an opcode of its own.
func (op VOp) fromGeneral() VOp {
	switch op {
	case VMOVQ, VPBROADCASTB, VPBROADCASTW, VPBROADCASTD, VPBROADCASTQ:
		return op + 1
	case KMOVB, KMOVW, KMOVD, KMOVQ:
		return op + 2
	}
	return op
}
