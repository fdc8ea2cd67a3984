package x86

// Arithmetic of floating point.
const (
	VADDPS VOp = iota + endMemory
	VADDPD
	VADDSS
	VADDSD
	VMULPS
	VMULPD
	VMULSS
	VMULSD
	VSUBPS
	VSUBPD
	VSUBSS
	VSUBSD
	VMINPS
	VMINPD
	VMINSS
	VMINSD
	VDIVPS
	VDIVPD
	VDIVSS
	VDIVSD
	VMAXPS
	VMAXPD
	VMAXSS
	VMAXSD
	VSQRTPS
	VSQRTPD
	VSQRTSS
	VSQRTSD

	// Bits of sign, and logic in the floating point unit.
	VANDPS
	VANDNPS
	VORPS
	VXORPS

	// Rounding to integers: VROUND in VEX, VRNDSCALE in EVEX.
	VROUNDPS
	VROUNDPD
	VRNDSCALEPS
	VRNDSCALEPD
	VREDUCEPS
	VREDUCEPD

	// Parts, classes and special cases of numbers.
	VRANGEPS
	VRANGEPD
	VFIXUPIMMPS
	VFIXUPIMMPD
	VGETEXPPS
	VGETEXPPD
	VGETMANTPS
	VGETMANTPD
	VSCALEFPS
	VSCALEFPD
	VFPCLASSPS
	VFPCLASSPD
	VRCP14PS
	VRSQRT14PS

	endFloat
)

var floatRows = [...]row{
	{VADDPS, "VADDPS", rvm, both, pNo, m0F, 0x58, w0, full32, er},
	{VADDPD, "VADDPD", rvm, both, p66, m0F, 0x58, wE, full64, er},
	{VADDSS, "VADDSS", rvm, v1 | e1, pF3, m0F, 0x58, w0, mem4, er | lig},
	{VADDSD, "VADDSD", rvm, v1 | e1, pF2, m0F, 0x58, wE, mem8, er | lig},
	{VMULPS, "VMULPS", rvm, both, pNo, m0F, 0x59, w0, full32, er},
	{VMULPD, "VMULPD", rvm, both, p66, m0F, 0x59, wE, full64, er},
	{VMULSS, "VMULSS", rvm, v1 | e1, pF3, m0F, 0x59, w0, mem4, er | lig},
	{VMULSD, "VMULSD", rvm, v1 | e1, pF2, m0F, 0x59, wE, mem8, er | lig},
	{VSUBPS, "VSUBPS", rvm, both, pNo, m0F, 0x5C, w0, full32, er},
	{VSUBPD, "VSUBPD", rvm, both, p66, m0F, 0x5C, wE, full64, er},
	{VSUBSS, "VSUBSS", rvm, v1 | e1, pF3, m0F, 0x5C, w0, mem4, er | lig},
	{VSUBSD, "VSUBSD", rvm, v1 | e1, pF2, m0F, 0x5C, wE, mem8, er | lig},
	{VMINPS, "VMINPS", rvm, both, pNo, m0F, 0x5D, w0, full32, sae},
	{VMINPD, "VMINPD", rvm, both, p66, m0F, 0x5D, wE, full64, sae},
	{VMINSS, "VMINSS", rvm, v1 | e1, pF3, m0F, 0x5D, w0, mem4, sae | lig},
	{VMINSD, "VMINSD", rvm, v1 | e1, pF2, m0F, 0x5D, wE, mem8, sae | lig},
	{VDIVPS, "VDIVPS", rvm, both, pNo, m0F, 0x5E, w0, full32, er},
	{VDIVPD, "VDIVPD", rvm, both, p66, m0F, 0x5E, wE, full64, er},
	{VDIVSS, "VDIVSS", rvm, v1 | e1, pF3, m0F, 0x5E, w0, mem4, er | lig},
	{VDIVSD, "VDIVSD", rvm, v1 | e1, pF2, m0F, 0x5E, wE, mem8, er | lig},
	{VMAXPS, "VMAXPS", rvm, both, pNo, m0F, 0x5F, w0, full32, sae},
	{VMAXPD, "VMAXPD", rvm, both, p66, m0F, 0x5F, wE, full64, sae},
	{VMAXSS, "VMAXSS", rvm, v1 | e1, pF3, m0F, 0x5F, w0, mem4, sae | lig},
	{VMAXSD, "VMAXSD", rvm, v1 | e1, pF2, m0F, 0x5F, wE, mem8, sae | lig},
	{VSQRTPS, "VSQRTPS", rm, both, pNo, m0F, 0x51, w0, full32, er},
	{VSQRTPD, "VSQRTPD", rm, both, p66, m0F, 0x51, wE, full64, er},
	{VSQRTSS, "VSQRTSS", rvm, v1 | e1, pF3, m0F, 0x51, w0, mem4, er | lig},
	{VSQRTSD, "VSQRTSD", rvm, v1 | e1, pF2, m0F, 0x51, wE, mem8, er | lig},

	// Bits of sign, and logic in the floating point unit.
	{VANDPS, "VANDPS", rvm, both, pNo, m0F, 0x54, w0, full32, 0},
	{VANDNPS, "VANDNPS", rvm, both, pNo, m0F, 0x55, w0, full32, 0},
	{VORPS, "VORPS", rvm, both, pNo, m0F, 0x56, w0, full32, 0},
	{VXORPS, "VXORPS", rvm, both, pNo, m0F, 0x57, w0, full32, 0},

	// Rounding to integers: VROUND in VEX, VRNDSCALE in EVEX.
	{VROUNDPS, "VROUNDPS", rm, vex, p66, m3A, 0x08, w0, full, imm8},
	{VROUNDPD, "VROUNDPD", rm, vex, p66, m3A, 0x09, w0, full, imm8},
	{VRNDSCALEPS, "VRNDSCALEPS", rm, evex, p66, m3A, 0x08, w0, full32, imm8 | sae},
	{VRNDSCALEPD, "VRNDSCALEPD", rm, evex, p66, m3A, 0x09, w1, full64, imm8 | sae},
	{VREDUCEPS, "VREDUCEPS", rm, evex, p66, m3A, 0x56, w0, full32, imm8 | sae},
	{VREDUCEPD, "VREDUCEPD", rm, evex, p66, m3A, 0x56, w1, full64, imm8 | sae},

	// Parts, classes and special cases of numbers.
	{VRANGEPS, "VRANGEPS", rvm, evex, p66, m3A, 0x50, w0, full32, imm8 | sae},
	{VRANGEPD, "VRANGEPD", rvm, evex, p66, m3A, 0x50, w1, full64, imm8 | sae},
	{VFIXUPIMMPS, "VFIXUPIMMPS", rvm, evex, p66, m3A, 0x54, w0, full32, imm8 | sae},
	{VFIXUPIMMPD, "VFIXUPIMMPD", rvm, evex, p66, m3A, 0x54, w1, full64, imm8 | sae},
	{VGETEXPPS, "VGETEXPPS", rm, evex, p66, m38, 0x42, w0, full32, sae},
	{VGETEXPPD, "VGETEXPPD", rm, evex, p66, m38, 0x42, w1, full64, sae},
	{VGETMANTPS, "VGETMANTPS", rm, evex, p66, m3A, 0x26, w0, full32, imm8 | sae},
	{VGETMANTPD, "VGETMANTPD", rm, evex, p66, m3A, 0x26, w1, full64, imm8 | sae},
	{VSCALEFPS, "VSCALEFPS", rvm, evex, p66, m38, 0x2C, w0, full32, er},
	{VSCALEFPD, "VSCALEFPD", rvm, evex, p66, m38, 0x2C, w1, full64, er},
	{VFPCLASSPS, "VFPCLASSPS", rm, evex, p66, m3A, 0x66, w0, full32, imm8 | dK},
	{VFPCLASSPD, "VFPCLASSPD", rm, evex, p66, m3A, 0x66, w1, full64, imm8 | dK},
	{VRCP14PS, "VRCP14PS", rm, evex, p66, m38, 0x4C, w0, full32, 0},
	{VRSQRT14PS, "VRSQRT14PS", rm, evex, p66, m38, 0x4E, w0, full32, 0},
}
