package compile_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// contended writes a kernel in which all threads change a few words, with results that do not
// depend on the order of the threads: each thread stores a word after all changes.
func contended(code string) string {
	return wordKernel(".shared .align 8 .b64 s[8];\n.global .align 8 .b64 g[8];", `
	mov.u32 %r1, s;
	and.b32 %r2, %flat, 7;
	mad.lo.u32 %r2, %r2, 8, %r1;
	mov.b64 %d0, 0x4000000000000000;
	st.shared.b64 [%r2], %d0;
	mul.lo.u32 %r3, %flat, 0x9e3779b1;
	shr.u32 %r4, %r3, 29;
	mad.lo.u32 %r4, %r4, 8, %r1;
	cvt.u64.u32 %d1, %r4;
	cvta.shared.u64 %d1, %d1;
	mul.wide.u32 %d2, %r3, %r3;
	bar.sync 0;
	`+code+`
	bar.sync 0;
	ld.shared.u32 %r5, [%r2];
	ld.shared.u32 %r6, [%r2+4];
	shl.b32 %r6, %r6, 1;
	xor.b32 %r0, %r5, %r6;
`)
}

var contents = []string{
	"red.shared.add.u32 [%r4], %r3;", "red.shared.add.s32 [%r4+4], %r3;",
	"red.shared.min.s32 [%r4], %r3;", "red.shared.min.u32 [%r4+4], %r3;",
	"red.shared.max.s32 [%r4], %r3;", "red.shared.max.u32 [%r4], %r3;",
	"red.shared.and.b32 [%r4+4], %r3;", "red.shared.or.b32 [%r4], %r3;",
	"red.shared.xor.b32 [%r4], %r3;", "red.shared.inc.u32 [%r4], 5;", "red.shared.dec.u32 [%r4], 3;",
	"@!%p0 red.shared.add.u32 [s+8], %r3;", "red.add.u32 [%d1], %r3;",
	"red.shared.add.u64 [%r4], %d2;", "red.shared.min.u64 [%r4], %d2;",
	"red.shared.max.s64 [%r4], %d2;", "red.shared.xor.b64 [%r4], %d2;", "red.add.u64 [%d1], %d2;",
	"red.max.u64 [%d1], %d2;",
	"cvt.rn.f32.u32 %f0, %flat; red.shared.add.f32 [%r4], %f0;",
	"cvt.rn.f32.u32 %f0, %flat; red.add.f32 [%d1], %f0;",
	"red.shared.add.noftz.f16x2 [%r4], 0x00010002;", "red.shared.add.noftz.bf16 [%r4+2], 1;",
	"red.add.noftz.bf16x2 [%d1], 0x3c0001;", "red.add.noftz.f16 [%d1+6], 3;",
	// The order decides which thread gets which old value, not the sum of the old values.
	"atom.shared.add.u32 %r5, [%r4], 1; atom.shared.add.u32 %r5, [%r4+4], %r5;",
	"atom.shared.exch.b32 %r5, [%r4], %flat; atom.shared.exch.b32 %r5, [%r4], 77;",
	"atom.shared.exch.b64 %d3, [%r4], %d2; atom.shared.exch.b64 %d3, [%r4], 77;",
	// By compare-and-swap, as programs do.
	"AGAIN: ld.volatile.shared.u32 %r5, [%r4]; add.u32 %r6, %r5, %r3;" +
		" atom.shared.cas.b32 %r6, [%r4], %r5, %r6; setp.ne.u32 %p1, %r5, %r6; @%p1 bra AGAIN;",
	"AGAIN: ld.volatile.shared.u64 %d3, [%r4]; add.u64 %d4, %d3, %d2;" +
		" atom.shared.cas.b64 %d4, [%r4], %d3, %d4; setp.ne.u64 %p1, %d3, %d4; @%p1 bra AGAIN;",
	// A generic address that may be in either space.
	"and.b32 %r5, %flat, 1; setp.eq.u32 %p1, %r5, 0; mov.u64 %d3, g; selp.b64 %d3, %d1, %d3, %p1;\n" +
		"red.add.u32 [%d3], %r3;",
	"and.b32 %r5, %flat, 1; setp.eq.u32 %p1, %r5, 0; mov.u64 %d3, g; selp.b64 %d3, %d1, %d3, %p1;\n" +
		"atom.cas.b32 %r5, [%d3], 0, 77;",
}

// TestAtomicsOnSharedMemory lets all threads of a block change words of shared memory, under all
// policies.
func TestAtomicsOnSharedMemory(t *testing.T) {
	block := [2]int{96, 2}
	for _, code := range contents {
		requireWords(t, contended(code), tesla.SM12, block)
		want := referenceWords(t, contended(code), block)
		for _, policy := range branch.Policies() {
			got, err := policyWords(t, contended(code), tesla.SM13, block, policy.Name)
			if refused := (*branch.RefusedError)(nil); errors.As(err, &refused) {
				t.Log(err) // policies for code of another layout
				continue
			}
			require.NoError(t, err, "%s under %s", code, policy.Name)
			require.Equal(t, want, got, "%s under %s", code, policy.Name)
		}
	}
}

// Each lane gets the value before its own operation.
func TestWhatWasThereBefore(t *testing.T) {
	for _, op := range []string{"atom.shared.inc.u32 %r0, [s], 1000;",
		"atom.shared.add.u32 %r0, [s+4], 1;",
		"cvt.u64.u32 %d0, %flat; atom.shared.add.u64 %d0, [s+8], 1; cvt.u32.u64 %r0, %d0;"} {
		text := wordKernel(".shared .align 8 .b32 s[4];", "mov.u64 %d3, 0;"+
			"st.shared.u64 [s], %d3; st.shared.u64 [s+8], %d3; bar.sync 0; "+op)
		seen := map[string]bool{}
		words := machineWords(t, text, tesla.SM13, [2]int{100, 1})
		for i := 0; i < len(words); i += 4 {
			seen[string(words[i:i+4])] = true
			require.Zero(t, words[i+1])
		}
		require.Len(t, seen, 100, op)
	}
}

// Devices without locks refuse the operations, by a name and by a generic address.
func TestNoLocks(t *testing.T) {
	for code, why := range map[string]string{
		"red.shared.add.u32 [%r4], %r3;": "has no atomic operations on shared memory",
		"red.shared.min.u64 [%r4], %d2;": "has no atomic operations on shared memory",
		"red.shared.add.f32 [%r4], %f0;": "has no atomic operations on shared memory",
		"red.add.u32 [%d1], %r3;":        "which a generic address leads to",
	} {
		m, err := ptx.Parse("k.ptx", []byte(contended(code)))
		require.NoError(t, err)
		_, err = compile.Compile(m, compile.Options{Arch: tesla.SM11, Verify: true})
		require.ErrorContains(t, err, why)
	}
}
