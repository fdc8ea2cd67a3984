// The two halves of each warp reach barriers of their own.
.module sm_13
.kernel barrier registers=4 shared=20 barriers=1
	and b32 $r0 $r0 0xffff            // the thread's number, i
	and b32 $r1 $r0 0x10
	joinat together
	set $c0 # lg u32 $r63 $r1
	(e $c0) bra low                   // taken by the lower half of each warp
	add b32 $r2 $r0 0x64
	bar inc wait 0x0 all              // the upper half waits here
	bra together
low:
	add b32 $r2 $r0 0xc8
	bar inc wait 0x0 all              // the lower half waits here
together:
	join (never) nop
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0
	st b32 g14[$r0] $r2
	exit (never) nop
