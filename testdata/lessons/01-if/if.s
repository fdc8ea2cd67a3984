// out[i] = i is odd ? 3 * i + 1 : i / 2
.module sm_13
.kernel branch registers=4 shared=20
	and b32 $r0 $r0 0xffff            // the thread's number, i
	and b32 $r1 $r0 0x1
	joinat together                   // where the two ways meet
	set $c0 # lg u32 $r63 $r1
	(e $c0) bra even                  // taken by lanes with an even i
	shl b32 $r2 $r0 0x1               // odd: 3 * i + 1
	add b32 $r2 $r2 $r0
	add b32 $r2 $r2 0x1
	bra together
even:
	shr u32 $r2 $r0 0x1               // even: i / 2
together:
	join (never) nop
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0       // the address of out[i]
	st b32 g14[$r0] $r2
	exit (never) nop
