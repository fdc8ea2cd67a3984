package compile_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// valueRow is code of wordKernel that leaves a known word in %r0.
type valueRow struct {
	name, before, code string
	want               uint32
}

// requireValues runs rows with one thread, as the reference and on every device from the first on.
func requireValues(t *testing.T, first tesla.Arch, rows []valueRow) {
	t.Helper()
	one := [2]int{1, 1}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			text := wordKernel(row.before, row.code)
			require.Equal(t, row.want, binary.LittleEndian.Uint32(referenceWords(t, text, one)), "the reference: %s", text)
			for arch := first; arch <= tesla.SM13; arch++ {
				require.Equal(t, row.want, binary.LittleEndian.Uint32(machineWords(t, text, arch, one)), "%s: %s", arch, text)
			}
		})
	}
}

// A carry goes from sums to differences and back as the flag of the machine, over blocks and guards,
// and not into functions.
func TestCarries(t *testing.T) {
	const f = ".func (.reg .b32 %x) f() { .reg .b32 %y; addc.u32 %x, 5, 0; add.cc.u32 %y, -1, 0; ret; }\n"
	requireValues(t, tesla.SM10, []valueRow{
		{"sub then addc, no borrow", "", "sub.cc.u32 %r1, 7, %flat; addc.u32 %r0, 0, 0;", 1},
		{"sub then addc, borrow", "", "sub.cc.u32 %r1, %flat, 1; addc.u32 %r0, 0, 0;", 0},
		{"add then subc, carry", "", "add.cc.u32 %r1, -1, 1; subc.u32 %r0, 9, 2;", 7},
		{"add then subc, none", "", "add.cc.u32 %r1, %flat, 1; subc.u32 %r0, 9, 2;", 6},
		{"none before", "", "addc.u32 %r1, 3, 4; subc.u32 %r2, 9, 2; mad.lo.u32 %r0, %r1, 16, %r2;", 0x76},
		{"64 bits", "", "mov.b64 %d0, 1; sub.cc.u64 %d0, %d0, 2; addc.u64 %d1, 0x100000000, 0; mov.b64 {%r1, %r2}, %d1; add.u32 %r0, %r1, %r2;", 1},
		{"mad", "", "mov.u32 %r1, -1; mad.lo.cc.u32 %r2, %r1, %r1, -1; subc.u32 %r0, 9, 2;", 7},
		{"madc", "", "sub.cc.u32 %r1, 3, %flat; madc.lo.u32 %r0, %flat, %flat, 8;", 9},
		{"a block between", "", "add.cc.u32 %r1, -1, 1; setp.ne.u32 %p0, %flat, 9; @%p0 bra ON; add.u32 %r0, %r0, 40; ON: addc.u32 %r0, %r0, 1;", 2},
		{"two ways", "", "setp.eq.u32 %p0, %flat, 0; @%p0 bra A; add.cc.u32 %r1, 1, 1; bra ON; A: add.cc.u32 %r1, -1, 1; ON: addc.u32 %r0, 0, 0;", 1},
		{"a guard that holds", "", "setp.eq.u32 %p0, %flat, 0; add.cc.u32 %r1, 1, 1; @%p0 add.cc.u32 %r1, -1, 1; addc.u32 %r0, 0, 0;", 1},
		{"a guard that does not", "", "setp.eq.u32 %p0, %flat, 0; add.cc.u32 %r1, -1, 1; @!%p0 add.cc.u32 %r1, 1, 1; addc.u32 %r0, 0, 0;", 1},
		{"a guarded addc", "", "setp.eq.u32 %p0, %flat, 0; add.cc.u32 %r1, -1, 1; @%p0 addc.cc.u32 %r0, -1, 0; addc.u32 %r0, %r0, 5;", 6},
		{"a loop", "", "mov.u32 %r1, 0; mov.u32 %r2, 3; AGAIN: addc.u32 %r0, %r0, 16; sub.cc.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra AGAIN;", 0x32},
		{"a library call between", "", "add.cc.u32 %r1, -1, 1; div.u32 %r2, 77, %ntid.x; addc.u32 %r0, %r2, 0;", 78},
		{"a call", f, "sub.cc.u32 %r1, %flat, 1; call (%r2), f; addc.u32 %r0, %r2, 16;", 21},
	})
}

// The fourth element of the registers of threads and blocks is zero.
func TestFourthElements(t *testing.T) {
	requireValues(t, tesla.SM10, []valueRow{
		{"w", "", "add.u32 %r0, 7, %tid.w; mov.u32 %r1, %ntid.w; add.u32 %r0, %r0, %r1; mov.u32 %r1, %ctaid.w; add.u32 %r0, %r0, %r1; mov.u32 %r1, %nctaid.w; add.u32 %r0, %r0, %r1;", 7},
	})
}

// What changes no number but a sign keeps subnormal numbers of f32 without .ftz, and zeros are normal
// numbers. A sign with .ftz flushes before a conversion to 64 bits, which does not.
func TestSubnormals(t *testing.T) {
	const f = ".reg .b64 %x; mov.b32 %f0, 0x80400000; add.u32 %r1, %flat, 0x80000001; mov.b32 %f1, %r1; "
	const high = " mov.b64 {%r1, %r0}, %x;"
	requireValues(t, tesla.SM10, []valueRow{
		{"a constant", "", f + "cvt.f32.f32 %f2, %f0; mov.b32 %r0, %f2;", 0x80400000},
		{"a copy", "", f + "cvt.f32.f32 %f2, %f1; mov.b32 %r0, %f2;", 0x80000001},
		{"flushed", "", f + "cvt.ftz.f32.f32 %f2, %f1; mov.b32 %r0, %f2;", 0x80000000},
		{"clamped", "", f + "neg.f32 %f2, %f1; cvt.sat.f32.f32 %f2, %f2; mov.b32 %r0, %f2;", 1},
		{"clamped below", "", f + "cvt.sat.f32.f32 %f2, %f1; mov.b32 %r0, %f2;", 0},
		{"bf16", "", f + ".reg .b16 %h<2>; abs.f32 %f2, %f0; mov.b32 {%h0, %h1}, %f2; cvt.sat.f32.bf16 %f2, %h1; mov.b32 %r0, %f2;", 0x00400000},
		{"neg before 64 bits", "", f + "neg.f32 %f2, %f1; cvt.rpi.s64.f32 %x, %f2; cvt.u32.u64 %r0, %x;", 1},
		{"neg.ftz before 64 bits", "", f + "neg.ftz.f32 %f2, %f1; cvt.rpi.s64.f32 %x, %f2; cvt.u32.u64 %r0, %x;", 0},
		{"abs.ftz before 64 bits", "", f + "abs.ftz.f32 %f2, %f1; cvt.rpi.u64.f32 %x, %f2; cvt.u32.u64 %r0, %x;", 0},
		{"zero is normal", "", f + "mov.b32 %r1, %flat; mov.b32 %f2, %r1; testp.normal.f32 %p0, %f2; testp.normal.f32 %p1, %f1; selp.u32 %r0, 1, 0, %p0; @%p1 add.u32 %r0, %r0, 2;", 1},
	})
	requireValues(t, tesla.SM13, []valueRow{
		{"neg.ftz before f64", "", f + "neg.ftz.f32 %f2, %f1; cvt.f64.f32 %x, %f2;" + high, 0},
		{"zero is normal in f64", "", f + "neg.f64 %x, 0d0000000000000000; testp.normal.f64 %p0, %x; selp.u32 %r0, 1, 0, %p0;", 1},
		{"reciprocal root of an upper word", "", f + "cvt.f64.f32 %x, %f1; abs.f64 %x, %x; rsqrt.approx.ftz.f64 %x, %x;" + high, 0x4496a09e},
		{"reciprocal root of a subnormal number", "", f + "mov.b64 %x, -0x7fffffffffffffff; rsqrt.approx.ftz.f64 %x, %x;" + high, 0xfff00000},
		{"reciprocal root of a NaN", "", f + "mov.b64 %x, -1; rsqrt.approx.ftz.f64 %x, %x;" + high, 0x7fffffff},
		{"reciprocal of a NaN", "", f + "mov.b64 %x, -1; rcp.approx.ftz.f64 %x, %x;" + high, 0x7fffffff},
	})
}

// A register may stand with a constant: the sum.
func TestSums(t *testing.T) {
	requireValues(t, tesla.SM10, []valueRow{
		{"32 bits", "", "mov.u32 %r1, 40; add.u32 %r0, %r1+3, %r1 - 1;", 82},
		{"64 bits, a carry", "", "mov.b64 %d0, 0xffffffff; mov.u64 %d1, %d0+2; mov.b64 {%r1, %r2}, %d1; mad.lo.u32 %r0, %r2, 16, %r1;", 17},
		{"64 bits, down", "", "mov.b64 %d0, 1; add.u64 %d1, %d0-3, %d0; mov.b64 {%r1, %r2}, %d1; and.b32 %r0, %r1, %r2;", 0xffffffff},
		{"16 bits", "", ".reg .b16 %h<2>; mov.u16 %h0, 0xffff; cvt.u32.u16 %r0, %h0+3;", 2},
		{"a store", ".shared .b32 s;", "mov.u32 %r1, 8; st.shared.u32 [s], %r1+1; ld.shared.u32 %r0, [s];", 9},
		{"constants", "", "mov.u32 %r0, (5 + 3) * 4 - (7 > 2 ? 1 : 0) | 64;", 95},
		{"an address", ".global .b32 g[4] = {1, 2, 3, 4};", "mov.u64 %d0, g+4*2; ld.global.u32 %r0, [%d0+(8-4)];", 4},
		{"an element", ".global .b32 g[2][4] = {1, 2, 3, 4, 5, 6, 7, 8};", "ld.global.u32 %r0, [g[1][2]+-4];", 6},
	})
}

// Registers of several elements are parameters of functions.
func TestVectorParameters(t *testing.T) {
	const pair = ".func (.reg .v2 .b32 %x) swap(.reg .v2 .b32 %y) { mov.b32 %x.x, %y.y; mov.b32 %x.y, %y.x; ret; }\n"
	const long = ".func (.reg .v4 .b16 %x, .reg .b64 %s) turn(.reg .b32 %n, .reg .v2 .b64 %y) { .reg .b32 %a, %b; " +
		"mov.b64 {%x.w, %x.z, %x.y, %x.x}, %y.x; add.u64 %s, %y.x, %y.y; ret; }\n"
	const deep = ".func (.reg .v2 .b32 %x) down(.reg .v2 .b32 %y);\n.func (.reg .v2 .b32 %x) down(.reg .v2 .b32 %y) { .reg .pred %p; .reg .v2 .b32 %z;" +
		"setp.eq.u32 %p, %y.x, 0; mov.v2.b32 %x, %y; @%p ret; sub.u32 %z.x, %y.x, 1; mad.lo.u32 %z.y, %y.y, 3, %y.x; call (%x), down, (%z); ret; }\n"
	requireValues(t, tesla.SM10, []valueRow{
		{"a register", pair, ".reg .v2 .b32 %v, %w; mov.b32 %v.x, 3; mov.b32 %v.y, 5; call (%w), swap, (%v); mad.lo.u32 %r0, %w.x, 16, %w.y;", 0x53},
		{"a list", pair, "mov.u32 %r1, 7; call ({%r2, %r3}), swap, ({%r1, 9}); mad.lo.u32 %r0, %r2, 16, %r3;", 0x97},
		{"the same", pair, ".reg .v2 .b32 %v; mov.b32 %v.x, 3; mov.b32 %v.y, 5; call (%v), swap, (%v); mad.lo.u32 %r0, %v.x, 16, %v.y;", 0x53},
		{"halves and longs", long, ".reg .v4 .b16 %h; .reg .v2 .b64 %l; mov.b64 %l.x, 0x0001000200030004; mov.b64 %l.y, 0xffffffff00000000; call (%h, %d0), turn, (1, %l);" +
			"cvt.u32.u16 %r1, %h.x; cvt.u32.u16 %r2, %h.w; mov.b64 {%r3, %r4}, %d0; mad.lo.u32 %r0, %r1, 16, %r2; mad.lo.u32 %r0, %r0, 16, %r4; add.u32 %r0, %r0, %r3;", 0x40145},
		{"recursive", deep, "call ({%r1, %r2}), down, ({3, 1}); add.u32 %r0, %r1, %r2;", 27 + 3*9 + 2*3 + 1},
	})
}

// Vectors of eight elements, and others of more than 16 bytes.
func TestLongVectors(t *testing.T) {
	const g = ".global .align 32 .b8 g[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};\n" +
		".shared .align 32 .b8 s[64];\n"
	const sum = "xor.b32 %r0, %r1, %r2; mad.lo.u32 %r0, %r0, 7, %r3; mad.lo.u32 %r0, %r0, 7, %r4; mad.lo.u32 %r0, %r0, 7, %r5; mad.lo.u32 %r0, %r0, 7, %r6; mad.lo.u32 %r0, %r0, 7, %r7; mad.lo.u32 %r0, %r0, 7, %r8;"
	want := func(size int) uint32 {
		var e [8]uint32
		for i := range e {
			for k := range size {
				e[i] |= uint32(i*size+k+1) << (8 * k)
			}
		}
		x := e[0] ^ e[1]
		for _, y := range e[2:] {
			x = x*7 + y
		}
		return x
	}
	const eight = "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}"
	requireValues(t, tesla.SM10, []valueRow{
		{"v8.b32", g, "ld.global.v8.b32 " + eight + ", [g]; " + sum, want(4)},
		{"v8.u8", g, "ld.global.v8.u8 " + eight + ", [g]; " + sum, want(1)},
		{"v8.u16", g, "ld.global.v8.u16 " + eight + ", [g]; " + sum, want(2)},
		{"through global", g, "ld.global.v8.b32 " + eight + ", [g]; st.global.v8.b32 [g+32], " + eight + "; ld.global.v8.b32 " + eight + ", [g+32];" + sum, want(4)},
		{"through shared", g, "ld.global.v8.b32 " + eight + ", [g]; st.shared.v8.b32 [s], " + eight + "; ld.shared.v8.b32 " + eight + ", [s];" + sum, want(4)},
		{"bytes through local", g, ".local .align 8 .b8 l[8]; ld.global.v8.u8 " + eight + ", [g]; st.local.v8.u8 [l], " + eight + "; ld.local.v8.u8 " + eight + ", [l];" + sum, want(1)},
		{"mov", g, "ld.global.v8.b32 {%r8, %r7, %r6, %r5, %r4, %r3, %r2, %r1}, [g]; mov.v8.b32 " + eight + ", {%r8, %r7, %r6, %r5, %r4, %r3, %r2, %r1};" + sum, want(4)},
		{"v4.b64", g, ".reg .b64 %e<4>; ld.global.v4.b64 {%e0, %e1, %e2, %e3}, [g]; st.global.v4.b64 [g+32], {%e0, %e1, %e2, %e3}; ld.global.v8.b32 " + eight + ", [g+32];" + sum, want(4)},
	})
}

// Copies that are asynchronous on later devices are done at once; bytes that they do not read are
// zero.
func TestCopies(t *testing.T) {
	const g = ".global .align 16 .b8 g[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};\n.shared .align 16 .b8 s[16];\n"
	fill := "mov.b32 %r1, -1; st.shared.v4.b32 [s], {%r1, %r1, %r1, %r1};"
	sum := "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all; ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [s]; xor.b32 %r0, %r1, %r2; mad.lo.u32 %r0, %r0, 7, %r3; mad.lo.u32 %r0, %r0, 7, %r4;"
	want := func(size, read int) uint32 {
		var e [4]uint32
		for i := range 16 {
			b := uint32(i + 1)
			if i >= size {
				b = 0xff
			} else if i >= read {
				b = 0
			}
			e[i/4] |= b << (i % 4 * 8)
		}
		return ((e[0]^e[1])*7+e[2])*7 + e[3]
	}
	rows := []valueRow{
		{"16", g, fill + "cp.async.cg.shared.global [s], [g], 16;" + sum, want(16, 16)},
		{"8", g, fill + "cp.async.ca.shared.global [s], [g], 8;" + sum, want(8, 8)},
		{"4", g, fill + "cp.async.ca.shared::cta.global.L2::128B [s], [g], 4;" + sum, want(4, 4)},
		{"by registers", g, fill + "mov.u64 %d0, g; mov.u32 %r5, s; cp.async.ca.shared.global [%r5+4], [%d0+8], 4;" + sum, func() uint32 {
			e := [4]uint32{0xffffffff, 0x0c0b0a09, 0xffffffff, 0xffffffff}
			return ((e[0]^e[1])*7+e[2])*7 + e[3]
		}()},
		{"a policy", g, fill + ".reg .b64 %q; createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %q, 0.5; cp.async.ca.shared.global.L2::cache_hint [s], [g], 16, %q;" + sum, want(16, 16)},
		{"hints", g, ".reg .b64 %q; createpolicy.fractional.L2::evict_last.b64 %q; ld.global.L2::cache_hint.u32 %r1, [g], %q; st.global.L1::no_allocate.L2::cache_hint.u32 [g+4], %r1, %q; applypriority.global.L2::evict_normal [g], 128; discard.global.L2 [g+128], 128; prefetchu.L1 [g]; ld.global.u32 %r0, [g+4];", 0x04030201},
	}
	for _, size := range []int{4, 8, 16} {
		for read := range size + 2 {
			code := fmt.Sprintf("%smov.u32 %%r6, %d; cp.async.ca.shared.global [s], [g], %d, %%r6;%s", fill, read, size, sum)
			rows = append(rows, valueRow{fmt.Sprintf("%d of %d", read, size), g, code, want(size, min(read, size))})
		}
	}
	rows = append(rows, valueRow{"12 of 16, constant", g, fill + "cp.async.ca.shared.global [s], [g], 16, 12;" + sum, want(16, 12)})
	requireValues(t, tesla.SM10, rows)
}

// A variable of a function lives as long as one of the module, even if two functions use its name.
func TestVariablesOfFunctions(t *testing.T) {
	const f = ".global .b32 g = 1;\n.func (.reg .b32 %x) f() { .global .b32 g[2] = {20, 30}; .const .b32 c = 400; .reg .b32 %y;" +
		"ld.global.u32 %x, [g+4]; ld.const.u32 %y, [c]; add.u32 %x, %x, %y; ret; }\n"
	requireValues(t, tesla.SM10, []valueRow{
		{"all", f, ".global .u64 at = g; .const .align 8 .b8 c[8] = {1, 2, 3, 4}; ld.global.u64 %d0, [at]; ld.global.u32 %r1, [%d0]; call (%r2), f; ld.const.u8 %r3, [c+2]; add.u32 %r0, %r1, %r2; add.u32 %r0, %r0, %r3;", 434},
		{"a store", f, ".global .b32 own[3]; mov.u32 %r1, 7; st.global.u32 [own+8], %r1; ld.global.u32 %r0, [own+8]; call (%r2), f; add.u32 %r0, %r0, %r2;", 437},
	})
}
