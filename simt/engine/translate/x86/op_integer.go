package x86

// Arithmetic of integers, and counts of bits.
const (
	VPADDB VOp = iota + endShifts
	VPADDW
	VPADDD
	VPADDQ
	VPSUBB
	VPSUBW
	VPSUBD
	VPSUBQ
	VPMULLW
	VPMULHW
	VPMULHUW
	VPMULLD
	VPMULLQ
	VPMULUDQ
	VPMULDQ
	VPMADDWD
	VPMADDUBSW
	VPSADBW
	VPSIGNB
	VPSIGNW
	VPSIGND
	VPABSB
	VPABSW
	VPABSD
	VPABSQ
	VPMAXSB
	VPMAXSW
	VPMAXSD
	VPMAXSQ
	VPMAXUB
	VPMAXUW
	VPMAXUD
	VPMAXUQ
	VPMINSB
	VPMINSW
	VPMINSD
	VPMINSQ
	VPMINUB
	VPMINUW
	VPMINUD
	VPMINUQ
	VPAVGB
	VPAVGW

	// Counts of bits, and of equal elements before each (AVX512CD, AVX512_VPOPCNTDQ).
	VPLZCNTD
	VPLZCNTQ
	VPCONFLICTD
	VPCONFLICTQ
	VPOPCNTD
	VPOPCNTQ

	endInteger
)

var integerRows = [...]row{
	{VPADDB, "VPADDB", rvm, both, p66, m0F, 0xFC, w0, full, 0},
	{VPADDW, "VPADDW", rvm, both, p66, m0F, 0xFD, w0, full, 0},
	{VPADDD, "VPADDD", rvm, both, p66, m0F, 0xFE, w0, full32, 0},
	{VPADDQ, "VPADDQ", rvm, both, p66, m0F, 0xD4, wE, full64, 0},
	{VPSUBB, "VPSUBB", rvm, both, p66, m0F, 0xF8, w0, full, 0},
	{VPSUBW, "VPSUBW", rvm, both, p66, m0F, 0xF9, w0, full, 0},
	{VPSUBD, "VPSUBD", rvm, both, p66, m0F, 0xFA, w0, full32, 0},
	{VPSUBQ, "VPSUBQ", rvm, both, p66, m0F, 0xFB, wE, full64, 0},
	{VPMULLW, "VPMULLW", rvm, both, p66, m0F, 0xD5, w0, full, 0},
	{VPMULHW, "VPMULHW", rvm, both, p66, m0F, 0xE5, w0, full, 0},
	{VPMULHUW, "VPMULHUW", rvm, both, p66, m0F, 0xE4, w0, full, 0},
	{VPMULLD, "VPMULLD", rvm, both, p66, m38, 0x40, w0, full32, 0},
	{VPMULLQ, "VPMULLQ", rvm, evex, p66, m38, 0x40, w1, full64, 0},
	{VPMULUDQ, "VPMULUDQ", rvm, both, p66, m0F, 0xF4, wE, full64, 0},
	{VPMULDQ, "VPMULDQ", rvm, both, p66, m38, 0x28, wE, full64, 0},
	{VPMADDWD, "VPMADDWD", rvm, both, p66, m0F, 0xF5, w0, full, 0},
	{VPMADDUBSW, "VPMADDUBSW", rvm, both, p66, m38, 0x04, w0, full, 0},
	{VPSADBW, "VPSADBW", rvm, both, p66, m0F, 0xF6, w0, full, noK},
	{VPSIGNB, "VPSIGNB", rvm, vex, p66, m38, 0x08, w0, full, 0},
	{VPSIGNW, "VPSIGNW", rvm, vex, p66, m38, 0x09, w0, full, 0},
	{VPSIGND, "VPSIGND", rvm, vex, p66, m38, 0x0A, w0, full, 0},
	{VPABSB, "VPABSB", rm, both, p66, m38, 0x1C, w0, full, 0},
	{VPABSW, "VPABSW", rm, both, p66, m38, 0x1D, w0, full, 0},
	{VPABSD, "VPABSD", rm, both, p66, m38, 0x1E, w0, full32, 0},
	{VPABSQ, "VPABSQ", rm, evex, p66, m38, 0x1F, w1, full64, 0},
	{VPMAXSB, "VPMAXSB", rvm, both, p66, m38, 0x3C, w0, full, 0},
	{VPMAXSW, "VPMAXSW", rvm, both, p66, m0F, 0xEE, w0, full, 0},
	{VPMAXSD, "VPMAXSD", rvm, both, p66, m38, 0x3D, w0, full32, 0},
	{VPMAXSQ, "VPMAXSQ", rvm, evex, p66, m38, 0x3D, w1, full64, 0},
	{VPMAXUB, "VPMAXUB", rvm, both, p66, m0F, 0xDE, w0, full, 0},
	{VPMAXUW, "VPMAXUW", rvm, both, p66, m38, 0x3E, w0, full, 0},
	{VPMAXUD, "VPMAXUD", rvm, both, p66, m38, 0x3F, w0, full32, 0},
	{VPMAXUQ, "VPMAXUQ", rvm, evex, p66, m38, 0x3F, w1, full64, 0},
	{VPMINSB, "VPMINSB", rvm, both, p66, m38, 0x38, w0, full, 0},
	{VPMINSW, "VPMINSW", rvm, both, p66, m0F, 0xEA, w0, full, 0},
	{VPMINSD, "VPMINSD", rvm, both, p66, m38, 0x39, w0, full32, 0},
	{VPMINSQ, "VPMINSQ", rvm, evex, p66, m38, 0x39, w1, full64, 0},
	{VPMINUB, "VPMINUB", rvm, both, p66, m0F, 0xDA, w0, full, 0},
	{VPMINUW, "VPMINUW", rvm, both, p66, m38, 0x3A, w0, full, 0},
	{VPMINUD, "VPMINUD", rvm, both, p66, m38, 0x3B, w0, full32, 0},
	{VPMINUQ, "VPMINUQ", rvm, evex, p66, m38, 0x3B, w1, full64, 0},
	{VPAVGB, "VPAVGB", rvm, both, p66, m0F, 0xE0, w0, full, 0},
	{VPAVGW, "VPAVGW", rvm, both, p66, m0F, 0xE3, w0, full, 0},

	// Counts of bits, and of equal elements before each (AVX512CD, AVX512_VPOPCNTDQ).
	{VPLZCNTD, "VPLZCNTD", rm, evex, p66, m38, 0x44, w0, full32, 0},
	{VPLZCNTQ, "VPLZCNTQ", rm, evex, p66, m38, 0x44, w1, full64, 0},
	{VPCONFLICTD, "VPCONFLICTD", rm, evex, p66, m38, 0xC4, w0, full32, 0},
	{VPCONFLICTQ, "VPCONFLICTQ", rm, evex, p66, m38, 0xC4, w1, full64, 0},
	{VPOPCNTD, "VPOPCNTD", rm, evex, p66, m38, 0x55, w0, full32, 0},
	{VPOPCNTQ, "VPOPCNTQ", rm, evex, p66, m38, 0x55, w1, full64, 0},
}
