package compile_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// spaces are the spaces that isspacep tells apart, and how to make a generic address in each.
var spaces = []struct{ name, address string }{
	{"global", "mov.u64 %d0, g; cvta.global.u64 %d0, %d0;"},
	{"shared", "cvta.shared.u64 %d0, sh;"},
	{"local", "cvta.local.u64 %d0, lo;"},
	{"const", "cvta.const.u64 %d0, co;"},
}

// inSpaces is a kernel whose thread i has an address in space i%4, at an offset that depends on
// the thread. The result has a bit for each space that holds the address. If loaded, the addresses
// go through memory, so that the compiler knows nothing about them.
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
	_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
	require.ErrorContains(t, err, "isspacep.param is not supported on sm_13")
}

// generic are kernels in which only the use of an address tells its space. %d0 is the generic
// address of word i of shared memory for thread i, and %d1 its counterpart in global memory.
var generic = []struct {
	name, code string
	first      tesla.Arch
}{
	{"from one space to the other", "sub.u64 %d2, %d1, %d0; add.u64 %d2, %d0, %d2; st.u32 [%d2], 77;\n" +
		"ld.global.u32 %r0, [%d1];", tesla.SM10},
	{"by a distance", "mov.u64 %d3, sh; cvta.shared.u64 %d3, %d3; sub.u64 %d2, %d0, %d3;\n" +
		"mov.u64 %d4, g; add.u64 %d2, %d4, %d2; st.u32 [%d2], 78; ld.global.u32 %r0, [%d1];", tesla.SM10},
	{"by a distance to the other space", "mov.u64 %d3, sh; cvta.shared.u64 %d3, %d3;\n" +
		"mov.u64 %d4, g; sub.u64 %d2, %d4, %d3; add.u64 %d2, %d2, %d0; st.u32 [%d2], 79;\n" +
		"ld.global.u32 %r0, [%d1];", tesla.SM10},
	{"with a tag", "mov.u64 %d3, 1; ld.global.u32 %r1, [one]; cvt.u64.u32 %d4, %r1;\n" +
		"xor.b64 %d2, %d0, %d3; xor.b64 %d2, %d2, %d4; st.u32 [%d2], 80;", tesla.SM10},
	{"aligned by shifts", "add.u64 %d2, %d0, 3; shr.u64 %d2, %d2, 2; shl.b64 %d2, %d2, 2;\n" +
		"st.u32 [%d2], 81;", tesla.SM10},
	{"turned twice", "ld.global.u32 %r1, [one]; cvt.u64.u32 %d4, %r1; neg.s64 %d2, %d0;\n" +
		"mul.lo.u64 %d2, %d2, %d4; neg.s64 %d2, %d2; st.u32 [%d2], 82;", tesla.SM10},
	{"few bits of an address", "and.b64 %d2, %d0, 12; add.u64 %d2, %d1, %d2; sub.u64 %d2, %d2, 8;\n" +
		"setp.ne.u32 %p0, %flat, 2; @%p0 bra no; st.u32 [%d2], 83; no: ld.global.u32 %r0, [%d1];", tesla.SM10},
	{"through memory", "mov.u64 %d3, list; mad.wide.u32 %d3, %flat, 8, %d3; st.global.u64 [%d3], %d0;\n" +
		"ld.global.u64 %d2, [%d3]; st.u32 [%d2], 84;", tesla.SM10},
	{"through an exchange", "cvt.u32.u64 %r2, %d0; mov.u64 %d3, g; mad.wide.u32 %d3, %flat, 4, %d3;\n" +
		"atom.global.exch.b32 %r3, [%d3], %r2; ld.global.u32 %r3, [%d3]; cvt.u64.u32 %d2, %r3;\n" +
		"st.u32 [%d2], 85;", tesla.SM11},
	{"exchanged", "cvt.u32.u64 %r2, %d0; mov.u64 %d3, g; mad.wide.u32 %d3, %flat, 4, %d3;\n" +
		"atom.global.exch.b32 %r3, [%d3], %r2; atom.global.exch.b32 %r3, [%d3], %r2;\n" +
		"cvt.u64.u32 %d2, %r3; st.u32 [%d2], 86;", tesla.SM11},
	{"before the first of a space", ".local .b8 lo[16]; cvta.local.u64 %d2, lo; st.local.u32 [lo], 1;\n" +
		"setp.eq.u32 %p0, %flat, 1; @%p0 mov.u64 %d2, %d0; add.u64 %d2, %d2, -4;\n" +
		"st.u32 [%d2+4], 87; ld.local.u32 %r0, [lo];", tesla.SM10},
}

// The value of an address determines its space, however the address was computed.
func TestSpacesOfComputedAddresses(t *testing.T) {
	const before = ".global .align 8 .b8 g[512];\n.global .align 8 .b8 list[512];\n" +
		".global .u32 one = 1;\n.shared .align 16 .b8 sh[512];\n"
	const start = "mov.u64 %d0, sh; cvta.shared.u64 %d0, %d0; mad.wide.u32 %d0, %flat, 4, %d0;\n" +
		"mov.u64 %d1, g; mad.wide.u32 %d1, %flat, 4, %d1; mov.u64 %d5, sh;\n" +
		"mad.wide.u32 %d5, %flat, 4, %d5; st.shared.u32 [%d5], 5;\n"
	const end = "\nld.shared.u32 %r4, [%d5]; mad.lo.u32 %r0, %r4, 1000, %r0;"
	for _, g := range generic {
		t.Run(g.name, func(t *testing.T) {
			requireWords(t, wordKernel(before, start+g.code+end), g.first, [2]int{32, 1})
		})
	}
}

// A kernel finds the generic address of constant memory that another one left in global memory.
func TestConstantAddressOfAnotherKernel(t *testing.T) {
	text := wordKernel(".const .u32 co[2] = {41, 42};\n.global .u64 left;\n",
		"ld.global.u64 %d0, [left]; ld.u32 %r0, [%d0];") + `
.entry before()
{
	.reg .b64 %d;
	mov.u64 %d, co;
	cvta.const.u64 %d, %d;
	st.global.u64 [left], %d;
	ret;
}
`
	m, err := ptx.Parse("k.ptx", []byte(text))
	require.NoError(t, err)
	for arch := tesla.SM10; arch <= tesla.SM13; arch++ {
		image, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
		require.NoError(t, err)
		space := mem.NewSpace(1 << 24)
		bytes := make([]byte, 4)
		out, err := space.Map(bytes)
		require.NoError(t, err)
		data, err := load.Place(image, space, space.Alloc)
		require.NoError(t, err)
		for _, name := range []string{"before", "k"} {
			i := slices.IndexFunc(image.Kernels, func(k cubin.Kernel) bool { return k.Name == name })
			p, err := load.Program(arch, &image.Kernels[i], simt.Host{})
			require.NoError(t, err)
			_, err = simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1},
				Params: binary.LittleEndian.AppendUint64(nil, uint64(out)),
				Const:  data.Const(&image.Kernels[i]), Global: space, Workers: 1})
			require.NoError(t, err, "%s on %s", name, arch)
		}
		require.EqualValues(t, 41, binary.LittleEndian.Uint32(bytes), "%s", arch)
	}
}
