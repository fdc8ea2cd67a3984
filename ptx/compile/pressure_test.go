package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// pressed writes a kernel of at most n registers that holds 24 words around some code.
func pressed(n int, code string) string {
	var before, after strings.Builder
	before.WriteString(`
	.reg .b32 %v<32>, %s<9>;
	.reg .b64 %w<9>;
	.reg .f64 %g<9>;
	mov.u32 %r4, s;
	and.b32 %r6, %flat, 7;
	mad.lo.u32 %r5, %r6, 8, %r4;
	st.shared.u32 [%r5], %r6;
	mul.lo.u32 %r6, %r6, 0x9e3779b1;
	st.shared.u32 [%r5+4], %r6;
	mov.u64 %d3, g;
	bar.sync 0;
`)
	for i := range 24 {
		fmt.Fprintf(&before, "ld.shared.u32 %%v%d, [%%r4+%d];\n", i, 4*(i%8))
		fmt.Fprintf(&before, "add.u32 %%v%d, %%v%d, %%v%d;\n", i, i, max(i-1, 0))
	}
	for i := range 24 {
		fmt.Fprintf(&after, "xor.b32 %%r0, %%r0, %%v%d;\nmul.lo.u32 %%r0, %%r0, 0x10003;\n", i*7%24)
	}
	text := wordKernel(".shared .align 8 .b64 s[8];\n.global .align 16 .b64 g[8];\n"+
		".global .texref t;", before.String()+code+after.String())
	return strings.Replace(text, "out)\n{", fmt.Sprintf("out) .maxnreg %d\n{", n), 1)
}

// wide are instructions with operands of many registers, and library functions.
var wide = map[string]string{
	"words": "",
	"vectors": `
	ld.global.v4.u32 {%s0, %s1, %s2, %s3}, [%d3];
	ld.global.v4.u32 {%s4, %s5, %s6, %s7}, [%d3+32];
	add.u32 %s0, %s0, %flat;
	add.u32 %s5, %s1, %s5;
	bar.sync 0;
	st.global.v4.u32 [%d3+16], {%s3, %s2, %s1, 3};
	st.global.v4.u32 [%d3+48], {%s7, %s6, 5, %s4};
	xor.b32 %r0, %s1, %s0;`,
	"swap": `
	cvt.u64.u32 %w1, %v3;
	cvt.u64.u32 %w2, %v5;
	atom.global.cas.b64 %w3, [%d3], %w1, %w1;
	atom.shared.cas.b64 %w4, [%r4], %w1, %w1;
	membar.gl;
	sub.u64 %w3, %w3, %w4;
	cvt.u32.u64 %r0, %w3;`,
	"double": `
	cvt.rn.f64.u32 %g0, %v3;
	cvt.rn.f64.u32 %g1, %v4;
	cvt.rn.f64.u32 %g2, %v5;
	fma.rn.f64 %g3, %g0, %g1, %g2;
	div.rn.f64 %g3, %g3, %g1;
	cvt.rzi.u32.f64 %r0, %g3;`,
	"division": `
	cvt.u64.u32 %w1, %v3;
	cvt.u64.u32 %w2, %v5;
	mul.lo.u64 %w1, %w1, %w2;
	add.u64 %w2, %w2, 1;
	div.u64 %w3, %w1, %w2;
	cvt.u32.u64 %r0, %w3;`,
	"lanes": `
	setp.lt.u32 %p2, %v5, %v9;
	shfl.bfly.b32 %r0|%p1, %v7, 3, 31;
	vote.ballot.b32 %s0, %p2;
	add.u32 %r0, %r0, %s0;
	redux.sync.add.u32 %s1, %v9, -1;
	add.u32 %r0, %r0, %s1;
	bar.red.popc.u32 %s1, 0, %p1;
	xor.b32 %r0, %r0, %s1;`,
	"predicates": `
	setp.lt.u32 %p0, %v0, %v1;
	setp.gt.u32 %p1, %v2, %v3;
	setp.lt.s32 %p2, %v4, %v5;
	setp.ne.u32 %p3, %v6, %v7;
	setp.lt.u32 %p4, %v8, %v9;
	setp.lt.u32 %p5, %v10, %v11;
	@%p0 add.u32 %v0, %v1, 3;
	@%p1 add.u32 %v1, %v2, %v3;
	@%p2 sub.u32 %v2, %v2, %v7;
	@%p3 add.u32 %v3, %v3, 3;
	@%p4 add.u32 %v5, %v6, %v4;
	@%p5 add.u32 %v9, %v8, %v7;
	selp.u32 %r0, 1, 2, %p0;
	selp.u32 %s0, 4, 8, %p3;
	add.u32 %r0, %r0, %s0;`,
}

// TestFewRegisters gives kernels fewer registers than their values need.
func TestFewRegisters(t *testing.T) {
	for _, n := range []int{1, 10, 11, 13, 16, 20} {
		for name, code := range wide {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				text := pressed(n, code)
				require.LessOrEqual(t, compiledText(t, text).Kernels[0].Registers, max(n, 10))
				requireWords(t, text, tesla.SM13, [2]int{32, 1})
			})
		}
		const texture = "tex.3d.v4.s32.s32 {%s0, %s1, %s2, %s3}, [t, {%v1, %v2, %v3, %v3}];\n" +
			"tex.2d.v4.s32.s32 {%s4, %s5, %s6, %s7}, [t, {%s1, %s2}]; add.s32 %r0, %s3, %s4;\n"
		require.LessOrEqual(t, compiledText(t, pressed(n, texture)).Kernels[0].Registers, max(n, 10))
	}
}

func compiledText(t *testing.T, text string) *cubin.Image {
	t.Helper()
	m, err := ptx.Parse("k.ptx", []byte(text))
	require.NoError(t, err)
	image, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
	require.NoError(t, err)
	return image
}
