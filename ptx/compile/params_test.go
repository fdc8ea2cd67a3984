package compile_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// manyParams is a kernel with parameters of so many bytes before its last one. It reads and stores
// them in all ways.
func manyParams(bytes int) string {
	return fmt.Sprintf(`.version 8.1
.target sm_70
.address_size 64
.const .b32 c = 77;
.func (.reg .b32 %%x) twice(.reg .b32 %%y) { add.u32 %%x, %%y, %%y; ret; }
.entry k (.param .u8 first, .param .align 16 .b8 many[%d], .param .s16 half, .param .f32 f, .param .u64 out)
{
	.reg .b64 %%d<9>;
	.reg .b32 %%r<30>;
	.reg .b16 %%h<9>;
	ld.param.u64 %%d0, [out];
	mov.u32 %%r0, %%tid.x;
	mad.wide.u32 %%d0, %%r0, 48, %%d0;
	ld.param.u8 %%r1, [first];
	ld.param.s16 %%r2, [half];
	ld.param.b32 %%r3, [f];
	ld.param.s8 %%r4, [many+7];
	mov.u64 %%d1, many;
	mad.wide.u32 %%d2, %%r0, 4, %%d1;
	ld.param.u32 %%r5, [%%d2+16];
	cvta.param.u64 %%d3, %%d1;
	mad.wide.u32 %%d3, %%r0, 4, %%d3;
	ld.u32 %%r6, [%%d3+32];
	ld.param.v4.u32 {%%r7, %%r8, %%r9, %%r10}, [many+48];
	ld.param.u64 %%d4, [many+8];
	mov.b64 {%%r11, %%r12}, %%d4;
	call (%%r11), twice, (%%r11);
	ld.const.u32 %%r13, [c];
	add.u32 %%r12, %%r12, %%r13;
	ld.param.u16 %%r13, [many+%d];
	add.u32 %%r12, %%r12, %%r13;
	st.global.v4.u32 [%%d0], {%%r1, %%r2, %%r3, %%r4};
	st.global.v4.u32 [%%d0+16], {%%r5, %%r6, %%r7, %%r8};
	st.global.v4.u32 [%%d0+32], {%%r9, %%r10, %%r11, %%r12};
	ret;
}
`, bytes, bytes-2)
}

// Kernels with more parameters than shared memory takes find them in constant memory.
func TestManyParameters(t *testing.T) {
	const threads, each = 8, 48
	for _, bytes := range []int{128, 208, 212, 240, 800, 4060} {
		m, err := ptx.Parse("many.ptx", []byte(manyParams(bytes)))
		require.NoError(t, err)
		p, err := ptxreference.Load(m, ptxreference.Config{})
		require.NoError(t, err)
		at, want, err := p.Memory().Alloc(threads * each)
		require.NoError(t, err)
		list, size, err := p.Params("k")
		require.NoError(t, err)
		params := make([]byte, size)
		for i := range params {
			params[i] = byte(37*i + 11)
		}
		out := list[len(list)-1].Offset
		binary.LittleEndian.PutUint64(params[out:], at)
		require.NoError(t, p.Run("k", ptxreference.Launch{Block: [3]int{threads}, Params: params}))
		for arch := tesla.SM10; arch <= tesla.SM13; arch++ {
			image, err := compile.Compile(m, compile.Options{Arch: arch})
			require.NoError(t, err)
			k := &image.Kernels[0]
			require.Equal(t, size, k.ParamBytes())
			got := runWithParams(t, image, params, out, threads*each)
			require.Equal(t, want, got, "%d bytes on %s", size, arch)
			if size > cubin.SharedParams {
				require.Equal(t, 16, k.Shared)
			}
		}
	}
}

// runWithParams launches the only kernel with a buffer whose address goes into the parameters.
func runWithParams(t *testing.T, image *cubin.Image, params []byte, out, size int) []byte {
	t.Helper()
	k := &image.Kernels[0]
	program, err := load.Program(image.Arch, k, simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 24)
	data, err := load.Place(image, space, space.Alloc)
	require.NoError(t, err)
	got := make([]byte, size)
	at, err := space.Map(got)
	require.NoError(t, err)
	params = append([]byte(nil), params...)
	binary.LittleEndian.PutUint64(params[out:], uint64(at))
	l := &simt.Launch{Program: program, Grid: [2]int{1, 1}, Block: [3]int{8, 1, 1}, Params: params, Global: space,
		Policy: "nvidia", Watchdog: 1 << 24, Workers: 1}
	if len(params) > cubin.SharedParams {
		copy(data.Variables[cubin.ParamVariable].Bytes, params)
		l.Params = nil
	}
	l.Const = data.Const(k)
	_, err = simt.Run(l)
	require.NoError(t, err)
	return got
}

// What cannot be is refused: more parameters, stores to them, a variable of the reserved name.
func TestManyParametersRefused(t *testing.T) {
	const head = ".version 8.1\n.target sm_70\n.address_size 64\n"
	for text, want := range map[string]string{
		".entry k(.param .b8 p[4097]) { exit; }":                                              "k has 4097 bytes of parameters; a kernel can have 4096",
		".entry k(.param .b32 p[100]) { st.param.u32 [p+4], 1; exit; }":                       "p is a parameter of the kernel, which is only read",
		".entry k(.param .b32 p[100]) { .reg .b64 %d; mov.u64 %d, p; st.param.u32 [%d], 1; }": "parameters of a kernel that lie there",
		".const .b32 " + cubin.ParamVariable + ";\n.entry k() { exit; }":                      "the name is reserved",
	} {
		m, err := ptx.Parse("refused.ptx", []byte(head+text))
		require.NoError(t, err, text)
		_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13})
		require.ErrorContains(t, err, want, text)
	}
}
