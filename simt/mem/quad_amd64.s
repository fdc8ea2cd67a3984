#include "textflag.h"

// func loadQuad(p *[4]uint32) (low, high uint64)
TEXT ·loadQuad(SB), NOSPLIT, $0-24
	MOVQ   p+0(FP), AX
	MOVOU  (AX), X0
	MOVQ   X0, low+8(FP)
	MOVHPS X0, high+16(FP)
	RET

// func storeQuad(p *[4]uint32, low, high uint64)
TEXT ·storeQuad(SB), NOSPLIT, $0-24
	MOVQ   p+0(FP), AX
	MOVQ   low+8(FP), X0
	MOVHPS high+16(FP), X0
	MOVOU  X0, (AX)
	RET
