package ptxreference

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const functions = `
.func (.reg .u32 r) old(.reg .u32 a, .reg .u32 b)
{
	mul.lo.u32 r, a, b;
	ret;
}
.func (.param .b32 r) factorial(.param .b32 n)
{
	.reg .b32 %a<4>; .reg .pred %q;
	ld.param.u32 %a0, [n];
	mov.u32 %a1, 1;
	setp.le.u32 %q, %a0, 1;
	@%q bra end;
	{
		.param .b32 less;
		.param .b32 got;
		sub.u32 %a2, %a0, 1;
		st.param.b32 [less], %a2;
		call (got), factorial, (less);
		ld.param.b32 %a1, [got];
	}
	mul.lo.u32 %a1, %a1, %a0;
end:
	st.param.b32 [r], %a1;
	ret;
}
.func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 s[16])
{
	.reg .b64 %a<2>;
	.local .b64 unused;
	ld.param.u64 %a0, [s];
	ld.param.u64 %a1, [s+8];
	st.param.u64 [r+8], %a0;
	st.param.u64 [r], %a1;
	ret;
}
.func forever() { again: bra again; }
.func .noreturn leave() { exit; }
.func deep() { call deep; ret; }
`

func TestCalls(t *testing.T) {
	launch := Launch{Block: [3]int{6}}
	for code, want := range map[string][]uint32{
		"call (%r0), old, (%r1, 7);": {0, 7, 14, 21, 28, 35},
		`{ .param .b32 p; .param .b32 q;
		st.param.b32 [p], %r1;
		call.uni (q), factorial, (p);
		ld.param.b32 %r0, [q]; }`: {1, 1, 2, 6, 24, 120},
		`{ .param .align 8 .b8 p[16]; .param .align 8 .b8 q[16];
		cvt.u64.u32 %d2, %r1; mov.u64 %d3, 1000;
		st.param.u64 [p], %d2; st.param.u64 [p+8], %d3;
		call (q), swap, (p);
		ld.param.u64 %d4, [q]; ld.param.u64 %d5, [q+8];
		add.u64 %d4, %d4, %d5; cvt.u32.u64 %r0, %d4; }`: {1000, 1001, 1002, 1003, 1004, 1005},
		`proto: .callprototype (.param .b32 _) _ (.param .b32 _);
		mov.u64 %d2, factorial;
		{ .param .b32 p; .param .b32 q;
		st.param.b32 [p], %r1;
		call (q), %d2, (p), proto;
		ld.param.b32 %r0, [q]; }`: {1, 1, 2, 6, 24, 120},
		"mov.u32 %r0, 3; st.global.u32 [%d1], 9; setp.gt.u32 %p0, %r1, 2; @%p0 call leave;": {3, 3, 3, 9, 9, 9},
	} {
		t.Run(code, func(t *testing.T) {
			require.Equal(t, want, bothWays(t, kernel(modern, functions, code), 6, launch))
		})
	}
}

func TestCallsThatGoWrong(t *testing.T) {
	_, err := tryWords(t, kernel(modern, functions, "call deep;"), 1, Launch{})
	requireKind(t, err, Fault, "deeper")
	_, err = tryWords(t, kernel(modern, functions, "call forever;"), 1, Launch{StepLimit: 100})
	requireKind(t, err, StepLimit, "100")
	_, err = tryWords(t, kernel(modern, functions, `proto: .callprototype ()_ ();
	mov.u64 %d2, factorial;
	call %d2, (), proto;`), 1, Launch{})
	requireKind(t, err, Fault, "factorial")
}

func TestPrintf(t *testing.T) {
	var got []Printed
	p := load(t, modern+`
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[] = {37, 100, 32, 37, 102, 10, 0};
.entry k()
{
	.local .align 8 .b8 args[16];
	.reg .b64 %d<4>; .reg .b32 %r<2>;
	st.local.u32 [args], 7;
	st.local.f64 [args+8], 0d3FF8000000000000;
	mov.u64 %d0, text; cvta.global.u64 %d0, %d0;
	mov.u64 %d1, args; cvta.local.u64 %d1, %d1;
	{
		.param .b64 f; .param .b64 a; .param .b32 r;
		st.param.b64 [f], %d0;
		st.param.b64 [a], %d1;
		call (r), vprintf, (f, a);
		ld.param.b32 %r0, [r];
	}
	st.global.u32 [2147483648], %r0;
}
`, Config{Print: func(p Printed) { got = append(got, p) }})
	out := make([]byte, 4)
	require.NoError(t, p.Memory().Map(resultAt, out))
	require.NoError(t, p.Run("k", Launch{}))
	require.Equal(t, uint64(2), little(out))
	require.Len(t, got, 1)
	require.Equal(t, "%d %f\n", got[0].Format)
	require.Equal(t, uint64(7), little(got[0].Args[:4]))
	require.Equal(t, f64(1.5), little(got[0].Args[8:]))
}
