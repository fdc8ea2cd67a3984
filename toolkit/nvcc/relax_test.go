package nvcc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRelaxContracts(t *testing.T) {
	for line, want := range map[string]string{
		"  %9 = fmul contract float %8, %1\n":                         `  %9 = call float asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %8, float %1)` + "\n",
		"  %9 = fadd contract float %8, 2.500000e+00, !dbg !12\n":     `  %9 = call float asm "add.f32 $0, $1, $2;", "=f,f,f"(float %8, float 2.500000e+00), !dbg !12` + "\n",
		"  %9 = fsub nnan ninf contract float 0x3FB99999A0000000, %1": `  %9 = call float asm "sub.f32 $0, $1, $2;", "=f,f,f"(float 0x3FB99999A0000000, float %1)`,
		"  %9 = fmul fast float %8, %1":                               `  %9 = call float asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %8, float %1)`,
	} {
		require.Equal(t, want, string(relax([]byte(line), false)))
	}
}

// What has no mark, is no product or sum, or is not a single float stays.
func TestRelaxLeaves(t *testing.T) {
	for _, line := range []string{
		"  %9 = fmul float %8, %1\n",
		"  %9 = fmul nnan float %8, %1\n",
		"  %9 = fmul contract double %8, %1\n",
		"  %9 = fmul contract <2 x float> %8, %1\n",
		"  %9 = fdiv contract float %8, %1\n",
		"  %9 = tail call contract float @llvm.fma.f32(float %8, float %1, float %2)\n",
		"  %9 = fmul contract float bitcast (i32 ptrtoint (ptr @x to i32) to float), %1\n",
	} {
		require.Equal(t, line, string(relax([]byte(line), false)))
	}
}

// Square roots are approximate where the user does not want them rounded.
func TestRelaxRoots(t *testing.T) {
	const line = "  %3 = tail call noundef float @llvm.sqrt.f32(float %2), !dbg !7\n"
	require.Equal(t, `  %3 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %2), !dbg !7`+"\n", string(relax([]byte(line), true)))
	require.Equal(t, line, string(relax([]byte(line), false)))
	for _, other := range []string{
		"  %3 = tail call noundef float @llvm.nvvm.sqrt.rn.f(float %2)\n",
		"  %3 = tail call noundef double @llvm.sqrt.f64(double %2)\n",
	} {
		require.Equal(t, other, string(relax([]byte(other), true)))
	}
}
