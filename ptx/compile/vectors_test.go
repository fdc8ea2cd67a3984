package compile_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// A vector register that is named as a whole stands for all its elements.
func TestWholeVectors(t *testing.T) {
	const registers = ".reg .v4 .u32 %v, %w; .reg .v2 .f32 %g; .reg .v2 .u64 %l, %m; .reg .v4 .u16 %h;\n" +
		"mov.u32 %v.x, 1; mov.u32 %v.y, 20; mov.u32 %v.z, 300; mov.u32 %v.w, 4000;\n" +
		"mov.u64 %l.x, 0x500000001; mov.u64 %l.y, 0x700000020; mov.u64 %d0, g;\n"
	const sum = " add.u32 %r0, %w.x, %w.y; add.u32 %r0, %r0, %w.z; add.u32 %r0, %r0, %w.w;"
	for code, want := range map[string]uint32{
		"st.global.v4.u32 [g], %v; ld.global.u32 %r0, [g+12];":                                                             4000,
		"ld.global.v4.u32 %w, [g+16];" + sum:                                                                               106,
		"st.shared.v4.u32 [s], %v; ld.shared.v4.u32 %w, [s];" + sum:                                                        4321,
		"mov.v4.u32 %w, %v;" + sum:                                                                                         4321,
		"mov.v4.u32 %w, {%v.w, 0, %v.x, %v.x};" + sum:                                                                      4002,
		"mov.v4.u32 %w, %v; setp.ne.u32 %p0, %r0, %r0; @%p0 mov.v4.u32 %w, {0, 0, 0, 0};" + sum:                            4321,
		"mov.v4.u32 %v, {%v.w, %v.z, %v.y, %v.x}; mov.v4.u32 {%r1, %r2, %r3, %r0}, %v;":                                    1,
		"st.global.v2.u64 [%d0], %l; ld.global.v2.u64 %m, [%d0]; shr.u64 %d1, %m.y, 32; cvt.u32.u64 %r0, %d1;":             7,
		"mov.v2.u64 %m, %l; add.u64 %d1, %m.x, %m.y; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r0, %d1;":                          12,
		"mov.f32 %g.x, 0f3f800000; mov.f32 %g.y, 0f40000000; mov.b64 %d1, %g; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r0, %d1;": 0x40000000,
		"mov.b64 %g, %l.x; mov.b32 %r0, %g.y;":                                                                             5,
		"mov.b64 %h, %l.y; cvt.u32.u16 %r0, %h.z;":                                                                         7,
	} {
		text := wordKernel(".shared .align 16 .b8 s[16]; .global .align 16 .u32 g[8] = {0, 0, 0, 0, 1, 2, 3, 100};",
			registers+code)
		require.Equal(t, binary.LittleEndian.AppendUint32(nil, want), referenceWords(t, text, [2]int{1, 1}), code)
		requireWords(t, text, tesla.SM10, [2]int{1, 1})
	}
}

// No register of a Tesla device holds 128 bits.
func TestRefused128Bits(t *testing.T) {
	for _, code := range []string{"mov.b128 %q, %l;", "mov.b128 %q, %x;", "mov.b128 {%d0, %d1}, %q;"} {
		m, err := ptx.Parse("k.ptx", []byte(wordKernel("", ".reg .v2 .u64 %l; .reg .b128 %q, %x;\n"+code)))
		require.NoError(t, err)
		_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
		require.EqualError(t, err, "k.ptx:17:1: mov_b128 is not supported on sm_13")
	}
}

// A fetch into a vector register that is named as a whole keeps the texel.
func TestWholeTexel(t *testing.T) {
	m, err := ptx.Parse("texel.ptx", []byte(`.version 4.2
.target sm_20
.address_size 64
.global .texref a;
.global .texref b;
.entry k (.param .u64 out) {
	.reg .v4 .u32 %v; .reg .u32 %r; .reg .u64 %d;
	mov.u32 %r, 0;
	tex.1d.v4.u32.s32 %v, [b, {%r}];
	ld.param.u64 %d, [out];
	add.u32 %r, %v.x, 6;
	st.global.u32 [%d], %r;
	ret;
}`))
	require.NoError(t, err)
	image, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
	require.NoError(t, err)
	require.Equal(t, uint32(7), sumOf(t, image, "k"))
}
