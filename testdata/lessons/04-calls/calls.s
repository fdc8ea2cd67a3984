// out[i] = i < 8 ? square(i) + 5 : i + 5; all call plus5, few call square
.module sm_13
.kernel calls registers=6 shared=20
	and b32 $r0 $r0 0xffff            // the thread's number, i
	mov b32 $r2 $r0
	joinat next
	mov b32 $r3 0x8
	set $c0 # l u32 $r0 $r3
	(e $c0) bra next                  // lanes from the eighth on call nothing here
	call square
next:
	join (never) nop
	call plus5
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0
	st b32 g14[$r0] $r2
	exit (never) nop
square:
	mul $r2 u16 $r2l u16 $r2l
	ret
plus5:
	add b32 $r2 $r2 0x5
	ret
