package x86

// Access to memory by lane: gathers, scatters, masked moves, compression.
const (
	// D or S: 32 or 64 bits of data; the third letter from the end counts the bits of an index.
	VPGATHERDD VOp = iota + endShuffles
	VPGATHERDQ
	VPGATHERQD
	VPGATHERQQ
	VPSCATTERDD
	VPSCATTERDQ
	VPSCATTERQD
	VPSCATTERQQ
	VPMASKMOVD
	VPMASKMOVDStore
	VPMASKMOVQ
	VPMASKMOVQStore
	VPCOMPRESSD
	VPCOMPRESSQ
	VPEXPANDD
	VPEXPANDQ

	endMemory
)

var memoryRows = [...]row{
	{VPGATHERDD, "VPGATHERDD", gather, both, p66, m38, 0x90, w0, mem4, memOnly | needK},
	{VPGATHERDQ, "VPGATHERDQ", gather, both, p66, m38, 0x90, w1, mem8, memOnly | needK},
	{VPGATHERQD, "VPGATHERQD", gather, both, p66, m38, 0x91, w0, mem4, memOnly | needK},
	{VPGATHERQQ, "VPGATHERQQ", gather, both, p66, m38, 0x91, w1, mem8, memOnly | needK},
	{VPSCATTERDD, "VPSCATTERDD", gather, evex, p66, m38, 0xA0, w0, mem4, memOnly | needK},
	{VPSCATTERDQ, "VPSCATTERDQ", gather, evex, p66, m38, 0xA0, w1, mem8, memOnly | needK},
	{VPSCATTERQD, "VPSCATTERQD", gather, evex, p66, m38, 0xA1, w0, mem4, memOnly | needK},
	{VPSCATTERQQ, "VPSCATTERQQ", gather, evex, p66, m38, 0xA1, w1, mem8, memOnly | needK},
	{VPMASKMOVD, "VPMASKMOVD", rvm, vex, p66, m38, 0x8C, w0, full, memOnly},
	{VPMASKMOVDStore, "VPMASKMOVDStore", stv, vex, p66, m38, 0x8E, w0, full, 0},
	{VPMASKMOVQ, "VPMASKMOVQ", rvm, vex, p66, m38, 0x8C, w1, full, memOnly},
	{VPMASKMOVQStore, "VPMASKMOVQStore", stv, vex, p66, m38, 0x8E, w1, full, 0},
	{VPCOMPRESSD, "VPCOMPRESSD", mr, evex, p66, m38, 0x8B, w0, mem4, 0},
	{VPCOMPRESSQ, "VPCOMPRESSQ", mr, evex, p66, m38, 0x8B, w1, mem8, 0},
	{VPEXPANDD, "VPEXPANDD", rm, evex, p66, m38, 0x89, w0, mem4, 0},
	{VPEXPANDQ, "VPEXPANDQ", rm, evex, p66, m38, 0x89, w1, mem8, 0},
}
