// out[i] = the first power of two above i
.module sm_13
.kernel search registers=4 shared=20
	and b32 $r0 $r0 0xffff            // the thread's number, i
	mov b32 $r1 0x1                   // the candidate
	breakaddr found                   // where lanes that break wait
again:
	set $c0 # g u32 $r1 $r0
	(lg $c0) break                    // lanes whose candidate is above i leave
	shl b32 $r1 $r1 0x1
	bra again
found:
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0
	st b32 g14[$r0] $r1
	exit (never) nop
