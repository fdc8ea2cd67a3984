package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile"
	"jacquard/decoder"
	"jacquard/tesla"
)

// The clock of PTX counts cycles, the register of the machine every other cycle: NVIDIA's compiler
// doubles it in clock and concurrentKernels of its SDK.
func TestClock(t *testing.T) {
	m, err := ptx.Parse("clock", []byte(`.version 1.4
.target sm_10
.entry k (.param .u32 out) {
	.reg .u32 %a, %x;
	ld.param.u32 %a, [out];
	mov.u32 %x, %clock;
	st.global.u32 [%a], %x;
	exit;
}`))
	require.NoError(t, err)
	image, err := compile.Compile(m, compile.Options{Arch: tesla.SM10})
	require.NoError(t, err)
	var code []string
	for _, in := range decoder.Kernel(tesla.SM10, image.Kernels[0].Code) {
		code = append(code, in.String())
	}
	require.Subset(t, code, []string{"mov $r1 $clock", "shl b32 $r1 $r1 0x1"})
}
