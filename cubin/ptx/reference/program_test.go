package reference

import (
	le "encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/ptx"
)

// words runs kernel k of a text with one parameter, the address of n words, and returns the words.
func words(t *testing.T, text string, n int, l Launch) []uint32 {
	t.Helper()
	r, err := tryWords(t, text, n, l)
	require.NoError(t, err)
	return r
}

func tryWords(t *testing.T, text string, n int, l Launch) ([]uint32, error) {
	t.Helper()
	var m Memory
	address, out, err := m.Alloc(4 * n)
	require.NoError(t, err)
	l.Params = le.LittleEndian.AppendUint64(nil, address)
	p, err := Load(parse(t, text), Config{Memory: &m})
	if err == nil {
		err = p.Run("k", l)
	}
	var r []uint32
	for i := range n {
		r = append(r, uint32(little(out[4*i:4*i+4])))
	}
	return r, err
}

// kernel wraps instructions: %r1 is tid.x, %d1 the address of the thread's word. They leave a result
// in %r0.
func kernel(head, outside, code string) string {
	return head + outside + `
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<20>;
	.reg .f32 %f<8>;
	.reg .b64 %d<8>;
	.reg .pred %p<8>;
	ld.param.u64 %d0, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %d1, %r1, 4;
	add.u64 %d1, %d1, %d0;
` + code + `
	st.global.u32 [%d1], %r0;
	ret;
}
`
}

// bothWays runs a kernel in step and each thread alone: what it stores is the same.
func bothWays(t *testing.T, text string, n int, l Launch) []uint32 {
	t.Helper()
	r := words(t, text, n, l)
	l.Alone = !l.Alone
	require.Equal(t, r, words(t, text, n, l))
	return r
}

func TestControlFlow(t *testing.T) {
	// Collatz: threads of a warp leave the loop at different times.
	r := bothWays(t, kernel(modern, "", `
	mov.u32 %r0, 0;
	add.u32 %r2, %r1, 1;
again:
	setp.eq.u32 %p0, %r2, 1;
	@%p0 bra done;
	and.b32 %r3, %r2, 1;
	setp.eq.u32 %p1, %r3, 1;
	@%p1 bra odd;
	shr.u32 %r2, %r2, 1;
	bra.uni next;
odd:
	mad.lo.u32 %r2, %r2, 3, 1;
next:
	add.u32 %r0, %r0, 1;
	bra again;
done:`), 40, Launch{Block: [3]int{40}})
	require.Equal(t, []uint32{0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4}, r[:16])
	require.Equal(t, uint32(111), r[26])
}

func TestIndexedBranch(t *testing.T) {
	text := kernel(modern, "", `
	mov.u32 %r0, 9;
	bra start;
zero:
	mov.u32 %r0, 10;
	bra end;
one:
	mov.u32 %r0, 11;
	bra end;
start:
targets: .branchtargets zero, one, end;
	brx.idx %r1, targets;
end:`)
	require.Equal(t, []uint32{10, 11, 9}, bothWays(t, text, 3, Launch{Block: [3]int{3}}))
	_, err := tryWords(t, text, 4, Launch{Block: [3]int{4}})
	requireKind(t, err, Fault, "target 3 of 3")
}

func requireKind(t *testing.T, err error, k Kind, text string) {
	t.Helper()
	var e *Error
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, k, e.Kind, "%v", err)
	require.Contains(t, err.Error(), text)
}

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

func TestErrorsOfThreads(t *testing.T) {
	for code, want := range map[string]struct {
		kind Kind
		text string
	}{
		"again: bra again;":                 {StepLimit, "more than 1000 instructions"},
		"trap;":                             {Trapped, "test.ptx:15:2: trap: trap (block [0 0 0], thread [0 0 0])"},
		"ld.global.u32 %r0, [64];":          {Fault, "4 bytes at global address 0x40"},
		"ld.global.u32 %r0, [%d1+2];":       {Fault, "misaligned"},
		"ld.shared.u32 %r0, [16];":          {Fault, "shared address 0x10"},
		"ld.local.u32 %r0, [1024];":         {Fault, "local address"},
		"st.global.u32 [%d1+4000], 1;":      {Fault, "global address"},
		"bar.sync 16;":                      {Fault, "barrier 16"},
		"bar.sync 1, 33;":                   {Fault, "no warps"},
		"bar.warp.sync 2;":                  {Fault, "lane 0 is not in the mask 0x2"},
		"mov.u64 %d2, 99; call %d2, (), p;": {Fault, "call of address 0x63"},
	} {
		t.Run(code, func(t *testing.T) {
			if strings.Contains(code, "call") {
				code = "p: .callprototype ()_ ();\n" + code
			}
			_, err := tryWords(t, kernel(modern, "", "\t"+code), 1, Launch{StepLimit: 1000})
			requireKind(t, err, want.kind, want.text)
		})
	}
}

func TestUnsupportedIsFoundBeforeTheRun(t *testing.T) {
	text := kernel(modern, ".func other() { trap; }\n.global .texref s;\n"+
		".func unused() { .reg .b32 %x; txq.width.b32 %x, [s]; ret; }\n", "\tcall other;")
	_, err := tryWords(t, text, 1, Launch{})
	requireKind(t, err, Trapped, "trap")
	text = strings.Replace(text, "call other;", "call unused;", 1)
	_, err = tryWords(t, text, 1, Launch{})
	requireKind(t, err, Unsupported, "test.ptx:6:")
	_, err = tryWords(t, kernel(modern, ".extern .global .u32 away;", "\tld.global.u32 %r0, [away];"), 1, Launch{})
	requireKind(t, err, Unsupported, "away")
	_, err = tryWords(t, kernel(modern, ".extern .func away;", "\tcall away;"), 1, Launch{})
	requireKind(t, err, Unsupported, "away")
}

func TestBadLaunches(t *testing.T) {
	p := load(t, kernel(modern, "", ""), Config{})
	requireKind(t, p.Run("x", Launch{}), BadLaunch, `no kernel "x"`)
	requireKind(t, p.Run("k", Launch{}), BadLaunch, "0 bytes of parameters instead of 8")
	for _, l := range []Launch{{Block: [3]int{32, 32, 2}}, {Grid: [3]int{-1}}, {Shared: -1}, {Block: [3]int{2000}}} {
		l.Params = make([]byte, 8)
		requireKind(t, p.Run("k", l), BadLaunch, "")
	}
	params, size, err := p.Params("k")
	require.NoError(t, err)
	require.Equal(t, 8, size)
	require.Equal(t, []Param{{"out", 0, 8}}, params)
}

func TestInitialContent(t *testing.T) {
	p := load(t, modern+`
.const .u16 c[4] = {1, 2, 3};
.global .u32 first = 5;
.global .align 8 .u64 to[3] = {first, first+4, generic(c)};
.global .f32 f = 1.5;
.func fn() { ret; }
.global .u64 pointer = fn;
.entry k() { ret; }
`, Config{})
	address, b, ok := p.Variable("first")
	require.True(t, ok)
	require.Equal(t, []byte{5, 0, 0, 0}, b)
	_, b, _ = p.Variable("to")
	require.Equal(t, address, little(b[:8]))
	require.Equal(t, address+4, little(b[8:16]))
	require.Equal(t, uint64(constWindow), little(b[16:]))
	_, b, _ = p.Variable("c")
	require.Equal(t, []byte{1, 0, 2, 0, 3, 0, 0, 0}, b)
	_, b, _ = p.Variable("f")
	require.Equal(t, f32(1.5), little(b))
	_, b, _ = p.Variable("pointer")
	require.Equal(t, uint64(functionBase), little(b))
	_, _, ok = p.Variable("none")
	require.False(t, ok)
}

func TestSpaces(t *testing.T) {
	r := words(t, kernel(modern, ".const .u32 c[2] = {3, 4};\n.global .s8 g[4] = {-1, 2, 3, 4};\n.shared .u32 s[2];", `
	.local .align 16 .b8 l[32];
	st.shared.u32 [s+4], 10;
	mov.u64 %d2, s;
	cvta.shared.u64 %d2, %d2;
	ld.u32 %r2, [%d2+4];
	isspacep.shared %p0, %d2;
	selp.u32 %r3, 100, 0, %p0;
	mov.u64 %d3, l;
	st.local.v4.u32 [%d3+16], {%r2, %r3, 1000, 5};
	cvta.local.u64 %d4, %d3;
	ld.v2.u32 {%r4, %r5}, [%d4+16];
	cvta.to.local.u64 %d5, %d4;
	ld.local.u32 %r6, [%d5+24];
	add.u32 %r0, %r4, %r5;
	add.u32 %r0, %r0, %r6;
	ld.const.u32 %r7, [c+4];
	add.u32 %r0, %r0, %r7;
	cvta.const.u64 %d6, c;
	ld.u32 %r7, [%d6];
	mad.lo.u32 %r0, %r7, 10000, %r0;
	ld.global.s8 %r8, [g];
	ld.global.u8 %r9, [g];
	add.u32 %r0, %r0, %r8;
	add.u32 %r0, %r0, %r9;`), 1, Launch{})
	require.Equal(t, uint32(10+100+1000+4+30000-1+255), r[0])
}

func TestAtomics(t *testing.T) {
	for code, want := range map[string]uint32{
		"atom.global.add.u32 %r2, [%d0], %r1;":                    5 + 0 + 1 + 2 + 3,
		"red.add.u32 [%d0], 1;":                                   9,
		"atom.global.inc.u32 %r2, [%d0], 6;":                      2, // 6 0 1 2
		"atom.global.dec.u32 %r2, [%d0], 4;":                      1, // 4 (5 > 4) 3 2 1
		"atom.global.min.s32 %r2, [%d0], -3;":                     0xfffffffd,
		"atom.global.max.u32 %r2, [%d0], %r1;":                    5,
		"atom.global.and.b32 %r2, [%d0], 4;":                      4,
		"atom.global.or.b32 %r2, [%d0], %r1;":                     7,
		"atom.global.xor.b32 %r2, [%d0], 1;":                      5,
		"atom.global.exch.b32 %r2, [%d0], %r1;":                   3,
		"add.u32 %r3, %r1, 5; atom.cas.b32 %r2, [%d0], %r3, 6;":   7,
		"add.u32 %r3, %r1, 6; atom.cas.b32 %r2, [%d0], %r1, %r3;": 5,
		"mov.f32 %f1, 0f3F800000; red.global.add.f32 [%d0], %f1;": uint32(f32(4)), // 5 is subnormal
	} {
		if strings.Contains(code, "cas.b32 %r2, [%d0], %r3, 6") {
			want = 6 // thread 0 replaces 5 by 6, thread 1 replaces 6 by 6
		}
		t.Run(code, func(t *testing.T) {
			text := kernel(modern, "", "setp.eq.u32 %p0, %r1, 0;\n@%p0 st.global.u32 [%d0], 5;\nbar.sync 0;\n"+
				code+"\nbar.sync 0; ld.global.u32 %r0, [%d0]; bar.sync 0;")
			require.Equal(t, want, words(t, text, 4, Launch{Block: [3]int{4}})[3])
		})
	}
}

func TestAtomicsOf64Bits(t *testing.T) {
	r := words(t, kernel(modern, ".shared .align 8 .u64 s;", `
	mov.u64 %d2, 0x1ffffffff;
	atom.shared.add.u64 %d3, [s], %d2;
	atom.shared.cas.b64 %d4, [s], %d2, 7;
	ld.shared.u64 %d5, [s];
	shr.u64 %d4, %d4, 32;
	add.u64 %d5, %d5, %d4;
	cvt.u32.u64 %r0, %d5;`), 1, Launch{})
	require.Equal(t, uint32(8), r[0])
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

// A reduction without barriers relies on warps in step.
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

// One warp waits for what another stores.
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

func TestSamples(t *testing.T) {
	var got []Sample
	text := tesla + ".tex .u32 image;\n" + `.entry k(.param .u64 out)
{
	.reg .f32 %f<8>; .reg .b64 %d<3>; .reg .u32 %r<4>;
	ld.param.u64 %d0, [out];
	mov.f32 %f5, 0f3F800000; mov.f32 %f6, 0f40000000;
	tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [image, {%f5, %f6}];
	st.global.f32 [%d0], %f2;
}`
	var m Memory
	address, out, err := m.Alloc(4)
	require.NoError(t, err)
	m0 := parse(t, text)
	_, err = func() (*Program, error) {
		p, err := Load(m0, Config{})
		if err != nil {
			return nil, err
		}
		return p, p.Run("k", Launch{Params: make([]byte, 8)})
	}()
	requireKind(t, err, Unsupported, "Config.Texture")
	p, err := Load(m0, Config{Memory: &m, Texture: func(s Sample) ([4]uint64, error) {
		got = append(got, s)
		return [4]uint64{1, 2, 3, 4}, nil
	}})
	require.NoError(t, err)
	require.NoError(t, p.Run("k", Launch{Params: le.LittleEndian.AppendUint64(nil, address)}))
	require.Equal(t, uint64(3), little(out))
	require.Equal(t, []Sample{{Op: ptx.OpTex, Texture: "image", Geom: ptx.Geom2D, Type: ptx.F32,
		From: ptx.F32, Coords: []uint64{f32(1), f32(2)}}}, got)
}
