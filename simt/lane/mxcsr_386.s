#include "textflag.h"

// func exchangeControl(control uint32) (was uint32)
TEXT ·exchangeControl(SB), NOSPLIT, $0-8
	STMXCSR was+4(FP)
	LDMXCSR control+0(FP)
	RET
