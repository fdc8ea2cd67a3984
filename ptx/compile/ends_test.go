package compile_test

import (
	"bytes"
	"testing"
)

// A function whose text ends without ret returns there, whatever its last statement is. So does a
// kernel.
func TestFallingOutOfTheEnd(t *testing.T) {
	functions := map[string]string{
		"nothing": "add.u32 r, n, 5;",
		"label":   "setp.lt.u32 %p, n, 4; @%p bra END; add.u32 r, r, 5; END:",
		"bra":     "bra START; BACK: add.u32 r, r, 3; add.u32 n, n, 1; START: setp.lt.u32 %p, n, 4; @%p bra BACK;",
		"ret":     "setp.lt.u32 %p, n, 4; @!%p add.u32 r, n, 9; @%p ret;",
		"exit":    "setp.gt.u32 %p, n, 6; @%p exit;",
		"brx": "bra START; A: add.u32 r, r, 3; ret; B: add.u32 r, r, 7; ret; START: T: .branchtargets A, B; " +
			"setp.lt.u32 %p, n, 2; @%p brx.idx n, T;",
		"call": "setp.lt.u32 %p, n, 4; @%p call (r), twice, (n);",
	}
	for name, body := range functions {
		t.Run(name, func(t *testing.T) {
			const head = ".func (.reg .u32 r) twice (.reg .u32 n) { add.u32 r, n, n; }\n"
			called := head + ".func (.reg .u32 r) f (.reg .u32 n) { .reg .pred %p; mov.u32 r, 1; " + body + " }\n"
			requireSameEnds(t, callsKernel(called, "call (%r0), f, (%n); mad.lo.u32 %r0, %r0, 8, %t;"))
			again := head + ".func (.reg .u32 r) f (.reg .u32 n) { .reg .pred %p; .reg .u32 %a; mov.u32 r, 1; " +
				"setp.eq.u32 %p, n, 7; sub.u32 %a, n, 1; @%p call (r), f, (%a); " + body + " }\n"
			requireSameEnds(t, callsKernel(again, "call (%r0), f, (%n); mad.lo.u32 %r0, %r0, 8, %t;"))
		})
	}
	for name, end := range map[string]string{
		"bra":  "bra START; BACK: add.u32 %n, %n, 1; st.global.u32 [%out], %n; START: setp.lt.u32 %p0, %n, 4; @%p0 bra BACK;",
		"ret":  "setp.lt.u32 %p0, %n, 4; @%p0 ret;",
		"exit": "setp.lt.u32 %p0, %n, 4; @%p0 exit;",
		"trap": "setp.lt.u32 %p0, %n, 0; @%p0 trap;",
		"brx": "bra START; A: add.u32 %r0, %r0, 3; st.global.u32 [%out], %r0; ret; START: T: .branchtargets A; " +
			"setp.lt.u32 %p0, %n, 1; @%p0 brx.idx %n, T;",
	} {
		t.Run("kernel/"+name, func(t *testing.T) {
			text := string(callsKernel("", "st.global.u32 [%out], %t; "+end))
			const tail = "\tst.global.u32 [%out], %r0;\n\tret;\n}\n"
			requireSameEnds(t, []byte(text[:len(text)-len(tail)]+"}\n"))
		})
	}
}

// Branches by one table go where each of them would alone: from different places, under guards and
// in loops.
func TestBranchesByOneTable(t *testing.T) {
	for name, body := range map[string]string{
		"two": "setp.lt.u32 %p0, %n, 4; and.b32 %r1, %n, 1; and.b32 %r2, %t, 1; @%p0 bra OTHER; brx.idx %r1, T; OTHER: brx.idx %r2, T; " +
			"A: add.u32 %r0, %r0, 3; B: add.u32 %r0, %r0, 7;",
		"guards": "setp.lt.u32 %p0, %n, 4; setp.gt.u32 %p1, %n, 5; and.b32 %r1, %n, 1; and.b32 %r2, %t, 1; @%p0 brx.idx %r1, T; " +
			"@%p1 brx.idx %r2, T; add.u32 %r0, %r0, 100; A: add.u32 %r0, %r0, 3; B: add.u32 %r0, %r0, 7;",
		"loop": "mov.u32 %r3, 0; A: add.u32 %r0, %r0, 3; B: add.u32 %r0, %r0, 7; add.u32 %r3, %r3, 1; setp.gt.u32 %p0, %r3, %n; " +
			"@%p0 bra END; and.b32 %r1, %r3, 1; setp.eq.u32 %p1, %r3, 3; @%p1 brx.idx %r1, T; shr.u32 %r1, %t, %r3; and.b32 %r1, %r1, 1; " +
			"brx.idx %r1, T; END:",
	} {
		t.Run(name, func(t *testing.T) {
			requireSameEnds(t, callsKernel("", "T: .branchtargets A, B; "+body))
		})
	}
}

// requireSameEnds is requireSameCalls with a release and a target that have brx.idx.
func requireSameEnds(t *testing.T, text []byte) {
	t.Helper()
	const old, later = ".version 3.0\n.target sm_20", ".version 6.0\n.target sm_30"
	requireSameCalls(t, bytes.Replace(text, []byte(old), []byte(later), 1))
}
