package nvcc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// Mistakes name the kernel, its line in the source, and what to do.
func TestExplain(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", `#define __shared__ __attribute__((shared))
__device__ int elsewhere(int);
__global__ void first(int *a) { *a = elsewhere(*a); }
namespace n {
template <int N>
__global__ void second(int *a) {
	__shared__ int big[N];
	big[a[1]] = 7;
	*a = big[a[2]];
}
}
void f() { n::second<9000><<<dim3{1, 1, 1}, dim3{1, 1, 1}>>>(0); }
`)
	first := `k.cu:3: kernel first: function _Z9elsewherei has no body in this module: define the function in the same file: each is compiled as a whole program`
	second := `k.cu:6: kernel second: `
	text := nvcc(t, toolkit, "-c -arch=sm_35 k.cu")
	require.Contains(t, text, "nvcc warning : no machine code, and a launch fails: "+first+"\n")
	require.Regexp(t, "nvcc warning : no machine code, and a launch fails: "+second+`.* of shared memory .*: take less of it for a block, or global memory\n`, text)
	var out bytes.Buffer
	err := Run(toolkit, []string{"-c", "k.cu"}, &out, &out)
	require.ErrorContains(t, err, "ptxas fatal   : "+first)
	require.ErrorContains(t, err, "\nptxas fatal   : "+second)
}

// Mistakes in PTX that is an input keep their place there.
func TestExplainPTX(t *testing.T) {
	toolkit := small(t)
	write(t, "k.ptx", ".version 6.3\n.target sm_20\n.address_size 64\n.visible .entry k() {\n\tmistake;\n}\n")
	var out bytes.Buffer
	require.ErrorContains(t, Run(toolkit, []string{"-cubin", "k.ptx"}, &out, &out), "ptxas fatal   : k.ptx:5:")
}

func TestPlainName(t *testing.T) {
	for encoded, want := range map[string]string{
		"k": "k", "_Z3big3BigPi": "big", "_ZL4kernPi": "kern", "_ZN1a1SILi9000EE4manyEPi": "many", "_ZN1n6secondILi9EEEvPi": "second", "_Z1kIfEvPT_": "k",
		"_ZN1SI3EEEE1mEv": "m", "_ZN1SINS_1bEfE3runEv": "run", "_ZN1SI": "S", "_ZN2ab3cde2fgEv": "fg",
		"_Z": "_Z", "_Z9x": "_Z9x", "_ZN12_GLOBAL__N_16squareEPi": "square",
	} {
		require.Equal(t, want, plainName(encoded))
	}
}
