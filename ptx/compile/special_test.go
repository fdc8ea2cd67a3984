package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/ptx"
	"jacquard/ptx/compile"
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
	image, err := compile.Compile(m, compile.Options{Arch: tesla.SM10, Verify: true})
	require.NoError(t, err)
	var code []string
	for _, in := range decoder.Kernel(tesla.SM10, image.Kernels[0].Code) {
		code = append(code, in.String())
	}
	require.Subset(t, code, []string{"mov $r1 $clock", "shl b32 $r1 $r1 0x1"})
}

// One side of a branch sets a variable that the other side keeps: the moves of a loop's next round
// differ.
func TestSidesOfALoop(t *testing.T) {
	requireWords(t, wordKernel("", `
	mov.u32 %r1, 0; mov.u32 %r2, 100; mov.u32 %r3, 7; mov.u32 %r4, 0; mov.u32 %r5, 9;
AGAIN:
	add.u32 %r4, %r4, 1;
	setp.gt.u32 %p0, %r4, 3;
	@%p0 bra END;
	mad.lo.u32 %r5, %r5, 5, %flat;
	and.b32 %r6, %r5, 31;
	setp.eq.u32 %p1, %r6, 5;
	@%p1 bra AGAIN;
	setp.gt.u32 %p2, %r6, %flat;
	@%p2 mov.u32 %r2, %r4;
	@%p2 bra AGAIN;
	mov.u32 %r1, %r4;
	mov.u32 %r3, %r6;
	bra AGAIN;
END:
	mad.lo.u32 %r0, %r1, 1000, %r2;
	mad.lo.u32 %r0, %r0, 1000, %r3;`), tesla.SM10, [2]int{64, 1})
}
