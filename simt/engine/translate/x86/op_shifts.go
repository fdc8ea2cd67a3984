package x86

// Shifts and rotations of integers.
const (
	// By an immediate: D = RM shifted by Imm.
	VPSLLWi VOp = iota + endLogic
	VPSRLWi
	VPSRAWi
	VPSLLDi
	VPSRLDi
	VPSRADi
	VPSLLQi
	VPSRLQi
	VPSRAQi
	VPSLLDQi
	VPSRLDQi
	VPROLD
	VPROLQ
	VPRORD
	VPRORQ

	// All elements by the low 64 bits of RM, which is an XMM register or 128 bits of memory.
	VPSLLW
	VPSRLW
	VPSRAW
	VPSLLD
	VPSRLD
	VPSRAD
	VPSLLQ
	VPSRLQ
	VPSRAQ

	// Each element of S by its own of RM.
	VPSLLVW
	VPSRLVW
	VPSRAVW
	VPSLLVD
	VPSRLVD
	VPSRAVD
	VPSLLVQ
	VPSRLVQ
	VPSRAVQ
	VPROLVD
	VPROLVQ
	VPRORVD
	VPRORVQ

	endShifts
)

var shiftRows = [...]row{
	{VPSLLWi, "VPSLLWi", vm, both, p66, m0F, 0x71, w0, full, 6 | imm8 | vexReg},
	{VPSRLWi, "VPSRLWi", vm, both, p66, m0F, 0x71, w0, full, 2 | imm8 | vexReg},
	{VPSRAWi, "VPSRAWi", vm, both, p66, m0F, 0x71, w0, full, 4 | imm8 | vexReg},
	{VPSLLDi, "VPSLLDi", vm, both, p66, m0F, 0x72, w0, full32, 6 | imm8 | vexReg},
	{VPSRLDi, "VPSRLDi", vm, both, p66, m0F, 0x72, w0, full32, 2 | imm8 | vexReg},
	{VPSRADi, "VPSRADi", vm, both, p66, m0F, 0x72, w0, full32, 4 | imm8 | vexReg},
	{VPSLLQi, "VPSLLQi", vm, both, p66, m0F, 0x73, wE, full64, 6 | imm8 | vexReg},
	{VPSRLQi, "VPSRLQi", vm, both, p66, m0F, 0x73, wE, full64, 2 | imm8 | vexReg},
	{VPSRAQi, "VPSRAQi", vm, evex, p66, m0F, 0x72, w1, full64, 4 | imm8},
	{VPSLLDQi, "VPSLLDQi", vm, both, p66, m0F, 0x73, w0, full, 7 | imm8 | vexReg | noK},
	{VPSRLDQi, "VPSRLDQi", vm, both, p66, m0F, 0x73, w0, full, 3 | imm8 | vexReg | noK},
	{VPROLD, "VPROLD", vm, evex, p66, m0F, 0x72, w0, full32, 1 | imm8},
	{VPROLQ, "VPROLQ", vm, evex, p66, m0F, 0x72, w1, full64, 1 | imm8},
	{VPRORD, "VPRORD", vm, evex, p66, m0F, 0x72, w0, full32, 0 | imm8},
	{VPRORQ, "VPRORQ", vm, evex, p66, m0F, 0x72, w1, full64, 0 | imm8},

	// All elements by the low 64 bits of RM, which is an XMM register or 128 bits of memory.
	{VPSLLW, "VPSLLW", rvm, both, p66, m0F, 0xF1, w0, mem16, 0},
	{VPSRLW, "VPSRLW", rvm, both, p66, m0F, 0xD1, w0, mem16, 0},
	{VPSRAW, "VPSRAW", rvm, both, p66, m0F, 0xE1, w0, mem16, 0},
	{VPSLLD, "VPSLLD", rvm, both, p66, m0F, 0xF2, w0, mem16, 0},
	{VPSRLD, "VPSRLD", rvm, both, p66, m0F, 0xD2, w0, mem16, 0},
	{VPSRAD, "VPSRAD", rvm, both, p66, m0F, 0xE2, w0, mem16, 0},
	{VPSLLQ, "VPSLLQ", rvm, both, p66, m0F, 0xF3, wE, mem16, 0},
	{VPSRLQ, "VPSRLQ", rvm, both, p66, m0F, 0xD3, wE, mem16, 0},
	{VPSRAQ, "VPSRAQ", rvm, evex, p66, m0F, 0xE2, w1, mem16, 0},

	// Each element of S by its own of RM.
	{VPSLLVW, "VPSLLVW", rvm, evex, p66, m38, 0x12, w1, full, 0},
	{VPSRLVW, "VPSRLVW", rvm, evex, p66, m38, 0x10, w1, full, 0},
	{VPSRAVW, "VPSRAVW", rvm, evex, p66, m38, 0x11, w1, full, 0},
	{VPSLLVD, "VPSLLVD", rvm, both, p66, m38, 0x47, w0, full32, 0},
	{VPSRLVD, "VPSRLVD", rvm, both, p66, m38, 0x45, w0, full32, 0},
	{VPSRAVD, "VPSRAVD", rvm, both, p66, m38, 0x46, w0, full32, 0},
	{VPSLLVQ, "VPSLLVQ", rvm, both, p66, m38, 0x47, w1, full64, 0},
	{VPSRLVQ, "VPSRLVQ", rvm, both, p66, m38, 0x45, w1, full64, 0},
	{VPSRAVQ, "VPSRAVQ", rvm, evex, p66, m38, 0x46, w1, full64, 0},
	{VPROLVD, "VPROLVD", rvm, evex, p66, m38, 0x15, w0, full32, 0},
	{VPROLVQ, "VPROLVQ", rvm, evex, p66, m38, 0x15, w1, full64, 0},
	{VPRORVD, "VPRORVD", rvm, evex, p66, m38, 0x14, w0, full32, 0},
	{VPRORVQ, "VPRORVQ", rvm, evex, p66, m38, 0x14, w1, full64, 0},
}
