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

// requireSameEnds is requireSameCalls with a release and a target that have brx.idx.
func requireSameEnds(t *testing.T, text []byte) {
	t.Helper()
	const old, later = ".version 3.0\n.target sm_20", ".version 6.0\n.target sm_30"
	requireSameCalls(t, bytes.Replace(text, []byte(old), []byte(later), 1))
}
