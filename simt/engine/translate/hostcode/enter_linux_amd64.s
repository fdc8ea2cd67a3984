#include "textflag.h"
#include "funcdata.h"

// func enter(addr uintptr, ctx unsafe.Pointer)
//
// The function calls, so the assembler puts the check of the stack's bound before it; after that
// check Go guarantees 800 bytes for functions that do not check (abi.StackNosplitBase), and the
// called code has the rest: hostcode promises 512. The assembler saves and restores BP, as the
// frame is not empty. R14 (the goroutine) and X15 (zero) are undefined in functions in assembly;
// the wrapper that the linker puts around them sets both. All other registers belong to the callee
// in Go's convention. R15 is a temporary of dynamically linked code, and never live at a call.
TEXT ·enter(SB), 0, $16-16
	NO_LOCAL_POINTERS
	MOVQ      addr+0(FP), AX
	MOVQ      ctx+8(FP), DI
	STMXCSR   mxcsr-8(SP)
	LDMXCSR   (DI)
	CALL      AX
	VZEROUPPER
	LDMXCSR   mxcsr-8(SP)
	RET

// func avx() bool
TEXT ·avx(SB), NOSPLIT, $0-1
	MOVB  $0, ret+0(FP)
	MOVL  $1, AX
	XORL  CX, CX
	CPUID
	ANDL  $0x18000000, CX // OSXSAVE and AVX
	CMPL  CX, $0x18000000
	JNE   done
	XORL  CX, CX
	XGETBV
	ANDL  $6, AX          // the system keeps XMM and YMM
	CMPL  AX, $6
	SETEQ ret+0(FP)
done:
	RET
