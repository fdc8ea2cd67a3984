package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/ptx/jit"
)

// manyPTX stores, for each thread, a word of an array that is a parameter.
const manyPTX = `.version 8.1
.target sm_70
.address_size 64
.entry many (.param .align 4 .b8 words[800], .param .u64 out)
{
	.reg .b64 %d<4>;
	.reg .b32 %r<4>;
	ld.param.u64 %d0, [out];
	mov.u32 %r0, %tid.x;
	mul.lo.u32 %r1, %r0, 12;
	mov.u64 %d1, words;
	cvt.u64.u32 %d2, %r1;
	add.u64 %d1, %d1, %d2;
	ld.param.u32 %r2, [%d1+12];
	mad.wide.u32 %d0, %r0, 4, %d0;
	st.global.u32 [%d0], %r2;
	ret;
}
`

// A launch carries parameters that shared memory has no room for, each its own.
func TestManyParameters(t *testing.T) {
	const bytes, threads = 808, 64
	for _, device := range []string{"8800gtx", "9800gx2", "gt240", "gtx280"} {
		th, _ := compiler(t, device, jit.Settings{})
		m, err := th.ModuleLoadData([]byte(manyPTX))
		require.NoError(t, err)
		f, err := th.ModuleGetFunction(m, "many")
		require.NoError(t, err)
		out := alloc(t, th, 4*threads)
		shape := func(do func([]uint32) error, factor uint32) {
			params, want := make([]uint32, bytes/4), make([]uint32, threads)
			for i := range params {
				params[i] = factor * uint32(i)
			}
			params[200], params[201] = uint32(out), 0
			for i := range want {
				want[i] = factor * uint32(3*i+3)
			}
			require.NoError(t, do(params), device)
			require.Equal(t, words(want...), fetch(t, th, out, 4*threads), device)
		}
		launch := func(a driver.Arguments) error {
			return th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{threads, 1, 1}, 0, 0, a)
		}
		shape(func(p []uint32) error { return launch(driver.Arguments{Packed: words(p...)}) }, 1)
		shape(func(p []uint32) error {
			all := words(p...)
			return launch(driver.Arguments{Value: func(i, size int) []byte { return all[800*i:][:size] }})
		}, 7)
		shape(func(p []uint32) error {
			require.NoError(t, th.ParamSetv(f, 0, words(p...)))
			require.NoError(t, th.ParamSetSize(f, bytes))
			require.NoError(t, th.FuncSetBlockShape(f, threads, 1, 1))
			return th.LaunchGrid(f, 1, 1)
		}, 100)
		require.Error(t, launch(driver.Arguments{Packed: make([]byte, 5000)}))
	}
	th, _ := compiler(t, "gtx280", jit.Settings{})
	m, err := th.ModuleLoadData(ptx(t, "vecadd"))
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, "vecadd")
	require.NoError(t, err)
	require.Equal(t, driver.ErrInvalidValue, th.ParamSetSize(f, 257))
}
