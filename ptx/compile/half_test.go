package compile_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// halfOperations are results of 32 bits in D of operands A, B and C, for T of f16 and bf16. In h and i
// are lower halves of A and B, in %f an f32 of the bits of A.
var halfOperations = []string{
	"add.rn.Tx2 D, A, B", "sub.rn.Tx2 D, A, B", "mul.rn.Tx2 D, A, B", "fma.rn.Tx2 D, A, B, C",
	"fma.rn.sat.Tx2 D, A, B, C", "fma.rn.relu.Tx2 D, A, B, C", "neg.Tx2 D, A", "abs.Tx2 D, A",
	"min.Tx2 D, A, B", "max.NaN.Tx2 D, A, B", "min.xorsign.abs.Tx2 D, A, B", "set.ltu.Tx2.Tx2 D, A, B",
	"setp.ge.Tx2 %p|%q, A, B; selp.u32 D, 1, 0, %p; @%q add.u32 D, D, 2", "cvt.f32.T %f, h; mov.b32 D, %f",
	"cvt.rpi.s32.T D, h", "cvt.rni.s32.T D, h", "cvt.rni.T.T i, h; mov.b32 D, {i, h}",
	"cvt.rp.T.f32 i, %f; mov.b32 D, {i, h}", "cvt.rn.Tx2.f32 D, %f, 0f3f803000",
	"cvt.rz.relu.Tx2.f32 D, %f, 0fbf807fff", "cvt.rn.T.s32 i, A; mov.b32 D, {i, h}",
	"cvt.rm.T.u32 i, A; mov.b32 D, {i, h}", "ex2.approx.ftz.Tx2 D, A",
	"add.rn.sat.f32.T %f, h, 0f3e99999a; mov.b32 D, %f", "sub.rz.f32.f16 %f, h, 0f42c80001; mov.b32 D, %f",
	"fma.rn.f32.T %f, h, h, 0f40490fdb; mov.b32 D, %f", "add.rp.f32.f16 %f, h, 0f3e99999a; mov.b32 D, %f",
}

// halfKernel computes all operations for one row of three words.
func halfKernel(typ string) string {
	var b strings.Builder
	b.WriteString(`.version 8.6
.target sm_100
.address_size 64
.entry k (.param .u64 in, .param .u64 out)
{
	.reg .u64 %in, %out, %o;
	.reg .b32 %n, %t, %a, %b, %c, %d;
	.reg .b16 %h, %i;
	.reg .f32 %f;
	.reg .pred %p, %q;
	ld.param.u64 %in, [in];
	ld.param.u64 %out, [out];
	mov.u32 %n, %ctaid.x;
	mov.u32 %t, %tid.x;
	mad.lo.u32 %t, %n, 256, %t;
	mul.wide.u32 %o, %t, 16;
	add.u64 %in, %in, %o;
	ld.global.v2.b32 {%a, %b}, [%in];
	ld.global.b32 %c, [%in+8];
`)
	fmt.Fprintf(&b, "\tmul.wide.u32 %%o, %%t, %d;\n\tadd.u64 %%out, %%out, %%o;\n", 4*len(halfOperations))
	names := strings.NewReplacer("T", typ, "D", "%d", "A", "%a", "B", "%b", "C", "%c", " h", " %h", " i", " %i",
		"{i, h}", "{%i, %h}")
	for i, text := range halfOperations {
		fmt.Fprintf(&b, "\tmov.b32 {%%h, %%i}, %%a;\n\tmov.b32 %%f, %%a;\n\t%s;\n", names.Replace(text))
		fmt.Fprintf(&b, "\tst.global.b32 [%%out+%d], %%d;\n", 4*i)
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

// halfRows returns rows: the lower half of the first word takes all values.
func halfRows(n int) []byte {
	g := rand.New(rand.NewPCG(16, 16))
	s := &operandSource{random: g}
	var rows []byte
	for i := range n {
		a := uint32(i) | uint32(s.oneHalf())<<16
		b, c := uint32(s.oneHalf()<<16|s.oneHalf()), uint32(s.oneHalf()<<16|s.oneHalf())
		if i%5 == 0 {
			b = a ^ uint32(i%3)<<15
		}
		for _, x := range []uint32{a, b, c, 0} {
			rows = binary.LittleEndian.AppendUint32(rows, x)
		}
	}
	return rows
}

// TestAllHalves runs operations for all numbers of 16 bits, as machine code and in the reference.
func TestAllHalves(t *testing.T) {
	const n = 1 << 16
	rows := halfRows(n)
	for _, typ := range []string{"f16", "bf16"} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			m, err := ptx.Parse("halves", []byte(halfKernel(typ)))
			require.NoError(t, err)
			want := halfReference(t, m, rows)
			for _, arch := range []tesla.Arch{tesla.SM10, tesla.SM13} {
				got := halfMachine(t, m, arch, rows)
				for i := 0; i < len(got); i += 4 {
					if [4]byte(got[i:]) != [4]byte(want[i:]) {
						k := i / 4 / len(halfOperations)
						t.Fatalf("%s: %s of %x: %x instead of %x", arch, halfOperations[i/4%len(halfOperations)],
							words32(rows[16*k:16*k+12]), words32(got[i:i+4]), words32(want[i:i+4]))
					}
				}
			}
		})
	}
}

func words32(b []byte) (all []uint32) {
	for i := 0; i < len(b); i += 4 {
		all = append(all, binary.LittleEndian.Uint32(b[i:]))
	}
	return all
}

func halfReference(t *testing.T, m *ptx.Module, rows []byte) []byte {
	t.Helper()
	p, err := ptxreference.Load(m, ptxreference.Config{Approx: unit{}})
	require.NoError(t, err)
	in, inBytes, err := p.Memory().Alloc(len(rows))
	require.NoError(t, err)
	out, outBytes, err := p.Memory().Alloc(len(rows) / 4 * len(halfOperations))
	require.NoError(t, err)
	copy(inBytes, rows)
	params := binary.LittleEndian.AppendUint64(nil, in)
	params = binary.LittleEndian.AppendUint64(params, out)
	require.NoError(t, p.Run("k", ptxreference.Launch{Grid: [3]int{len(rows) / 16 / 256, 1, 1},
		Block: [3]int{256, 1, 1}, Params: params, StepLimit: 1 << 50}))
	return outBytes
}

func halfMachine(t *testing.T, m *ptx.Module, arch tesla.Arch, rows []byte) []byte {
	t.Helper()
	image, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
	require.NoError(t, err)
	kernel := &image.Kernels[0]
	p, err := load.Program(arch, kernel, simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 26)
	outBytes := make([]byte, len(rows)/4*len(halfOperations))
	in, err := space.Map(rows)
	require.NoError(t, err)
	out, err := space.Map(outBytes)
	require.NoError(t, err)
	params := binary.LittleEndian.AppendUint64(nil, uint64(in))
	params = binary.LittleEndian.AppendUint64(params, uint64(out))
	launch := &simt.Launch{Program: p, Grid: [2]int{len(rows) / 16 / 256, 1}, Block: [3]int{256, 1, 1},
		Params: params, Global: space, Watchdog: 1 << 34}
	load.Fill(&launch.Const, kernel.Segments)
	load.Constants(&launch.Const, image)
	_, err = simt.Run(launch)
	require.NoError(t, err)
	return outBytes
}
