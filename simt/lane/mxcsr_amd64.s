#include "textflag.h"

// func exchangeControl(control uint32) (was uint32)
TEXT ·exchangeControl(SB), NOSPLIT, $0-12
	STMXCSR was+8(FP)
	LDMXCSR control+0(FP)
	RET
