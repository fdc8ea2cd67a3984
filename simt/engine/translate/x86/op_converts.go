package x86

// Conversions of and to floating point. L is the width of the wider operand.
const (
	VCVTPS2PD VOp = iota + endFused
	VCVTPD2PS
	VCVTPH2PS
	VCVTPS2PH

	// Signed integers of 32 bits. TT truncates.
	VCVTDQ2PS
	VCVTPS2DQ
	VCVTTPS2DQ
	VCVTDQ2PD
	VCVTPD2DQ
	VCVTTPD2DQ

	// Unsigned integers of 32 bits.
	VCVTUDQ2PS
	VCVTPS2UDQ
	VCVTTPS2UDQ
	VCVTUDQ2PD
	VCVTPD2UDQ
	VCVTTPD2UDQ

	// Integers of 64 bits.
	VCVTQQ2PD
	VCVTUQQ2PD
	VCVTPD2QQ
	VCVTPD2UQQ
	VCVTTPD2QQ
	VCVTTPD2UQQ
	VCVTPS2QQ
	VCVTPS2UQQ
	VCVTTPS2QQ
	VCVTTPS2UQQ
	VCVTQQ2PS
	VCVTUQQ2PS

	endConvert
)

var convertRows = [...]row{
	{VCVTPS2PD, "VCVTPS2PD", rm, both, pNo, m0F, 0x5A, w0, half32, sae},
	{VCVTPD2PS, "VCVTPD2PS", rm, both, p66, m0F, 0x5A, wE, full64, er},
	{VCVTPH2PS, "VCVTPH2PS", rm, both, p66, m38, 0x13, w0, half, sae},
	{VCVTPS2PH, "VCVTPS2PH", mr, both, p66, m3A, 0x1D, w0, half, imm8 | sae},

	// Signed integers of 32 bits. TT truncates.
	{VCVTDQ2PS, "VCVTDQ2PS", rm, both, pNo, m0F, 0x5B, w0, full32, er},
	{VCVTPS2DQ, "VCVTPS2DQ", rm, both, p66, m0F, 0x5B, w0, full32, er},
	{VCVTTPS2DQ, "VCVTTPS2DQ", rm, both, pF3, m0F, 0x5B, w0, full32, sae},
	{VCVTDQ2PD, "VCVTDQ2PD", rm, both, pF3, m0F, 0xE6, w0, half32, 0},
	{VCVTPD2DQ, "VCVTPD2DQ", rm, both, pF2, m0F, 0xE6, wE, full64, er},
	{VCVTTPD2DQ, "VCVTTPD2DQ", rm, both, p66, m0F, 0xE6, wE, full64, sae},

	// Unsigned integers of 32 bits.
	{VCVTUDQ2PS, "VCVTUDQ2PS", rm, evex, pF2, m0F, 0x7A, w0, full32, er},
	{VCVTPS2UDQ, "VCVTPS2UDQ", rm, evex, pNo, m0F, 0x79, w0, full32, er},
	{VCVTTPS2UDQ, "VCVTTPS2UDQ", rm, evex, pNo, m0F, 0x78, w0, full32, sae},
	{VCVTUDQ2PD, "VCVTUDQ2PD", rm, evex, pF3, m0F, 0x7A, w0, half32, 0},
	{VCVTPD2UDQ, "VCVTPD2UDQ", rm, evex, pNo, m0F, 0x79, w1, full64, er},
	{VCVTTPD2UDQ, "VCVTTPD2UDQ", rm, evex, pNo, m0F, 0x78, w1, full64, sae},

	// Integers of 64 bits.
	{VCVTQQ2PD, "VCVTQQ2PD", rm, evex, pF3, m0F, 0xE6, w1, full64, er},
	{VCVTUQQ2PD, "VCVTUQQ2PD", rm, evex, pF3, m0F, 0x7A, w1, full64, er},
	{VCVTPD2QQ, "VCVTPD2QQ", rm, evex, p66, m0F, 0x7B, w1, full64, er},
	{VCVTPD2UQQ, "VCVTPD2UQQ", rm, evex, p66, m0F, 0x79, w1, full64, er},
	{VCVTTPD2QQ, "VCVTTPD2QQ", rm, evex, p66, m0F, 0x7A, w1, full64, sae},
	{VCVTTPD2UQQ, "VCVTTPD2UQQ", rm, evex, p66, m0F, 0x78, w1, full64, sae},
	{VCVTPS2QQ, "VCVTPS2QQ", rm, evex, p66, m0F, 0x7B, w0, half32, er},
	{VCVTPS2UQQ, "VCVTPS2UQQ", rm, evex, p66, m0F, 0x79, w0, half32, er},
	{VCVTTPS2QQ, "VCVTTPS2QQ", rm, evex, p66, m0F, 0x7A, w0, half32, sae},
	{VCVTTPS2UQQ, "VCVTTPS2UQQ", rm, evex, p66, m0F, 0x78, w0, half32, sae},
	{VCVTQQ2PS, "VCVTQQ2PS", rm, evex, pNo, m0F, 0x5B, w1, full64, er},
	{VCVTUQQ2PS, "VCVTUQQ2PS", rm, evex, pF2, m0F, 0x7A, w1, full64, er},
}
