package compile_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile"
	"jacquard/tesla"
)

// spaces are the spaces that isspacep tells apart, and how to make a generic address in each.
var spaces = []struct{ name, address string }{
	{"global", "mov.u64 %d0, g; cvta.global.u64 %d0, %d0;"},
	{"shared", "cvta.shared.u64 %d0, sh;"},
	{"local", "cvta.local.u64 %d0, lo;"},
	{"const", "cvta.const.u64 %d0, co;"},
}

// inSpaces is a kernel whose thread i has an address in space i%4, at a place that depends on the
// thread; the result has a bit for each space that the address is in. If loaded, the addresses go
// through memory, so that nothing is known about them.
func inSpaces(loaded bool) string {
	var b strings.Builder
	b.WriteString(".local .b8 lo[512];\nand.b32 %r1, %flat, 3;\nmov.b64 %d7, 0;\n")
	for i, s := range spaces {
		fmt.Fprintf(&b, "%s\nsetp.eq.u32 %%p0, %%r1, %d;\n@%%p0 mov.b64 %%d7, %%d0;\n", s.address, i)
	}
	b.WriteString("cvt.u64.u32 %d1, %flat;\nadd.u64 %d7, %d7, %d1;\n")
	if loaded {
		b.WriteString("mov.u64 %d2, g;\nmad.wide.u32 %d2, %flat, 8, %d2;\n" +
			"st.global.b64 [%d2], %d7;\nld.global.b64 %d7, [%d2];\n")
	}
	for i, s := range spaces {
		fmt.Fprintf(&b, "isspacep.%s %%p1, %%d7;\n@%%p1 or.b32 %%r0, %%r0, %d;\n", s.name, 1<<i)
	}
	// A guard decides whether the predicate changes.
	b.WriteString("setp.ne.u32 %p2, %r1, 1;\nsetp.eq.u32 %p3, %r1, %r1;\n" +
		"@%p2 isspacep.shared %p3, %d7;\n@%p3 or.b32 %r0, %r0, 16;")
	const before = ".global .align 8 .b8 g[512];\n.shared .align 8 .b8 sh[512];\n" +
		".const .align 8 .b8 co[512] = {1};"
	return wordKernel(before, b.String())
}

func TestIsspacep(t *testing.T) {
	for _, loaded := range []bool{false, true} {
		text, block := inSpaces(loaded), [2]int{64, 1}
		var want []byte
		for i := range 64 {
			bits := uint32(1) << (i % 4)
			if i%4 == 1 {
				bits |= 16
			}
			want = binary.LittleEndian.AppendUint32(want, bits)
		}
		require.Equal(t, want, referenceWords(t, text, block))
		for arch := tesla.SM10; arch <= tesla.SM13; arch++ {
			require.Equal(t, want, machineWords(t, text, arch, block), "%s", arch)
		}
	}
}

func TestIsspacepOfParameters(t *testing.T) {
	m, err := ptx.Parse("k.ptx", []byte(wordKernel("", "isspacep.param %p0, %d0;")))
	require.NoError(t, err)
	_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13})
	require.ErrorContains(t, err, "isspacep.param is not supported on sm_13")
}
