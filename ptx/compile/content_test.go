package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// Kernels find addresses in the initial contents of variables.
func TestAddressesInContents(t *testing.T) {
	const before = `
.global .align 4 .u32 x[4] = {10, 11, 12, 13};
.const .align 4 .u32 c[2] = {100, 101};
.global .align 8 .u64 list[3] = {x, x+8, generic(x)+4};
.global .align 4 .u32 short[2] = {x+12, 0};
.const .align 8 .u64 both[3] = {generic(c)+4, c, x};
.global .align 8 .b8 bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 0xff(x+8), 0xff00(x+8), 0xff0000(x+8),
	0xff000000(x+8), 0xff00000000(x+8), 0xff0000000000(x+8), 0xff000000000000(x+8),
	0xff00000000000000(x+8)};
.global .align 8 .u64 self = self;
`
	for code, want := range map[string]byte{
		"ld.global.u64 %d0, [list]; ld.u32 %r0, [%d0];":                                              10,
		"ld.global.u64 %d0, [list+8]; ld.global.u32 %r0, [%d0];":                                     12,
		"ld.global.u64 %d0, [list+16]; ld.u32 %r0, [%d0];":                                           11,
		"ld.global.u32 %r1, [short]; cvt.u64.u32 %d0, %r1; ld.global.u32 %r0, [%d0];":                13,
		"ld.const.u64 %d0, [both]; ld.u32 %r0, [%d0];":                                               101,
		"ld.const.u64 %d0, [both+8]; ld.const.u32 %r0, [%d0+4];":                                     101,
		"ld.const.u64 %d0, [both+16]; ld.u32 %r0, [%d0+4];":                                          11,
		"ld.global.u64 %d0, [bytes+8]; ld.u32 %r0, [%d0]; ld.global.u8 %r1, [bytes+7];":              12,
		"ld.global.u64 %d0, [self]; ld.u64 %d1, [%d0]; sub.u64 %d1, %d1, %d0; cvt.u32.u64 %r0, %d1;": 0,
	} {
		text := wordKernel(before, code)
		require.Equal(t, []byte{want, 0, 0, 0}, referenceWords(t, text, [2]int{1, 1}), code)
		requireWords(t, text, tesla.SM10, [2]int{1, 1})
	}
}

func TestRefusedContents(t *testing.T) {
	for before, why := range map[string]string{
		".shared .u32 s; .global .u64 p = s;":                      "p: in initial content only",
		".global .u32 __jacquard_output;":                          "the name is reserved",
		".global .u32 x; .global .u8 p[2] = {0xff(x), 0xff00(x)};": "p: a part of an address",
	} {
		m, err := ptx.Parse("k.ptx", []byte(wordKernel(before, "")))
		if err == nil {
			_, err = compile.Compile(m, compile.Options{Arch: tesla.SM10, Verify: true})
		}
		require.ErrorContains(t, err, why, before)
	}
}

// The pointers of a module survive a file.
func TestPointersInFiles(t *testing.T) {
	image := compiledText(t, wordKernel(".global .u32 x = 5; .global .u64 p[2] = {7, x+4};\n"+
		".const .u64 q[2] = {x, 1};", "ld.const.u64 %d0, [q]; ld.u32 %r0, [%d0];"))
	want := []cubin.Pointer{{In: -1, Offset: 0, Of: 0}, {In: 1, Offset: 8, Of: 0}}
	require.Equal(t, want, image.Pointers)
	data, err := cubin.FormatELF(image)
	require.NoError(t, err)
	again, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Equal(t, want, again.Pointers)
	require.EqualValues(t, 4, again.Globals[1].Init[8])
}
