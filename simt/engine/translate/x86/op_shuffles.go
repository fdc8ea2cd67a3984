package x86

// Permutations, insertions, extractions, and integers made wider or narrower.
const (
	VPUNPCKLBW VOp = iota + endInteger
	VPUNPCKLWD
	VPUNPCKLDQ
	VPUNPCKLQDQ
	VPUNPCKHBW
	VPUNPCKHWD
	VPUNPCKHDQ
	VPUNPCKHQDQ
	VUNPCKLPS
	VUNPCKHPS
	VPACKSSWB
	VPACKSSDW
	VPACKUSWB
	VPACKUSDW
	VPSHUFB
	VPSHUFD
	VPSHUFLW
	VPSHUFHW
	VSHUFPS
	VSHUFPD
	VPALIGNR
	VALIGND
	VALIGNQ

	// Across the whole vector.
	VPERMW
	VPERMD
	VPERMPS
	VPERMQ
	VPERMQi
	VPERMI2B
	VPERMI2D
	VPERMI2Q
	VPERMI2PS
	VPERMT2D
	VPERMT2Q
	VPERMT2PS
	VPERM2F128
	VPERM2I128
	VSHUFF32X4
	VSHUFF64X2
	VSHUFI32X4
	VSHUFI64X2

	// Parts of 128 and 256 bits. Extractions also store.
	VINSERTF32X4
	VINSERTI32X4
	VINSERTF32X8
	VINSERTI32X8
	VINSERTF64X4
	VINSERTI64X4
	VEXTRACTF32X4
	VEXTRACTI32X4
	VEXTRACTF32X8
	VEXTRACTI32X8
	VEXTRACTF64X4
	VEXTRACTI64X4

	// Wider; L is the width of D.
	VPMOVZXBW
	VPMOVZXBD
	VPMOVZXBQ
	VPMOVZXWD
	VPMOVZXWQ
	VPMOVZXDQ
	VPMOVSXBW
	VPMOVSXBD
	VPMOVSXBQ
	VPMOVSXWD
	VPMOVSXWQ
	VPMOVSXDQ

	// Narrower, by truncation; L is the width of the source. They also store.
	VPMOVWB
	VPMOVDB
	VPMOVDW
	VPMOVQB
	VPMOVQW
	VPMOVQD

	endShuffles
)

var shuffleRows = [...]row{
	{VPUNPCKLBW, "VPUNPCKLBW", rvm, both, p66, m0F, 0x60, w0, full, 0},
	{VPUNPCKLWD, "VPUNPCKLWD", rvm, both, p66, m0F, 0x61, w0, full, 0},
	{VPUNPCKLDQ, "VPUNPCKLDQ", rvm, both, p66, m0F, 0x62, w0, full32, 0},
	{VPUNPCKLQDQ, "VPUNPCKLQDQ", rvm, both, p66, m0F, 0x6C, wE, full64, 0},
	{VPUNPCKHBW, "VPUNPCKHBW", rvm, both, p66, m0F, 0x68, w0, full, 0},
	{VPUNPCKHWD, "VPUNPCKHWD", rvm, both, p66, m0F, 0x69, w0, full, 0},
	{VPUNPCKHDQ, "VPUNPCKHDQ", rvm, both, p66, m0F, 0x6A, w0, full32, 0},
	{VPUNPCKHQDQ, "VPUNPCKHQDQ", rvm, both, p66, m0F, 0x6D, wE, full64, 0},
	{VUNPCKLPS, "VUNPCKLPS", rvm, both, pNo, m0F, 0x14, w0, full32, 0},
	{VUNPCKHPS, "VUNPCKHPS", rvm, both, pNo, m0F, 0x15, w0, full32, 0},
	{VPACKSSWB, "VPACKSSWB", rvm, both, p66, m0F, 0x63, w0, full, 0},
	{VPACKSSDW, "VPACKSSDW", rvm, both, p66, m0F, 0x6B, w0, full32, 0},
	{VPACKUSWB, "VPACKUSWB", rvm, both, p66, m0F, 0x67, w0, full, 0},
	{VPACKUSDW, "VPACKUSDW", rvm, both, p66, m38, 0x2B, w0, full32, 0},
	{VPSHUFB, "VPSHUFB", rvm, both, p66, m38, 0x00, w0, full, 0},
	{VPSHUFD, "VPSHUFD", rm, both, p66, m0F, 0x70, w0, full32, imm8},
	{VPSHUFLW, "VPSHUFLW", rm, both, pF2, m0F, 0x70, w0, full, imm8},
	{VPSHUFHW, "VPSHUFHW", rm, both, pF3, m0F, 0x70, w0, full, imm8},
	{VSHUFPS, "VSHUFPS", rvm, both, pNo, m0F, 0xC6, w0, full32, imm8},
	{VSHUFPD, "VSHUFPD", rvm, both, p66, m0F, 0xC6, wE, full64, imm8},
	{VPALIGNR, "VPALIGNR", rvm, both, p66, m3A, 0x0F, w0, full, imm8},
	{VALIGND, "VALIGND", rvm, evex, p66, m3A, 0x03, w0, full32, imm8},
	{VALIGNQ, "VALIGNQ", rvm, evex, p66, m3A, 0x03, w1, full64, imm8},

	// Across the whole vector.
	{VPERMW, "VPERMW", rvm, evex, p66, m38, 0x8D, w1, full, 0},
	{VPERMD, "VPERMD", rvm, v2 | e2 | e4, p66, m38, 0x36, w0, full32, 0},
	{VPERMPS, "VPERMPS", rvm, v2 | e2 | e4, p66, m38, 0x16, w0, full32, 0},
	{VPERMQ, "VPERMQ", rvm, e2 | e4, p66, m38, 0x36, w1, full64, 0},
	{VPERMQi, "VPERMQi", rm, v2 | e2 | e4, p66, m3A, 0x00, w1, full64, imm8},
	{VPERMI2B, "VPERMI2B", rvm, evex, p66, m38, 0x75, w0, full, 0},
	{VPERMI2D, "VPERMI2D", rvm, evex, p66, m38, 0x76, w0, full32, 0},
	{VPERMI2Q, "VPERMI2Q", rvm, evex, p66, m38, 0x76, w1, full64, 0},
	{VPERMI2PS, "VPERMI2PS", rvm, evex, p66, m38, 0x77, w0, full32, 0},
	{VPERMT2D, "VPERMT2D", rvm, evex, p66, m38, 0x7E, w0, full32, 0},
	{VPERMT2Q, "VPERMT2Q", rvm, evex, p66, m38, 0x7E, w1, full64, 0},
	{VPERMT2PS, "VPERMT2PS", rvm, evex, p66, m38, 0x7F, w0, full32, 0},
	{VPERM2F128, "VPERM2F128", rvm, v2, p66, m3A, 0x06, w0, full, imm8},
	{VPERM2I128, "VPERM2I128", rvm, v2, p66, m3A, 0x46, w0, full, imm8},
	{VSHUFF32X4, "VSHUFF32X4", rvm, e2 | e4, p66, m3A, 0x23, w0, full32, imm8},
	{VSHUFF64X2, "VSHUFF64X2", rvm, e2 | e4, p66, m3A, 0x23, w1, full64, imm8},
	{VSHUFI32X4, "VSHUFI32X4", rvm, e2 | e4, p66, m3A, 0x43, w0, full32, imm8},
	{VSHUFI64X2, "VSHUFI64X2", rvm, e2 | e4, p66, m3A, 0x43, w1, full64, imm8},

	// Parts of 128 and 256 bits. Extractions also store.
	{VINSERTF32X4, "VINSERTF32X4", rvm, v2 | e2 | e4, p66, m3A, 0x18, w0, mem16, imm8},
	{VINSERTI32X4, "VINSERTI32X4", rvm, v2 | e2 | e4, p66, m3A, 0x38, w0, mem16, imm8},
	{VINSERTF32X8, "VINSERTF32X8", rvm, e4, p66, m3A, 0x1A, w0, mem32, imm8},
	{VINSERTI32X8, "VINSERTI32X8", rvm, e4, p66, m3A, 0x3A, w0, mem32, imm8},
	{VINSERTF64X4, "VINSERTF64X4", rvm, e4, p66, m3A, 0x1A, w1, mem32, imm8},
	{VINSERTI64X4, "VINSERTI64X4", rvm, e4, p66, m3A, 0x3A, w1, mem32, imm8},
	{VEXTRACTF32X4, "VEXTRACTF32X4", mr, v2 | e2 | e4, p66, m3A, 0x19, w0, mem16, imm8},
	{VEXTRACTI32X4, "VEXTRACTI32X4", mr, v2 | e2 | e4, p66, m3A, 0x39, w0, mem16, imm8},
	{VEXTRACTF32X8, "VEXTRACTF32X8", mr, e4, p66, m3A, 0x1B, w0, mem32, imm8},
	{VEXTRACTI32X8, "VEXTRACTI32X8", mr, e4, p66, m3A, 0x3B, w0, mem32, imm8},
	{VEXTRACTF64X4, "VEXTRACTF64X4", mr, e4, p66, m3A, 0x1B, w1, mem32, imm8},
	{VEXTRACTI64X4, "VEXTRACTI64X4", mr, e4, p66, m3A, 0x3B, w1, mem32, imm8},

	// Wider; L is the width of D.
	{VPMOVZXBW, "VPMOVZXBW", rm, both, p66, m38, 0x30, w0, half, 0},
	{VPMOVZXBD, "VPMOVZXBD", rm, both, p66, m38, 0x31, w0, quarter, 0},
	{VPMOVZXBQ, "VPMOVZXBQ", rm, both, p66, m38, 0x32, w0, eighth, 0},
	{VPMOVZXWD, "VPMOVZXWD", rm, both, p66, m38, 0x33, w0, half, 0},
	{VPMOVZXWQ, "VPMOVZXWQ", rm, both, p66, m38, 0x34, w0, quarter, 0},
	{VPMOVZXDQ, "VPMOVZXDQ", rm, both, p66, m38, 0x35, w0, half, 0},
	{VPMOVSXBW, "VPMOVSXBW", rm, both, p66, m38, 0x20, w0, half, 0},
	{VPMOVSXBD, "VPMOVSXBD", rm, both, p66, m38, 0x21, w0, quarter, 0},
	{VPMOVSXBQ, "VPMOVSXBQ", rm, both, p66, m38, 0x22, w0, eighth, 0},
	{VPMOVSXWD, "VPMOVSXWD", rm, both, p66, m38, 0x23, w0, half, 0},
	{VPMOVSXWQ, "VPMOVSXWQ", rm, both, p66, m38, 0x24, w0, quarter, 0},
	{VPMOVSXDQ, "VPMOVSXDQ", rm, both, p66, m38, 0x25, w0, half, 0},

	// Narrower, by truncation; L is the width of the source. They also store.
	{VPMOVWB, "VPMOVWB", mr, evex, pF3, m38, 0x30, w0, half, 0},
	{VPMOVDB, "VPMOVDB", mr, evex, pF3, m38, 0x31, w0, quarter, 0},
	{VPMOVDW, "VPMOVDW", mr, evex, pF3, m38, 0x33, w0, half, 0},
	{VPMOVQB, "VPMOVQB", mr, evex, pF3, m38, 0x32, w0, eighth, 0},
	{VPMOVQW, "VPMOVQW", mr, evex, pF3, m38, 0x34, w0, quarter, 0},
	{VPMOVQD, "VPMOVQD", mr, evex, pF3, m38, 0x35, w0, half, 0},
}
