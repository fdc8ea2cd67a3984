package ptxreference

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBarrierAndShared(t *testing.T) {
	for _, head := range []string{tesla, modern} {
		// Every thread reads what its opposite stored.
		r := bothWays(t, kernel(head, ".extern .shared .align 4 .b8 dynamic[];\n.shared .u32 fixed[4];", `
	mov.u32 %r3, dynamic;
	mad.lo.u32 %r2, %r1, 4, %r3;
	st.shared.u32 [%r2], %r1;
	st.shared.u32 [fixed+8], 7;
	bar.sync 0;
	mov.u32 %r4, %ntid.x;
	sub.u32 %r4, %r4, %r1;
	mad.lo.u32 %r2, %r4, 4, %r3;
	ld.shared.u32 %r0, [%r2+-4];
	ld.shared.u32 %r5, [fixed+8];
	add.u32 %r0, %r0, %r5;`), 100, Launch{Block: [3]int{100}, Shared: 400})
		for i, v := range r {
			require.Equal(t, uint32(99-i+7), v)
		}
	}
}

func TestBarriersWithCounts(t *testing.T) {
	// Warp 1 produces, warp 0 consumes, warp 2 has nothing to do with them.
	r := bothWays(t, kernel(modern, ".shared .u32 box;", `
	mov.u32 %r0, 0;
	shr.u32 %r2, %r1, 5;
	setp.eq.u32 %p0, %r2, 1;
	setp.eq.u32 %p1, %r2, 2;
	@%p1 bra end;
	@%p0 bra produce;
	bar.sync 1, 64;
	ld.shared.u32 %r0, [box];
	bra end;
produce:
	st.shared.u32 [box], 42;
	bar.arrive 1, 64;
end:`), 80, Launch{Block: [3]int{80}})
	require.Equal(t, uint32(42), r[0])
	require.Equal(t, uint32(42), r[31])
	require.Equal(t, uint32(0), r[32])
}

func TestBarrierReductions(t *testing.T) {
	r := bothWays(t, kernel(modern, "", `
	setp.lt.u32 %p0, %r1, 30;
	bar.red.popc.u32 %r0, 0, %p0;
	bar.red.and.pred %p1, 0, %p0;
	bar.red.or.pred %p2, 1, !%p0;
	selp.u32 %r3, 100, 0, %p1;
	selp.u32 %r4, 1000, 0, %p2;
	add.u32 %r0, %r0, %r3;
	add.u32 %r0, %r0, %r4;`), 40, Launch{Block: [3]int{40}})
	require.Equal(t, uint32(1030), r[0])
	require.Equal(t, uint32(1030), r[39])
}

func TestExitedThreadsDoNotHoldABarrier(t *testing.T) {
	r := bothWays(t, kernel(modern, "", `
	setp.gt.u32 %p0, %r1, 9;
	@%p0 exit;
	bar.sync 0;
	mov.u32 %r0, 1;`), 64, Launch{Block: [3]int{64}})
	require.Equal(t, uint32(1), r[9])
	require.Equal(t, uint32(0), r[10])
}

func TestDeadlock(t *testing.T) {
	_, err := tryWords(t, kernel(modern, "", `
	setp.gt.u32 %p0, %r1, 9;
	@%p0 bra other;
	bar.sync 0;
	bra end;
other:
	bar.sync 1;
end:`), 64, Launch{Block: [3]int{64}})
	requireKind(t, err, Deadlock, "barrier 0 never completes (block [0 0 0], thread [0 0 0])")
}

func TestWarp(t *testing.T) {
	for code, want := range map[string]func(i uint32) uint32{
		"vote.ballot.b32 %r0, %p0;":                        func(uint32) uint32 { return 0x1ff },
		"vote.sync.ballot.b32 %r0, !%p0, -1;":              func(uint32) uint32 { return 0xfffffe00 },
		"vote.any.pred %p1, %p0; selp.u32 %r0, 1, 0, %p1;": func(uint32) uint32 { return 1 },
		"vote.all.pred %p1, %p0; selp.u32 %r0, 1, 0, %p1;": func(uint32) uint32 { return 0 },
		"vote.uni.pred %p1, %p0; selp.u32 %r0, 1, 0, %p1;": func(uint32) uint32 { return 0 },
		"activemask.b32 %r0;":                              func(uint32) uint32 { return m32 },
		"@%p0 activemask.b32 %r0;":                         func(i uint32) uint32 { return uint32(truth(i < 9)) * 0x1ff },
		"shfl.sync.idx.b32 %r0, %r2, 3, 31, -1;":           func(uint32) uint32 { return 30 },
		"shfl.sync.up.b32 %r0, %r2, 1, 0, -1;":             func(i uint32) uint32 { return 10*max(i, 1) - 10 },
		"shfl.down.b32 %r0, %r2, 2, 31;":                   func(i uint32) uint32 { return 10 * (i + 2) },
		"shfl.sync.bfly.b32 %r0, %r2, 5, 31, -1;":          func(i uint32) uint32 { return 10 * (i ^ 5) },
		"shfl.sync.down.b32 %r0|%p1, %r2, 1, 0x1807, -1; selp.u32 %r0, %r0, 7, %p1;": func(i uint32) uint32 {
			if i%8 == 7 {
				return 7
			}
			return 10 * (i + 1)
		},
		"and.b32 %r3, %r1, 3; match.any.sync.b32 %r0, %r3, -1;": func(i uint32) uint32 { return 0x11111111 << (i & 3) },
		"match.all.sync.b32 %r0|%p1, %r2, -1;":                  func(uint32) uint32 { return 0 },
		"redux.sync.add.u32 %r0, %r1, -1;":                      func(uint32) uint32 { return 496 },
		"redux.sync.max.s32 %r0, %r1, -1;":                      func(uint32) uint32 { return 31 },
	} {
		t.Run(code, func(t *testing.T) {
			text := kernel(modern, "", "mov.u32 %r0, 0; setp.lt.u32 %p0, %r1, 9; mul.lo.u32 %r2, %r1, 10;\n"+code)
			for i, v := range bothWays(t, text, 32, Launch{Block: [3]int{32}}) {
				if strings.HasPrefix(code, "shfl.down") && i >= 30 {
					require.Equal(t, uint32(10*i), v)
					continue
				}
				require.Equal(t, fmt.Sprintf("%#x", want(uint32(i))), fmt.Sprintf("%#x", v), "lane %d", i)
			}
		})
	}
}

// Lanes of one mask meet at different instructions.
func TestMeetingAtTwoPlaces(t *testing.T) {
	r := bothWays(t, kernel(modern, "", `
	setp.lt.u32 %p0, %r1, 2;
	@%p0 bra low;
	shfl.sync.bfly.b32 %r0, %r1, 2, 31, 15;
	bra end;
low:
	shfl.sync.bfly.b32 %r0, %r1, 2, 31, 15;
end:`), 4, Launch{Block: [3]int{4}})
	require.Equal(t, []uint32{2, 3, 0, 1}, r)
}

// A reduction without barriers relies on warps in lockstep.
func TestWarpInStep(t *testing.T) {
	r := words(t, kernel(tesla, ".shared .u32 s[64];", `
	mov.u32 %r3, s;
	mad.lo.u32 %r2, %r1, 4, %r3;
	st.volatile.shared.u32 [%r2], %r1;
	st.volatile.shared.u32 [%r2+128], 0;
	mov.u32 %r4, 64;
	mov.u32 %r5, 16;
again:
	add.u32 %r6, %r2, %r4;
	ld.volatile.shared.u32 %r7, [%r6];
	ld.volatile.shared.u32 %r8, [%r2];
	add.u32 %r8, %r8, %r7;
	st.volatile.shared.u32 [%r2], %r8;
	shr.u32 %r4, %r4, 1;
	setp.ge.u32 %p0, %r4, 4;
	@%p0 bra again;
	ld.volatile.shared.u32 %r0, [%r2];`), 32, Launch{Block: [3]int{32}})
	require.Equal(t, uint32(496), r[0])
}

// A lock within a warp needs threads that run alone.
func TestLockWithinAWarp(t *testing.T) {
	text := kernel(modern, ".global .u32 lock;\n.global .u32 count;", `
again:
	atom.global.cas.b32 %r2, [lock], 0, 1;
	setp.ne.u32 %p0, %r2, 0;
	@%p0 bra again;
	ld.global.u32 %r0, [count];
	add.u32 %r3, %r0, 1;
	st.global.u32 [count], %r3;
	st.global.u32 [lock], 0;`)
	r := words(t, text, 64, Launch{Block: [3]int{64}, Alone: true})
	require.Equal(t, uint32(63), r[63])
	_, err := tryWords(t, text, 64, Launch{Block: [3]int{64}, StepLimit: 100000})
	requireKind(t, err, StepLimit, "")
}

// One warp waits for another's store.
func TestWarpsTakeTurns(t *testing.T) {
	for _, alone := range []bool{false, true} {
		r := words(t, kernel(modern, ".global .u32 flag;", `
	setp.ge.u32 %p0, %r1, 32;
	@%p0 bra produce;
again:
	ld.volatile.global.u32 %r0, [flag];
	setp.eq.u32 %p1, %r0, 0;
	@%p1 bra again;
	bra end;
produce:
	st.volatile.global.u32 [flag], 77;
end:`), 64, Launch{Block: [3]int{64}, Alone: alone})
		require.Equal(t, uint32(77), r[0])
	}
}

func TestGrid(t *testing.T) {
	r := bothWays(t, modern+`
.entry k(.param .u64 out)
{
	.reg .b32 %r<20>; .reg .b64 %d<3>;
	ld.param.u64 %d0, [out];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
	mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %nctaid.x;
	mad.lo.u32 %r7, %r5, %r6, %r4;
	mad.lo.u32 %r8, %r3, 2, %r2;
	mad.lo.u32 %r8, %r8, 3, %r1;
	mad.lo.u32 %r9, %r7, 12, %r8;
	mul.wide.u32 %d1, %r9, 4;
	add.u64 %d1, %d1, %d0;
	mov.u32 %r10, %laneid;
	mad.lo.u32 %r10, %r7, 100, %r10;
	st.global.u32 [%d1], %r10;
}
`, 72, Launch{Grid: [3]int{3, 2}, Block: [3]int{3, 2, 2}})
	for i, v := range r {
		require.Equal(t, uint32(i/12*100+i%12), v)
	}
}
