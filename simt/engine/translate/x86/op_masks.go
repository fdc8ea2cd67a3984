package x86

// Operations on mask registers, and between them and vectors.
const (
	// Moves: D from a mask register or memory; ...Store to memory; ...G from a general register,
	// ...R to one.
	KMOVB VOp = iota + endMoves
	KMOVBStore
	KMOVBG
	KMOVBR
	KMOVW
	KMOVWStore
	KMOVWG
	KMOVWR
	KMOVD
	KMOVDStore
	KMOVDG
	KMOVDR
	KMOVQ
	KMOVQStore
	KMOVQG
	KMOVQR

	// D = S op RM. KANDN is ^S & RM; KUNPCK puts S above RM.
	KANDB
	KANDW
	KANDD
	KANDQ
	KANDNB
	KANDNW
	KANDND
	KANDNQ
	KORB
	KORW
	KORD
	KORQ
	KXNORB
	KXNORW
	KXNORD
	KXNORQ
	KXORB
	KXORW
	KXORD
	KXORQ
	KADDB
	KADDW
	KADDD
	KADDQ
	KUNPCKBW
	KUNPCKWD
	KUNPCKDQ

	// The other way round: D is the first operand, RM the second or the only source.
	KNOTB
	KNOTW
	KNOTD
	KNOTQ
	KORTESTB
	KORTESTW
	KORTESTD
	KORTESTQ
	KTESTB
	KTESTW
	KTESTD
	KTESTQ
	KSHIFTLB
	KSHIFTLW
	KSHIFTLD
	KSHIFTLQ
	KSHIFTRB
	KSHIFTRW
	KSHIFTRD
	KSHIFTRQ

	// Signs of elements to a mask; and a mask to elements of all ones or zeros.
	VPMOVB2M
	VPMOVW2M
	VPMOVD2M
	VPMOVQ2M
	VPMOVM2B
	VPMOVM2W
	VPMOVM2D
	VPMOVM2Q

	endMasks
)

var maskRows = [...]row{
	{KMOVB, "KMOVB", rm, v1, p66, m0F, 0x90, w0, mem1, dK | rmK | lig},
	{KMOVBStore, "KMOVBStore", st, v1, p66, m0F, 0x91, w0, mem1, dK | lig},
	{KMOVBG, "KMOVBG", rm, v1, p66, m0F, 0x92, w0, noMem, dK | rmR | lig},
	{KMOVBR, "KMOVBR", rm, v1, p66, m0F, 0x93, w0, noMem, dR | rmK | lig},
	{KMOVW, "KMOVW", rm, v1, pNo, m0F, 0x90, w0, mem2, dK | rmK | lig},
	{KMOVWStore, "KMOVWStore", st, v1, pNo, m0F, 0x91, w0, mem2, dK | lig},
	{KMOVWG, "KMOVWG", rm, v1, pNo, m0F, 0x92, w0, noMem, dK | rmR | lig},
	{KMOVWR, "KMOVWR", rm, v1, pNo, m0F, 0x93, w0, noMem, dR | rmK | lig},
	{KMOVD, "KMOVD", rm, v1, p66, m0F, 0x90, w1, mem4, dK | rmK | lig},
	{KMOVDStore, "KMOVDStore", st, v1, p66, m0F, 0x91, w1, mem4, dK | lig},
	{KMOVDG, "KMOVDG", rm, v1, pF2, m0F, 0x92, w0, noMem, dK | rmR | lig},
	{KMOVDR, "KMOVDR", rm, v1, pF2, m0F, 0x93, w0, noMem, dR | rmK | lig},
	{KMOVQ, "KMOVQ", rm, v1, pNo, m0F, 0x90, w1, mem8, dK | rmK | lig},
	{KMOVQStore, "KMOVQStore", st, v1, pNo, m0F, 0x91, w1, mem8, dK | lig},
	{KMOVQG, "KMOVQG", rm, v1, pF2, m0F, 0x92, w1, noMem, dK | rmR | lig},
	{KMOVQR, "KMOVQR", rm, v1, pF2, m0F, 0x93, w1, noMem, dR | rmK | lig},

	// D = S op RM. KANDN is ^S & RM; KUNPCK puts S above RM.
	{KANDB, "KANDB", rvm, v2, p66, m0F, 0x41, w0, noMem, dK | sK | rmK | lig},
	{KANDW, "KANDW", rvm, v2, pNo, m0F, 0x41, w0, noMem, dK | sK | rmK | lig},
	{KANDD, "KANDD", rvm, v2, p66, m0F, 0x41, w1, noMem, dK | sK | rmK | lig},
	{KANDQ, "KANDQ", rvm, v2, pNo, m0F, 0x41, w1, noMem, dK | sK | rmK | lig},
	{KANDNB, "KANDNB", rvm, v2, p66, m0F, 0x42, w0, noMem, dK | sK | rmK | lig},
	{KANDNW, "KANDNW", rvm, v2, pNo, m0F, 0x42, w0, noMem, dK | sK | rmK | lig},
	{KANDND, "KANDND", rvm, v2, p66, m0F, 0x42, w1, noMem, dK | sK | rmK | lig},
	{KANDNQ, "KANDNQ", rvm, v2, pNo, m0F, 0x42, w1, noMem, dK | sK | rmK | lig},
	{KORB, "KORB", rvm, v2, p66, m0F, 0x45, w0, noMem, dK | sK | rmK | lig},
	{KORW, "KORW", rvm, v2, pNo, m0F, 0x45, w0, noMem, dK | sK | rmK | lig},
	{KORD, "KORD", rvm, v2, p66, m0F, 0x45, w1, noMem, dK | sK | rmK | lig},
	{KORQ, "KORQ", rvm, v2, pNo, m0F, 0x45, w1, noMem, dK | sK | rmK | lig},
	{KXNORB, "KXNORB", rvm, v2, p66, m0F, 0x46, w0, noMem, dK | sK | rmK | lig},
	{KXNORW, "KXNORW", rvm, v2, pNo, m0F, 0x46, w0, noMem, dK | sK | rmK | lig},
	{KXNORD, "KXNORD", rvm, v2, p66, m0F, 0x46, w1, noMem, dK | sK | rmK | lig},
	{KXNORQ, "KXNORQ", rvm, v2, pNo, m0F, 0x46, w1, noMem, dK | sK | rmK | lig},
	{KXORB, "KXORB", rvm, v2, p66, m0F, 0x47, w0, noMem, dK | sK | rmK | lig},
	{KXORW, "KXORW", rvm, v2, pNo, m0F, 0x47, w0, noMem, dK | sK | rmK | lig},
	{KXORD, "KXORD", rvm, v2, p66, m0F, 0x47, w1, noMem, dK | sK | rmK | lig},
	{KXORQ, "KXORQ", rvm, v2, pNo, m0F, 0x47, w1, noMem, dK | sK | rmK | lig},
	{KADDB, "KADDB", rvm, v2, p66, m0F, 0x4A, w0, noMem, dK | sK | rmK | lig},
	{KADDW, "KADDW", rvm, v2, pNo, m0F, 0x4A, w0, noMem, dK | sK | rmK | lig},
	{KADDD, "KADDD", rvm, v2, p66, m0F, 0x4A, w1, noMem, dK | sK | rmK | lig},
	{KADDQ, "KADDQ", rvm, v2, pNo, m0F, 0x4A, w1, noMem, dK | sK | rmK | lig},
	{KUNPCKBW, "KUNPCKBW", rvm, v2, p66, m0F, 0x4B, w0, noMem, dK | sK | rmK | lig},
	{KUNPCKWD, "KUNPCKWD", rvm, v2, pNo, m0F, 0x4B, w0, noMem, dK | sK | rmK | lig},
	{KUNPCKDQ, "KUNPCKDQ", rvm, v2, pNo, m0F, 0x4B, w1, noMem, dK | sK | rmK | lig},

	// The other way round: D is the first operand, RM the second or the only source.
	{KNOTB, "KNOTB", rm, v1, p66, m0F, 0x44, w0, noMem, dK | rmK | lig},
	{KNOTW, "KNOTW", rm, v1, pNo, m0F, 0x44, w0, noMem, dK | rmK | lig},
	{KNOTD, "KNOTD", rm, v1, p66, m0F, 0x44, w1, noMem, dK | rmK | lig},
	{KNOTQ, "KNOTQ", rm, v1, pNo, m0F, 0x44, w1, noMem, dK | rmK | lig},
	{KORTESTB, "KORTESTB", rm, v1, p66, m0F, 0x98, w0, noMem, dK | rmK | lig},
	{KORTESTW, "KORTESTW", rm, v1, pNo, m0F, 0x98, w0, noMem, dK | rmK | lig},
	{KORTESTD, "KORTESTD", rm, v1, p66, m0F, 0x98, w1, noMem, dK | rmK | lig},
	{KORTESTQ, "KORTESTQ", rm, v1, pNo, m0F, 0x98, w1, noMem, dK | rmK | lig},
	{KTESTB, "KTESTB", rm, v1, p66, m0F, 0x99, w0, noMem, dK | rmK | lig},
	{KTESTW, "KTESTW", rm, v1, pNo, m0F, 0x99, w0, noMem, dK | rmK | lig},
	{KTESTD, "KTESTD", rm, v1, p66, m0F, 0x99, w1, noMem, dK | rmK | lig},
	{KTESTQ, "KTESTQ", rm, v1, pNo, m0F, 0x99, w1, noMem, dK | rmK | lig},
	{KSHIFTLB, "KSHIFTLB", rm, v1, p66, m3A, 0x32, w0, noMem, imm8 | dK | rmK | lig},
	{KSHIFTLW, "KSHIFTLW", rm, v1, p66, m3A, 0x32, w1, noMem, imm8 | dK | rmK | lig},
	{KSHIFTLD, "KSHIFTLD", rm, v1, p66, m3A, 0x33, w0, noMem, imm8 | dK | rmK | lig},
	{KSHIFTLQ, "KSHIFTLQ", rm, v1, p66, m3A, 0x33, w1, noMem, imm8 | dK | rmK | lig},
	{KSHIFTRB, "KSHIFTRB", rm, v1, p66, m3A, 0x30, w0, noMem, imm8 | dK | rmK | lig},
	{KSHIFTRW, "KSHIFTRW", rm, v1, p66, m3A, 0x30, w1, noMem, imm8 | dK | rmK | lig},
	{KSHIFTRD, "KSHIFTRD", rm, v1, p66, m3A, 0x31, w0, noMem, imm8 | dK | rmK | lig},
	{KSHIFTRQ, "KSHIFTRQ", rm, v1, p66, m3A, 0x31, w1, noMem, imm8 | dK | rmK | lig},

	// Signs of elements to a mask; and a mask to elements of all ones or zeros.
	{VPMOVB2M, "VPMOVB2M", rm, evex, pF3, m38, 0x29, w0, noMem, dK | noK},
	{VPMOVW2M, "VPMOVW2M", rm, evex, pF3, m38, 0x29, w1, noMem, dK | noK},
	{VPMOVD2M, "VPMOVD2M", rm, evex, pF3, m38, 0x39, w0, noMem, dK | noK},
	{VPMOVQ2M, "VPMOVQ2M", rm, evex, pF3, m38, 0x39, w1, noMem, dK | noK},
	{VPMOVM2B, "VPMOVM2B", rm, evex, pF3, m38, 0x28, w0, noMem, rmK | noK},
	{VPMOVM2W, "VPMOVM2W", rm, evex, pF3, m38, 0x28, w1, noMem, rmK | noK},
	{VPMOVM2D, "VPMOVM2D", rm, evex, pF3, m38, 0x38, w0, noMem, rmK | noK},
	{VPMOVM2Q, "VPMOVM2Q", rm, evex, pF3, m38, 0x38, w1, noMem, rmK | noK},
}
