package compile_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// exchange is code that gives each lane of a warp the %r1 of the next lane, by way of shared memory.
const exchange = `
	mov.u32 %r2, sh;
	shl.b32 %r3, %t, 2;
	add.u32 %r3, %r3, %r2;
	st.shared.u32 [%r3], %r1;
	bar.sync 0;
	add.u32 %r3, %t, 1;
	and.b32 %r3, %r3, 31;
	shl.b32 %r3, %r3, 2;
	add.u32 %r3, %r3, %r2;
	ld.shared.u32 %r0, [%r3];
`

// twoIfs is two ifs. One side of each goes to a block that no lane reaches.
const twoIfs = `
	mov.u32 %r1, %t;
	and.b32 %r3, %t, 1;
	setp.eq.u32 %p1, %r3, 0;
	@%p1 bra EVEN;
	setp.eq.u32 %p2, %t, 99;
	@%p2 bra OUT;
	ld.param.u64 %d1, [out];
	st.global.u32 [%d1], %r1;
EVEN:
	and.b32 %r3, %t, 2;
	setp.eq.u32 %p1, %r3, 0;
	@%p1 bra LOW;
	setp.eq.u32 %p2, %t, 999;
	@%p2 bra OUT;
	ld.param.u64 %d1, [out];
	st.global.u32 [%d1], %r1;
LOW:
`

// TestMeet runs kernels in which live lanes must be together although some could end, or do: with
// and without a barrier, and under policies that find places to meet by themselves. In all of them
// regions as NVIDIA's compiler would announce them do not nest, or do not wait for what lanes do
// before they end.
func TestMeet(t *testing.T) {
	const skipped = `
	mov.u32 %%r3, 0;
	and.b32 %%r4, %%t, 3;
	setp.ge.u32 %%p1, %%t, 0;
NEXT:
	setp.gt.s32 %%p2, %%r4, 0;
	sub.u32 %%r4, %%r4, 1;
	@%%p2 bra ROUND;
	vote.sync.ballot.b32 %%r5, %%p1, %s;
	add.u32 %%r0, %%r0, %%r5;
	add.u32 %%r3, %%r3, 1;
	and.b32 %%r4, %%t, 1;
	setp.ge.u32 %%p2, %%r3, 3;
	@%%p2 bra END;
ROUND:
	add.u32 %%r6, %%r6, 1;
	bra NEXT;
END:`
	const shared = ".shared .align 4 .b8 sh[128];\n"
	next := func(lane uint32) uint32 { return (lane + 1) % 32 }
	behind := "\n\tbra.uni END;\nOUT:\n\t"
	for _, c := range []struct {
		name, code string
		want       func(lane uint32) uint32
	}{
		{"ifs share an exit, barrier", twoIfs + exchange + behind + "exit;\nEND:", next},
		{"ifs share a return, barrier", twoIfs + exchange + behind + "ret;\nEND:", next},
		{"ifs share a trap, barrier", twoIfs + exchange + behind + "trap;\nEND:", next},
		{"ifs share an exit, ballot", twoIfs + "setp.ge.u32 %p3, %t, 0;\nvote.ballot.b32 %r0, %p3;" + behind + "exit;\nEND:",
			func(uint32) uint32 { return ^uint32(0) }},
		{"ifs share an exit, shuffle", twoIfs + "shfl.down.b32 %r0, %t, 1, 0x1f;" + behind + "exit;\nEND:",
			func(lane uint32) uint32 { return min(lane+1, 31) }},
		{"an unused goto leads behind the barrier", `
	mov.u32 %r1, %t;
	setp.ge.u32 %p1, %t, 14;
	@%p1 bra JOIN;
	setp.eq.u32 %p2, %t, 77;
	@%p2 bra END;
	ld.param.u64 %d1, [out];
	st.global.u32 [%d1], %r1;
JOIN:` + exchange + "END:", next},
		{"a search returns from a loop by the store at the end", `
	mov.u32 %r4, 0;
	and.b32 %r5, %t, 3;
NEXT:
	setp.eq.u32 %p1, %r5, 9;
	mov.u32 %r0, 4711;
	@%p1 bra END;
	setp.ge.u32 %p2, %r4, %r5;
	@%p2 bra FOUND;
	add.u32 %r4, %r4, 1;
	setp.lt.u32 %p3, %r4, 8;
	@%p3 bra NEXT;
FOUND:
	mov.u32 %r1, %t;` + exchange + "END:", next},
		{"lanes go round without the ballot, each as often as it likes, by the way of all",
			fmt.Sprintf(skipped, "0xffffffff"), func(uint32) uint32 { return ^uint32(2) }},
		{"and half of the lanes is elsewhere", "setp.ge.u32 %p3, %t, 16;\n@%p3 bra END;" + fmt.Sprintf(skipped, "0xffff"),
			func(lane uint32) uint32 { return 0x2fffd * (1 - lane/16) }},
		{"within a loop, lanes enter another one at two places before they meet", `
	mov.u32 %r4, 0;
	mov.u32 %r7, 7;
	and.b32 %r5, %t, 23;
	setp.ne.u32 %p1, %r5, 1;
	bra.uni NEXT;
SIDE:
	add.u32 %r7, %r7, 3;
MEET:
	setp.ge.u32 %p4, %r7, 0;
	vote.sync.ballot.b32 %r5, %p4, 0xffffffff;
	add.u32 %r0, %r0, %r5;
	add.u32 %r4, %r4, 1;
	setp.ne.u32 %p2, %r4, 4;
	@%p2 bra NEXT;
	bra.uni END;
NEXT:
	@%p1 bra ENTER;
	bra.uni SIDE;
ENTER:
	setp.eq.u32 %p2, %r7, 57005;
	mov.u32 %r6, 0;
	@%p2 bra INNER;
	bra.uni BODY;
INNER:
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p3, %r6, %r4;
	@%p3 bra BODY;
	bra.uni MEET;
BODY:
	add.u32 %r7, %r7, %t;
	bra.uni INNER;
END:`, func(uint32) uint32 { return 0xfffffffc }},
		{"a loop is entered at its end, too, where lanes of a round meet",
			"ld.param.u64 %d1, [out]; ld.global.u32 %r8, [%d1];" + enteredAtItsEnd, func(uint32) uint32 { return 0xfffffffc }},
		{"and all lanes enter it there, or none",
			"ld.param.u64 %d1, [out]; cvt.u32.u64 %r8, %d1;" + enteredAtItsEnd, func(uint32) uint32 { return 0xfffffffc }},
		{"a loop goes on at two places, and lanes vote in every round", `
	mov.u32 %r4, 0;
NEXT:
	setp.ge.u32 %p1, %t, 16;
	vote.sync.ballot.b32 %r5, %p1, 0xffffffff;
	add.u32 %r0, %r0, %r5;
	add.u32 %r4, %r4, 1;
	setp.ge.u32 %p2, %r4, 4;
	@%p2 bra END;
	and.b32 %r6, %t, %r4;
	setp.eq.u32 %p3, %r6, 0;
	@%p3 bra NEXT;
	ld.param.u64 %d1, [out];
	st.global.u32 [%d1], %r1;
	bra.uni NEXT;
END:`, func(uint32) uint32 { return 0xfffc0000 }},
		{"a loop within a loop of the same header, lanes vote in the outer one", `
	and.b32 %r1, %t, 3;
	mov.u32 %r2, 0;
	mov.u32 %r3, 0;
NEXT:
	add.u32 %r2, %r2, 1;
	and.b32 %r4, %r2, 3;
	setp.ne.u32 %p1, %r4, %r1;
	@%p1 bra NEXT;
	setp.ge.u32 %p2, %t, 0;
	vote.sync.ballot.b32 %r5, %p2, 0xffffffff;
	popc.b32 %r5, %r5;
	add.u32 %r0, %r0, %r5;
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p3, %r3, 3;
	@%p3 bra NEXT;`, func(uint32) uint32 { return 96 }},
		{"a side comes back to the branch while the other is at the barrier", `
	mov.u32 %r5, sh;
	shl.b32 %r6, %t, 2;
	add.u32 %r6, %r6, %r5;
	add.u32 %r7, %t, 1;
	and.b32 %r7, %r7, 31;
	shl.b32 %r7, %r7, 2;
	add.u32 %r7, %r7, %r5;
	mov.u32 %r2, 0;
	mov.u32 %r3, 0;
NEXT:
	setp.gt.u32 %p4, %r2, 1000;
	@%p4 bra NEVER;
	add.u32 %r2, %r2, 1;
	xor.b32 %r4, %r2, %t;
	and.b32 %r4, %r4, 3;
	setp.ne.u32 %p1, %r4, 0;
	@%p1 bra NEXT;
	st.shared.u32 [%r6], %r2;
	bar.sync 0;
	ld.shared.u32 %r8, [%r7];
	and.b32 %r8, %r8, 7;
	mad.lo.u32 %r0, %r0, 10, %r8;
	bar.sync 0;
	add.u32 %r3, %r3, 1;
	setp.ne.u32 %p3, %r3, 2;
	@%p3 bra NEXT;
	ld.param.u64 %d8, [out];
	mad.wide.u32 %d8, %flat, 4, %d8;
	st.global.u32 [%d8], %r0;
	ret;
NEVER:
	bar.sync 0;`, func(lane uint32) uint32 { return []uint32{15, 26, 37, 40}[lane%4] }},
		{"lanes end where another could come to a barrier", `
	mov.u32 %r5, sh;
	and.b32 %r6, %t, 15;
	shl.b32 %r6, %r6, 2;
	add.u32 %r6, %r6, %r5;
	setp.lt.u32 %p1, %t, 16;
	@%p1 bra LOW;
	mov.u32 %r2, 0;
NEXT:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p2, %r2, %t;
	@%p2 bra NEXT;
	setp.gt.u32 %p2, %r2, 1000;
	@%p2 bra NEVER;
	add.u32 %r0, %t, 100;
	st.shared.u32 [%r6], %r0;
	ld.param.u64 %d8, [out];
	mad.wide.u32 %d8, %flat, 4, %d8;
	st.global.u32 [%d8], %r0;
	ret;
NEVER:
	bar.sync 0;
	bra.uni END;
LOW:
	bar.sync 0;
	ld.shared.u32 %r0, [%r6];
END:`, func(lane uint32) uint32 { return 116 + lane%16 }},
		{"what lanes store before they end comes before the barrier", `
	mov.u32 %r2, sh;
	setp.eq.u32 %p1, %t, 5;
	@!%p1 bra GO;
	st.shared.u32 [%r2], 4711;
	ld.param.u64 %d8, [out];
	mad.wide.u32 %d8, %flat, 4, %d8;
	st.global.u32 [%d8], 4711;
	exit;
GO:
	bar.sync 0;
	ld.shared.u32 %r0, [%r2];`, func(uint32) uint32 { return 4711 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := wordKernel(shared, c.code)
			var want []byte
			for lane := range uint32(32) {
				want = binary.LittleEndian.AppendUint32(want, c.want(lane))
			}
			block := [2]int{32, 1}
			require.Equal(t, want, referenceWords(t, text, block), "reference")
			for _, arch := range []tesla.Arch{tesla.SM12, tesla.SM13} {
				for _, policy := range []string{"nvidia", "stackless", "simty"} {
					got, err := policyWords(t, text, arch, block, policy)
					require.NoError(t, err)
					require.Equal(t, want, got, "%s under %s", arch, policy)
				}
			}
		})
	}
}

// enteredAtItsEnd is a loop that lanes enter at ROUND, which others of them come back to, if %r8 says
// so.
const enteredAtItsEnd = `
	mov.u32 %r4, 0;
	mov.u32 %r7, 0;
	setp.eq.u32 %p1, %r8, 57005;
	@%p1 bra ROUND;
	bra.uni TEST;
ROUND:
	add.u32 %r4, %r4, 1;
TEST:
	setp.ge.u32 %p2, %r4, 4;
	@%p2 bra END;
	setp.ge.u32 %p3, %r4, 0;
	vote.sync.ballot.b32 %r5, %p3, 0xffffffff;
	add.u32 %r0, %r0, %r5;
	and.b32 %r6, %t, 3;
	setp.eq.u32 %p2, %r6, 0;
	@%p2 bra ROUND;
INNER:
	add.u32 %r7, %r7, %t;
	sub.u32 %r6, %r6, 1;
	setp.ne.u32 %p3, %r6, 0;
	@%p3 bra INNER;
	bra.uni ROUND;
END:`
