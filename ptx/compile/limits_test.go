package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// What no device has is refused where the text declares it, and not when the kernel is launched.
func TestMemoryBeyondTheMachine(t *testing.T) {
	for name, c := range map[string]struct{ before, code, want string }{
		"const":         {".const .b8 a[16]; .const .b8 b[65521];", "", "4:30: b: ends at byte 65537 of 65536 of constant memory"},
		"const, one":    {".const .b8 s[2000000000], z;", "", "4:12: s: ends at byte 2000000000 of 65536 of constant memory"},
		"const, places": {".const .b8 a; .const .align 0x40000000 .b8 b; .const .u8 c;", "", "4:44: b: ends at byte 1073741825 of 65536 of constant memory"},
		"shared": {".shared .b8 s[16361];", "st.shared.u8 [s], 0;",
			"4:13: s: ends at byte 16385 of 16384 of shared memory in kernel k"},
		"shared, places": {".shared .align 1073741824 .b8 s[16];", "st.shared.u8 [s], 0;",
			"4:31: s: ends at byte 1073741840 of 16384 of shared memory in kernel k"},
		"shared, in a body": {"", ".shared .b8 s[16384]; st.shared.u8 [s], 0;",
			"16:13: s: ends at byte 16408 of 16384 of shared memory in kernel k"},
		"shared, for lanes": {".shared .b8 s[15000];", "st.shared.u8 [s], 0; vote.ballot.b32 %r0, %p0; match.any.sync.b32 %r1, %r0, -1;",
			"5:8: 17584 of 16384 bytes of shared memory, with what the lanes of a warp exchange"},
		"local": {"", ".local .b8 a[16]; .local .b8 l[16369]; st.local.u8 [l], 0;",
			"16:30: l: ends at byte 16385 of 16384 of local memory"},
		"local, one": {"", ".local .align 4 .b8 l[0x7fffffff], m[0x7fffffff]; st.local.u8 [l], 0;",
			"16:21: l: ends at byte 2147483647 of 16384 of local memory\nk:16:36: m: ends at byte 2147483647 of 16384 of local memory"},
		"local of the module": {".local .b8 l[16385];", "st.local.u8 [l], 0;",
			"4:12: l: ends at byte 16385 of 16384 of local memory"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := ptx.Parse("k", []byte(wordKernel(c.before, c.code)))
			require.NoError(t, err)
			_, err = compile.Compile(m, compile.Options{Arch: tesla.SM11, Verify: true})
			require.EqualError(t, err, "k:"+c.want)
		})
	}
}

// A kernel has 4096 bytes of parameters.
func TestParametersBeyondTheMachine(t *testing.T) {
	text := func(bytes string) string {
		return ".version 4.2\n.target sm_13\n.entry k(.param .u32 a, .param .b8 b[" + bytes + "]) { ret; }\n"
	}
	require.Len(t, compiledText(t, text("4092")).Kernels, 1)
	m, err := ptx.Parse("k", []byte(text("4093")))
	require.NoError(t, err)
	_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
	require.EqualError(t, err, "k:3:8: k has 4097 bytes of parameters; a kernel can have 4096")
}

// All that a device has compiles, and a file of it can be read.
func TestMemoryOfTheMachine(t *testing.T) {
	image := compiledText(t, wordKernel(".const .b8 c[65000]; .const .b8 d[536]; .shared .b8 s[16360]; .local .b8 x[16000];",
		"st.shared.u8 [s], 0; .local .b8 l[384]; st.local.u8 [l], 0; st.local.u8 [x], 0;"))
	require.Equal(t, 16384, image.Kernels[0].Shared)
	require.Equal(t, 16384, image.Kernels[0].Local)
	data, err := cubin.FormatELF(image)
	require.NoError(t, err)
	_, err = cubin.Parse(data)
	require.NoError(t, err)
}

// Registers that a kernel spills count, too.
func TestSpillsBeyondTheMachine(t *testing.T) {
	m, err := ptx.Parse("k", []byte(pressed(12, ".local .b8 l[16380]; st.local.u8 [l], %v3;")))
	require.NoError(t, err)
	_, err = compile.Compile(m, compile.Options{Arch: tesla.SM11, Verify: true})
	require.ErrorContains(t, err, " bytes of local memory, with the registers that it spills; a thread has 16384")
	require.Regexp(t, `^k:7:8: k takes 164\d\d bytes`, err.Error())
}

// A loop behind a call that ends every thread has no way into it but its own.
func TestLoopThatNoWayEnters(t *testing.T) {
	image := compiledText(t, wordKernel(".func f () { exit; }\n", `
	call f, ();
NEXT:
	setp.eq.u32 %p1, %r1, 5;
	@%p1 bra OUT;
	bra NEXT;
OUT:
	and.b32 %r0, %r2, 63;`))
	require.Len(t, image.Kernels, 1)
}
