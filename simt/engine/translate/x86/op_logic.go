package x86

// Logic, comparison, selection, and tests of bits.
const (
	VPANDD VOp = iota + endMasks
	VPANDQ
	VPANDND
	VPANDNQ
	VPORD
	VPORQ
	VPXORD
	VPXORQ
	VPTERNLOGD
	VPTERNLOGQ

	// Comparisons: into a vector in VEX, into a mask in EVEX.
	VPCMPEQB
	VPCMPEQW
	VPCMPEQD
	VPCMPEQQ
	VPCMPGTB
	VPCMPGTW
	VPCMPGTD
	VPCMPGTQ
	VCMPPS
	VCMPPD

	// Comparisons whose immediate tells the relation, see CmpEQ; into a mask.
	VPCMPB
	VPCMPUB
	VPCMPW
	VPCMPUW
	VPCMPD
	VPCMPUD
	VPCMPQ
	VPCMPUQ

	// Tests: the mask of elements with a bit in both sources, or with none; flags of bits in both.
	VPTESTMB
	VPTESTMW
	VPTESTMD
	VPTESTMQ
	VPTESTNMB
	VPTESTNMW
	VPTESTNMD
	VPTESTNMQ
	VPTEST
	VTESTPS
	VTESTPD

	// Selection: by an opmask, a vector, or an immediate.
	VPBLENDMB
	VPBLENDMW
	VPBLENDMD
	VPBLENDMQ
	VPBLENDVB
	VBLENDVPS
	VBLENDVPD
	VPBLENDD
	VPBLENDW
	VBLENDPS

	endLogic
)

var logicRows = [...]row{
	{VPANDD, "VPANDD", rvm, both, p66, m0F, 0xDB, w0, full32, 0},
	{VPANDQ, "VPANDQ", rvm, both, p66, m0F, 0xDB, wE, full64, 0},
	{VPANDND, "VPANDND", rvm, both, p66, m0F, 0xDF, w0, full32, 0},
	{VPANDNQ, "VPANDNQ", rvm, both, p66, m0F, 0xDF, wE, full64, 0},
	{VPORD, "VPORD", rvm, both, p66, m0F, 0xEB, w0, full32, 0},
	{VPORQ, "VPORQ", rvm, both, p66, m0F, 0xEB, wE, full64, 0},
	{VPXORD, "VPXORD", rvm, both, p66, m0F, 0xEF, w0, full32, 0},
	{VPXORQ, "VPXORQ", rvm, both, p66, m0F, 0xEF, wE, full64, 0},
	{VPTERNLOGD, "VPTERNLOGD", rvm, evex, p66, m3A, 0x25, w0, full32, imm8},
	{VPTERNLOGQ, "VPTERNLOGQ", rvm, evex, p66, m3A, 0x25, w1, full64, imm8},

	// Comparisons: into a vector in VEX, into a mask in EVEX.
	{VPCMPEQB, "VPCMPEQB", rvm, both, p66, m0F, 0x74, w0, full, dK},
	{VPCMPEQW, "VPCMPEQW", rvm, both, p66, m0F, 0x75, w0, full, dK},
	{VPCMPEQD, "VPCMPEQD", rvm, both, p66, m0F, 0x76, w0, full32, dK},
	{VPCMPEQQ, "VPCMPEQQ", rvm, both, p66, m38, 0x29, wE, full64, dK},
	{VPCMPGTB, "VPCMPGTB", rvm, both, p66, m0F, 0x64, w0, full, dK},
	{VPCMPGTW, "VPCMPGTW", rvm, both, p66, m0F, 0x65, w0, full, dK},
	{VPCMPGTD, "VPCMPGTD", rvm, both, p66, m0F, 0x66, w0, full32, dK},
	{VPCMPGTQ, "VPCMPGTQ", rvm, both, p66, m38, 0x37, wE, full64, dK},
	{VCMPPS, "VCMPPS", rvm, both, pNo, m0F, 0xC2, w0, full32, imm8 | sae | dK},
	{VCMPPD, "VCMPPD", rvm, both, p66, m0F, 0xC2, wE, full64, imm8 | sae | dK},

	// Comparisons whose immediate tells the relation, see CmpEQ; into a mask.
	{VPCMPB, "VPCMPB", rvm, evex, p66, m3A, 0x3F, w0, full, imm8 | dK},
	{VPCMPUB, "VPCMPUB", rvm, evex, p66, m3A, 0x3E, w0, full, imm8 | dK},
	{VPCMPW, "VPCMPW", rvm, evex, p66, m3A, 0x3F, w1, full, imm8 | dK},
	{VPCMPUW, "VPCMPUW", rvm, evex, p66, m3A, 0x3E, w1, full, imm8 | dK},
	{VPCMPD, "VPCMPD", rvm, evex, p66, m3A, 0x1F, w0, full32, imm8 | dK},
	{VPCMPUD, "VPCMPUD", rvm, evex, p66, m3A, 0x1E, w0, full32, imm8 | dK},
	{VPCMPQ, "VPCMPQ", rvm, evex, p66, m3A, 0x1F, w1, full64, imm8 | dK},
	{VPCMPUQ, "VPCMPUQ", rvm, evex, p66, m3A, 0x1E, w1, full64, imm8 | dK},

	// Tests: the mask of elements with a bit in both sources, or with none; flags of bits in both.
	{VPTESTMB, "VPTESTMB", rvm, evex, p66, m38, 0x26, w0, full, dK},
	{VPTESTMW, "VPTESTMW", rvm, evex, p66, m38, 0x26, w1, full, dK},
	{VPTESTMD, "VPTESTMD", rvm, evex, p66, m38, 0x27, w0, full32, dK},
	{VPTESTMQ, "VPTESTMQ", rvm, evex, p66, m38, 0x27, w1, full64, dK},
	{VPTESTNMB, "VPTESTNMB", rvm, evex, pF3, m38, 0x26, w0, full, dK},
	{VPTESTNMW, "VPTESTNMW", rvm, evex, pF3, m38, 0x26, w1, full, dK},
	{VPTESTNMD, "VPTESTNMD", rvm, evex, pF3, m38, 0x27, w0, full32, dK},
	{VPTESTNMQ, "VPTESTNMQ", rvm, evex, pF3, m38, 0x27, w1, full64, dK},
	{VPTEST, "VPTEST", rm, vex, p66, m38, 0x17, w0, full, 0},
	{VTESTPS, "VTESTPS", rm, vex, p66, m38, 0x0E, w0, full, 0},
	{VTESTPD, "VTESTPD", rm, vex, p66, m38, 0x0F, w0, full, 0},

	// Selection: by an opmask, a vector, or an immediate.
	{VPBLENDMB, "VPBLENDMB", rvm, evex, p66, m38, 0x66, w0, full, 0},
	{VPBLENDMW, "VPBLENDMW", rvm, evex, p66, m38, 0x66, w1, full, 0},
	{VPBLENDMD, "VPBLENDMD", rvm, evex, p66, m38, 0x64, w0, full32, 0},
	{VPBLENDMQ, "VPBLENDMQ", rvm, evex, p66, m38, 0x64, w1, full64, 0},
	{VPBLENDVB, "VPBLENDVB", rvmr, vex, p66, m3A, 0x4C, w0, full, 0},
	{VBLENDVPS, "VBLENDVPS", rvmr, vex, p66, m3A, 0x4A, w0, full, 0},
	{VBLENDVPD, "VBLENDVPD", rvmr, vex, p66, m3A, 0x4B, w0, full, 0},
	{VPBLENDD, "VPBLENDD", rvm, vex, p66, m3A, 0x02, w0, full, imm8},
	{VPBLENDW, "VPBLENDW", rvm, vex, p66, m3A, 0x0E, w0, full, imm8},
	{VBLENDPS, "VBLENDPS", rvm, vex, p66, m3A, 0x0C, w0, full, imm8},
}
