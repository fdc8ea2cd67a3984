package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/tesla"
)

// callsKernel is a module of some functions and a kernel that stores %r0. %t is the thread, %n a
// number from 0 to 7.
func callsKernel(functions, body string) []byte {
	return []byte(".version 3.0\n.target sm_20\n.address_size 64\n.shared .b32 given[64];\n" + functions + `
.entry k (.param .u64 in, .param .u64 out)
{
	.reg .u64 %in, %out, %d<8>; .reg .u32 %t, %n, %r<8>; .reg .pred %p<4>; .reg .u16 %h<4>;
	ld.param.u64 %in, [in];
	ld.param.u64 %out, [out];
	mov.u32 %t, %tid.x;
	mul.wide.u32 %d0, %t, 4;
	add.u64 %in, %in, %d0;
	add.u64 %out, %out, %d0;
	ld.global.u32 %n, [%in];
	shr.u32 %n, %n, 9;
	and.b32 %n, %n, 7;
	mov.u32 %r0, %t;
` + body + `
	st.global.u32 [%out], %r0;
	ret;
}
`)
}

const callsFunctions = `
.func (.param .b32 r) folded (.param .align 4 .b8 s[12], .param .b32 n)
{
	.reg .u64 %at; .reg .u32 %x<6>; .reg .pred %p; .param .align 4 .b8 t[12]; .param .b32 m, got;
	mov.b64 %at, s;
	ld.param.u32 %x0, [n];
	ld.param.u8 %x1, [s+1];
	st.local.u16 [%at+6], %x0;
	setp.eq.u32 %p, %x0, 0;
	@%p bra end;
	sub.u32 %x2, %x0, 1;
	ld.param.u32 %x3, [s+4];
	add.u32 %x3, %x3, %x1;
	st.param.b32 [t], %x3;
	st.param.b32 [t+4], %x2;
	st.param.b16 [t+8], %x1;
	st.param.b16 [t+10], %x0;
	st.param.b32 [m], %x2;
	call (got), folded, (t, m);
	ld.param.u32 %x4, [got];
	ld.local.u32 %x5, [%at+4];
	mad.lo.u32 %x1, %x4, 31, %x5;
end:
	ld.param.u32 %x5, [s+8];
	xor.b32 %x1, %x1, %x5;
	st.param.b32 [r], %x1;
	ret;
}
.func (.reg .u32 r) fib (.reg .u32 n)
{
	.reg .u32 %a, %b; .reg .pred %p;
	mov.u32 r, n;
	setp.lt.u32 %p, n, 2;
	@%p ret;
	sub.u32 %a, n, 1;
	call (%b), fib, (%a);
	sub.u32 %a, n, 2;
	call (r), fib, (%a);
	add.u32 r, r, %b;
	ret;
}
.func (.param .b32 r) difference (.param .b32 x, .param .b32 y, .param .b32 n)
{
	.reg .u32 %a<4>; .reg .pred %p, %q; .param .b32 less;
	ld.param.u32 %a0, [n];
	setp.eq.u32 %p, %a0, 0;
	and.b32 %a1, %a0, 1;
	setp.eq.u32 %q, %a1, 1;
	@%p bra end;
	sub.u32 %a0, %a0, 1;
	st.param.u32 [less], %a0;
	call (r), difference, (y, x, less);
	ld.param.u32 %a2, [r];
	mul.lo.u32 %a2, %a2, 3;
	@%q add.u32 %a2, %a2, 1;
	st.param.u32 [r], %a2;
	ret;
end:
	ld.param.u32 %a2, [x];
	ld.param.u32 %a3, [y];
	sub.u32 %a2, %a2, %a3;
	st.param.u32 [r], %a2;
	ret;
}
.func (.param .b64 r) wide (.param .b64 x, .param .b32 n)
{
	.reg .u64 %x, %y; .reg .u32 %n; .reg .pred %p;
	ld.param.u64 %x, [x];
	ld.param.u32 %n, [n];
	mov.u64 %y, 1;
	setp.eq.u32 %p, %n, 0;
	@%p bra end;
	{
		.param .b64 px; .param .b32 pn; .param .b64 pr;
		sub.u32 %n, %n, 1;
		st.param.u64 [px], %x;
		st.param.u32 [pn], %n;
		call (pr), wide, (px, pn);
		ld.param.u64 %y, [pr];
	}
	mul.lo.u64 %y, %y, %x;
	xor.b64 %y, %y, %x;
end:
	st.param.u64 [r], %y;
	ret;
}
.func (.reg .u32 r) h (.reg .u32 n);
.func (.reg .u32 r) g (.reg .u32 n)
{
	.reg .u32 %a; .reg .pred %p;
	mov.u32 r, 1;
	setp.lt.u32 %p, n, 3;
	@%p ret;
	sub.u32 %a, n, 3;
	call (%a), h, (%a);
	mad.lo.u32 r, %a, 5, n;
	ret;
}
.func (.reg .u32 r) f (.reg .u32 n)
{
	.reg .u32 %a, %b; .reg .pred %p;
	and.b32 %a, n, 1;
	setp.eq.u32 %p, %a, 1;
	@%p bra other;
	call (%a), g, (n);
	call (%b), fib, (n);
	mad.lo.u32 r, %a, 7, %b;
	ret;
other:
	call (r), h, (n);
	ret;
}
.func (.reg .u32 r) h (.reg .u32 n)
{
	.reg .u32 %a; .reg .pred %p;
	mov.u32 r, 2;
	setp.lt.u32 %p, n, 2;
	@%p ret;
	sub.u32 %a, n, 1;
	call (r), g, (%a);
	sub.u32 %a, n, 2;
	call (%a), f, (%a);
	add.u32 r, r, %a;
	ret;
}
.func ends (.reg .u32 n, .reg .u64 out)
{
	.reg .pred %p;
	setp.eq.u32 %p, n, 0;
	@%p bra end;
	sub.u32 n, n, 1;
	call ends, (n, out);
end:
	st.global.u32 [out], 77;
	exit;
}
.func (.reg .u32 r) exchange (.reg .u32 x, .reg .u32 n)
{
	.reg .u32 %a<4>; .reg .pred %p;
	mov.u32 r, x;
	setp.eq.u32 %p, n, 0;
	@%p ret;
	mov.u32 %a0, %tid.x;
	mov.u32 %a1, given;
	mad.lo.u32 %a2, %a0, 4, %a1;
	and.b32 %a3, x, 2;
	setp.eq.u32 %p, %a3, 0;
	@%p bra next;
	mad.lo.u32 x, x, 3, 1;
next:
	st.shared.u32 [%a2], x;
	bar.sync 0;
	xor.b32 %a0, %a0, 35;
	mad.lo.u32 %a2, %a0, 4, %a1;
	ld.shared.u32 %a3, [%a2];
	bar.sync 0;
	sub.u32 %a0, n, 1;
	call (%a0), exchange, (%a3, %a0);
	mad.lo.u32 r, %a0, 7, r;
	ret;
}
.func deep (.reg .u32 n) { add.u32 n, n, 1; call deep, (n); st.global.u32 [n], n; ret; }
.func (.reg .u32 r) twice (.reg .u32 n) { add.u32 r, n, n; ret; }
.func (.reg .u32 r) square (.reg .u32 n) { mul.lo.u32 r, n, n; ret; }
.func (.reg .u32 r) apply (.reg .u64 fn, .reg .u32 n)
{
	p: .callprototype (.reg .u32 _) _ (.reg .u32 _);
	call (r), fn, (n), p;
	ret;
}
.func (.reg .u32 r) down (.reg .u32 n)
{
	.reg .u64 %f; .reg .u32 %a; .reg .pred %p;
	p: .callprototype (.reg .u32 _) _ (.reg .u32 _);
	mov.u32 r, n;
	setp.eq.u32 %p, n, 0;
	@%p ret;
	mov.u64 %f, down;
	sub.u32 %a, n, 1;
	call (r), %f, (%a), p;
	mad.lo.u32 r, r, 3, n;
	ret;
}
.func (.param .b32 r) doubled (.param .b32 n)
{
	.reg .u32 %a;
	ld.param.u32 %a, [n];
	add.u32 %a, %a, %a;
	st.param.u32 [r], %a;
	ret;
}
.func (.param .b32 r) halves (.param .b32 n)
{
	.reg .u16 %h; .reg .u32 %a;
	ld.param.u32 %a, [n];
	ld.param.u16 %h, [n];
	st.param.u16 [r], 513;
	st.param.b16 [r+2], %h;
	st.param.b8 [r+1], %h;
	ret;
}
.func (.reg .u32 r) narrow (.param .b16 a, .param .b8 c)
{
	.reg .s16 %h<2>; .reg .u32 %a;
	ld.param.s16 %h0, [a];
	ld.param.s8 %h1, [c];
	mul.wide.s16 r, %h0, %h1;
	ret;
}
.func (.param .b32 r) last (.param .b32 n)
{
	.reg .u32 %a; .reg .pred %p; .param .b32 less;
	ld.param.u32 %a, [n];
	setp.lt.u32 %p, %a, 2;
	@%p bra end;
	sub.u32 %a, %a, 2;
	st.param.u32 [less], %a;
	call (r), last, (less);
	ret;
end:
	call (r), doubled, (n);
	ret;
}
.func (.reg .u32 r) handed (.param .align 4 .b8 s[8], .param .b32 n)
{
	.reg .u64 %at; .reg .u32 %a<2>; .reg .pred %p; .param .b32 less;
	mov.u64 %at, s;
	ld.param.u32 %a0, [n];
	ld.param.u32 r, [s+4];
	setp.eq.u32 %p, %a0, 0;
	@%p ret;
	ld.param.u32 %a1, [s];
	add.u32 %a1, %a1, r;
	st.local.u32 [%at+4], %a1;
	sub.u32 %a0, %a0, 1;
	st.param.u32 [less], %a0;
	call (r), handed, (s, less);
	ret;
}
.func (.reg .u32 r, .reg .pred q) both (.reg .u32 n)
{
	.reg .u32 %a; .reg .pred %p;
	mov.u32 r, n;
	setp.gt.u32 q, n, 1;
	setp.eq.u32 %p, n, 0;
	@%p ret;
	sub.u32 %a, n, 1;
	call (r, q), both, (%a);
	@q add.u32 r, r, n;
	not.pred q, q;
	ret;
}
.func (.reg .u32 r) aligned (.reg .u32 n)
{
	.local .align 64 .b8 x[64]; .reg .u32 %a; .reg .u64 %d; .reg .pred %p;
	mov.u64 %d, x;
	and.b64 %d, %d, 63;
	cvt.u32.u64 r, %d;
	setp.eq.u32 %p, n, 0;
	@%p ret;
	sub.u32 %a, n, 1;
	call (%a), aligned, (%a);
	add.u32 r, r, %a;
	add.u32 r, r, 1;
	ret;
}
.const .u64 table[3] = {twice, square, fib};
`

// callsRows are statements that compute %r0, each named for its special feature.
var callsRows = map[string]string{
	"fib":             "call (%r0), fib, (%n);",
	"guarded":         "setp.gt.u32 %p0, %n, 3; @%p0 call (%r0), fib, (%n);",
	"in a loop":       "again: call (%r1), fib, (%n); add.u32 %r0, %r0, %r1; setp.gt.u32 %p0, %n, 0; sub.u32 %n, %n, 1; @%p0 bra again;",
	"formals":         ".param .b32 x, y, n, r; st.param.u32 [x], %t; st.param.u32 [y], 5; st.param.u32 [n], %n; call (r), difference, (x, y, n); ld.param.u32 %r0, [r];",
	"64 bits":         ".param .b64 x, r; .param .b32 n; cvt.u64.u32 %d1, %t; add.u64 %d1, %d1, 0x123456789a; st.param.u64 [x], %d1; st.param.u32 [n], %n; call (r), wide, (x, n); ld.param.u64 %d1, [r]; mov.b64 {%r0, %r1}, %d1; xor.b32 %r0, %r0, %r1;",
	"knot":            "call (%r0), f, (%n);",
	"knot twice":      "call (%r0), h, (%n); and.b32 %r1, %r0, 7; call (%r1), g, (%r1); add.u32 %r0, %r0, %r1;",
	"barriers within": "call (%r0), exchange, (%n, 5);",
	"exit within":     "setp.gt.u32 %p0, %n, 5; @%p0 call ends, (%n, %out);",
	"in step": `call (%r0), fib, (%n);
	mov.u32 %r1, given; mad.lo.u32 %r1, %t, 4, %r1; st.shared.u32 [%r1], %r0;
	bar.sync 0;
	xor.b32 %r2, %t, 33; mov.u32 %r1, given; mad.lo.u32 %r1, %r2, 4, %r1; ld.shared.u32 %r0, [%r1];
	bar.sync 0;
	and.b32 %r0, %r0, 7; call (%r2), fib, (%r0);
	st.shared.u32 [%r1], %r2;
	bar.sync 0;
	mov.u32 %r1, given; mad.lo.u32 %r1, %t, 4, %r1; ld.shared.u32 %r0, [%r1];`,
	"structures in memory":     ".param .align 4 .b8 s[12]; .param .b32 m, got; st.param.b32 [s], %t; st.param.b32 [s+4], 7; st.param.b32 [s+8], %n; st.param.b32 [m], %n; call (got), folded, (s, m); ld.param.b32 %r0, [got];",
	"results of the last call": ".param .b32 n, r; st.param.u32 [n], %n; call (r), last, (n); ld.param.u32 %r0, [r]; add.u32 %r0, %r0, 1;",
	"structures handed on":     ".param .align 4 .b8 s[8]; .param .b32 m; st.param.b32 [s], %t; st.param.b32 [s+4], 7; st.param.b32 [m], %n; call (%r0), handed, (s, m);",
	"variables for registers":  ".param .b32 v; st.param.u32 [v], %n; call (%r0), fib, (v);",
	"alignment":                "call (%r0), aligned, (%n); add.u32 %r0, %r0, 1;",
	"predicates":               "call (%r0, %p0), both, (%n); @%p0 add.u32 %r0, %r0, 100; add.u32 %r0, %r0, 1;",
	"halves of a scalar":       ".param .b32 a, r; cvt.u16.u32 %h0, %t; cvt.u16.u32 %h1, %n; st.param.b16 [a], %h0; st.param.b16 [a+2], %h1; call (r), doubled, (a); ld.param.u32 %r0, [r]; ld.param.u16 %h0, [r+2]; cvt.u32.u16 %r1, %h0; mad.lo.u32 %r0, %r1, 3, %r0;",
	"bytes of a scalar":        ".param .b64 a, r; .param .b32 n; cvt.u16.u32 %h0, %t; st.param.b64 [a], 0x0102030405060708; st.param.v2.b16 [a+4], {%h0, 7}; st.param.b8 [a+5], %h0; st.param.s8 [a], -1; st.param.u32 [n], 2; call (r), wide, (a, n); ld.param.u64 %d1, [r]; mov.b64 {%r0, %r1}, %d1; mad.lo.u32 %r0, %r1, 3, %r0;",
	"halves of a result":       ".param .b32 a, r; st.param.b32 [a], %t; call (r), halves, (a); ld.param.u32 %r0, [r];",
	"narrow scalars":           ".param .b16 a; .param .b8 c; cvt.u16.u32 %h0, %t; st.param.b16 [a], %h0; st.param.b8 [c], %h0; call (%r0), narrow, (a, c);",
	"no predicate":             "call (%r0, _), both, (%n); add.u32 %r0, %r0, 1;",
	"by address":               "proto: .callprototype (.reg .u32 _) _ (.reg .u32 _); rem.u32 %r1, %n, 3; mul.wide.u32 %d1, %r1, 8; mov.u64 %d2, table; add.u64 %d2, %d2, %d1; ld.const.u64 %d3, [%d2]; call (%r0), %d3, (%n), proto;",
	"by a list":                "list: .calltargets square, twice; setp.gt.u32 %p0, %n, 3; mov.u64 %d1, twice; @%p0 mov.u64 %d1, square; call (%r0), %d1, (%n), list;",
	"into one knot":            "proto: .callprototype (.reg .u32 _) _ (.reg .u32 _); mov.u64 %d1, f; setp.gt.u32 %p0, %n, 3; @%p0 mov.u64 %d1, g; setp.gt.u32 %p0, %n, 5; @%p0 mov.u64 %d1, h; call (%r0), %d1, (%n), proto;",
	"through others":           "mov.u64 %d1, twice; setp.gt.u32 %p0, %n, 3; @%p0 mov.u64 %d1, down; call (%r0), apply, (%d1, %n);",
	"itself, by address":       "call (%r0), down, (%n);",
}

func TestCallRows(t *testing.T) {
	for name, body := range callsRows {
		t.Run(name, func(t *testing.T) {
			requireSameCalls(t, callsKernel(callsFunctions, body))
		})
	}
}

// failing compiles a kernel and returns the fault that it ends with.
func failing(t *testing.T, body string) *simt.Fault {
	t.Helper()
	m := parseCalls(t, callsKernel(callsFunctions, body))
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM11, Verify: true})
	require.NoError(t, err)
	_, err = callsMachine(t, im, "nvidia")
	var fault *simt.Fault
	require.ErrorAs(t, err, &fault)
	return fault
}

func TestCallsThatGoWrong(t *testing.T) {
	deep := failing(t, "call deep, (%n);")
	require.Equal(t, simt.FaultIllegalAddress, deep.Kind)
	require.Equal(t, "l", deep.Space)
	require.Greater(t, deep.Addr, uint32(0x8000))
	require.Equal(t, simt.FaultTrap, failing(t, "mov.u64 %d1, 0; call (%r0), apply, (%d1, %n);").Kind)
}

// Functions that call others twice would grow without end.
func TestTooMuchInPlace(t *testing.T) {
	var chain strings.Builder
	for i := range 40 {
		fmt.Fprintf(&chain, ".func f%d (.reg .u32 a) { %s call f%d, (a); call f%d, (a); ret; }\n", i,
			strings.Repeat("add.u32 a, a, 1; ", 100), i+1, i+1)
	}
	chain.WriteString(".func f40 (.reg .u32 a) { ret; }\n")
	var functions strings.Builder // each in front of its callers
	lines := strings.SplitAfter(chain.String(), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		functions.WriteString(lines[i])
	}
	m := parseCalls(t, callsKernel(functions.String(), "call f0, (%n);"))
	_, err := compile.Compile(m, compile.Options{Arch: tesla.SM11, Verify: true})
	require.ErrorContains(t, err, ": the functions that k calls, built in place of each call, have more than "+
		"2000000 instructions")
	var placed *ptx.Error
	require.ErrorAs(t, err, &placed)
	require.Positive(t, placed.Pos.Line)
	require.NotContains(t, err.Error(), "\n")
}

func TestRefusedCalls(t *testing.T) {
	for body, want := range map[string]string{
		"call k, (in, out);":   ": k is a kernel, which only a launch can start",
		"call two, (in);":      ": parameter in of the kernel is no argument of a call; load it first",
		"call absent;":         ": function absent has no body in this module",
		"mov.u64 %d1, absent;": ": function absent has no body in this module",
		".local .b8 x[13000]; st.local.u8 [x], 0; call small;": "10:8: k takes 13008 bytes of local memory beside a stack of 4096; a thread has 16384",
		"call great;":            "6:7: a call of great takes 8016 bytes of a stack of 4096",
		"call (%r0), one, (%n);": ": function one has no body in this module",
	} {
		text := callsKernel(".func absent ();\n.func great () { .local .b8 x[8000]; st.local.u8 [x], 0; call great; ret; }\n.func (.reg .u32 r) one (.reg .u32 n);\n.func small () { call small; ret; } .func two (.param .b64 x) { ret; }\n", body)
		m, err := ptx.Parse("calls", text)
		if err == nil {
			_, err = compile.Compile(m, compile.Options{Arch: tesla.SM11, Verify: true})
		}
		require.ErrorContains(t, err, want)
	}
}
