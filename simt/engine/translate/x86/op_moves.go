package x86

// Moves and broadcasts. Stores of whole vectors are operations of their own.
const (
	// Whole vectors. The number is that of bits of an element, as the opmask sees it.
	VMOVDQU8 VOp = iota
	VMOVDQU8Store
	VMOVDQU16
	VMOVDQU16Store
	VMOVDQU32
	VMOVDQU32Store
	VMOVDQU64
	VMOVDQU64Store
	VMOVDQA32
	VMOVDQA32Store
	VMOVDQA64
	VMOVDQA64Store
	VMOVUPS
	VMOVUPSStore
	VMOVUPD
	VMOVUPDStore
	VMOVAPS
	VMOVAPSStore
	VMOVAPD
	VMOVAPDStore

	// One element. ...G has a general register as its source, ...R as its destination. VMOVQ moves
	// the low half of a vector, or that of memory.
	VMOVSS
	VMOVSSStore
	VMOVSD
	VMOVSDStore
	VMOVD
	VMOVDR
	VMOVQ
	VMOVQG
	VMOVQR
	VMOVQStore
	VPINSRD
	VPINSRQ
	VPEXTRD
	VPEXTRQ

	// One element or four, repeated. ...G has a general register as its source.
	VPBROADCASTB
	VPBROADCASTBG
	VPBROADCASTW
	VPBROADCASTWG
	VPBROADCASTD
	VPBROADCASTDG
	VPBROADCASTQ
	VPBROADCASTQG
	VBROADCASTSS
	VBROADCASTSD
	VBROADCASTF32X4
	VBROADCASTI32X4

	// Signs as bits of a general register; the status of floating point; the end of vector code.
	VMOVMSKPS
	VMOVMSKPD
	VPMOVMSKB
	VLDMXCSR
	VSTMXCSR
	VZEROUPPER

	endMoves
)

var moveRows = [...]row{
	{VMOVDQU8, "VMOVDQU8", rm, evex, pF2, m0F, 0x6F, w0, full, 0},
	{VMOVDQU8Store, "VMOVDQU8Store", st, evex, pF2, m0F, 0x7F, w0, full, 0},
	{VMOVDQU16, "VMOVDQU16", rm, evex, pF2, m0F, 0x6F, w1, full, 0},
	{VMOVDQU16Store, "VMOVDQU16Store", st, evex, pF2, m0F, 0x7F, w1, full, 0},
	{VMOVDQU32, "VMOVDQU32", rm, both, pF3, m0F, 0x6F, w0, full, 0},
	{VMOVDQU32Store, "VMOVDQU32Store", st, both, pF3, m0F, 0x7F, w0, full, 0},
	{VMOVDQU64, "VMOVDQU64", rm, both, pF3, m0F, 0x6F, wE, full, 0},
	{VMOVDQU64Store, "VMOVDQU64Store", st, both, pF3, m0F, 0x7F, wE, full, 0},
	{VMOVDQA32, "VMOVDQA32", rm, both, p66, m0F, 0x6F, w0, full, 0},
	{VMOVDQA32Store, "VMOVDQA32Store", st, both, p66, m0F, 0x7F, w0, full, 0},
	{VMOVDQA64, "VMOVDQA64", rm, both, p66, m0F, 0x6F, wE, full, 0},
	{VMOVDQA64Store, "VMOVDQA64Store", st, both, p66, m0F, 0x7F, wE, full, 0},
	{VMOVUPS, "VMOVUPS", rm, both, pNo, m0F, 0x10, w0, full, 0},
	{VMOVUPSStore, "VMOVUPSStore", st, both, pNo, m0F, 0x11, w0, full, 0},
	{VMOVUPD, "VMOVUPD", rm, both, p66, m0F, 0x10, wE, full, 0},
	{VMOVUPDStore, "VMOVUPDStore", st, both, p66, m0F, 0x11, wE, full, 0},
	{VMOVAPS, "VMOVAPS", rm, both, pNo, m0F, 0x28, w0, full, 0},
	{VMOVAPSStore, "VMOVAPSStore", st, both, pNo, m0F, 0x29, w0, full, 0},
	{VMOVAPD, "VMOVAPD", rm, both, p66, m0F, 0x28, wE, full, 0},
	{VMOVAPDStore, "VMOVAPDStore", st, both, p66, m0F, 0x29, wE, full, 0},

	// One element. ...G has a general register as its source, ...R as its destination. VMOVQ moves
	// the low half of a vector, or that of memory.
	{VMOVSS, "VMOVSS", rm, v1 | e1, pF3, m0F, 0x10, w0, mem4, memOnly | lig},
	{VMOVSSStore, "VMOVSSStore", st, v1 | e1, pF3, m0F, 0x11, w0, mem4, lig},
	{VMOVSD, "VMOVSD", rm, v1 | e1, pF2, m0F, 0x10, wE, mem8, memOnly | lig},
	{VMOVSDStore, "VMOVSDStore", st, v1 | e1, pF2, m0F, 0x11, wE, mem8, lig},
	{VMOVD, "VMOVD", rm, v1 | e1, p66, m0F, 0x6E, w0, mem4, rmR | noK | lig},
	{VMOVDR, "VMOVDR", mr, v1 | e1, p66, m0F, 0x7E, w0, mem4, dR | noK | lig},
	{VMOVQ, "VMOVQ", rm, v1 | e1, pF3, m0F, 0x7E, wE, mem8, noK | lig},
	{VMOVQG, "VMOVQG", rm, v1 | e1, p66, m0F, 0x6E, w1, noMem, rmR | noK | lig},
	{VMOVQR, "VMOVQR", mr, v1 | e1, p66, m0F, 0x7E, w1, noMem, dR | noK | lig},
	{VMOVQStore, "VMOVQStore", st, v1 | e1, p66, m0F, 0xD6, wE, mem8, noK | lig},
	{VPINSRD, "VPINSRD", rvm, v1 | e1, p66, m3A, 0x22, w0, mem4, imm8 | rmR | noK | lig},
	{VPINSRQ, "VPINSRQ", rvm, v1 | e1, p66, m3A, 0x22, w1, mem8, imm8 | rmR | noK | lig},
	{VPEXTRD, "VPEXTRD", mr, v1 | e1, p66, m3A, 0x16, w0, mem4, imm8 | dR | noK | lig},
	{VPEXTRQ, "VPEXTRQ", mr, v1 | e1, p66, m3A, 0x16, w1, mem8, imm8 | dR | noK | lig},

	// One element or four, repeated. ...G has a general register as its source.
	{VPBROADCASTB, "VPBROADCASTB", rm, both, p66, m38, 0x78, w0, mem1, 0},
	{VPBROADCASTBG, "VPBROADCASTBG", rm, evex, p66, m38, 0x7A, w0, noMem, rmR},
	{VPBROADCASTW, "VPBROADCASTW", rm, both, p66, m38, 0x79, w0, mem2, 0},
	{VPBROADCASTWG, "VPBROADCASTWG", rm, evex, p66, m38, 0x7B, w0, noMem, rmR},
	{VPBROADCASTD, "VPBROADCASTD", rm, both, p66, m38, 0x58, w0, mem4, 0},
	{VPBROADCASTDG, "VPBROADCASTDG", rm, evex, p66, m38, 0x7C, w0, noMem, rmR},
	{VPBROADCASTQ, "VPBROADCASTQ", rm, both, p66, m38, 0x59, wE, mem8, 0},
	{VPBROADCASTQG, "VPBROADCASTQG", rm, evex, p66, m38, 0x7C, w1, noMem, rmR},
	{VBROADCASTSS, "VBROADCASTSS", rm, both, p66, m38, 0x18, w0, mem4, 0},
	{VBROADCASTSD, "VBROADCASTSD", rm, v2 | e2 | e4, p66, m38, 0x19, wE, mem8, 0},
	{VBROADCASTF32X4, "VBROADCASTF32X4", rm, v2 | e2 | e4, p66, m38, 0x1A, w0, mem16, memOnly},
	{VBROADCASTI32X4, "VBROADCASTI32X4", rm, v2 | e2 | e4, p66, m38, 0x5A, w0, mem16, memOnly},

	// Signs as bits of a general register; the status of floating point; the end of vector code.
	{VMOVMSKPS, "VMOVMSKPS", rm, vex, pNo, m0F, 0x50, w0, noMem, dR},
	{VMOVMSKPD, "VMOVMSKPD", rm, vex, p66, m0F, 0x50, w0, noMem, dR},
	{VPMOVMSKB, "VPMOVMSKB", rm, vex, p66, m0F, 0xD7, w0, noMem, dR},
	{VLDMXCSR, "VLDMXCSR", m, v1, pNo, m0F, 0xAE, w0, mem4, 2 | memOnly | lig},
	{VSTMXCSR, "VSTMXCSR", m, v1, pNo, m0F, 0xAE, w0, mem4, 3 | memOnly | lig},
	{VZEROUPPER, "VZEROUPPER", nul, v1, pNo, m0F, 0x77, w0, noMem, lig},
}
