// out[i] = 1 + 2 + ... + i, in a loop of i rounds
.module sm_13
.kernel sum registers=4 shared=20
	and b32 $r0 $r0 0xffff            // the thread's number, i
	mov b32 $r1 $r63                  // the sum
	mov b32 $r2 $r0                   // rounds left
	joinat done                       // where lanes wait for the others
	set $c0 # lg u32 $r63 $r2
	(e $c0) bra done                  // no round at all
again:
	add b32 $r1 $r1 $r2
	add b32 $r2 $r2 0xffffffff
	set $c0 # lg u32 $r63 $r2
	(lg $c0) bra again                // taken by lanes with rounds left
done:
	join (never) nop
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0
	st b32 g14[$r0] $r1
	exit (never) nop
