package nvcc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRespell(t *testing.T) {
	for text, want := range map[string]string{
		"k << <g, b >> > (a);":                   "k <<<g, b >>> (  a);",
		"k<T> << <dim3(1), b> >> (a);":           "k<T> <<<dim3(1), b>>> (  a);",
		"__global__  __device__ void k();":       "__global__             void k();",
		"__device__ __global__ void k();":        " __global__           void k();",
		"k<<<g, b>>>(a);":                        "k<<<g, b>>>(a);",
		"out << (a < b) << c;":                   "out << (a < b) << c;",
		"f(a << 1 < b, c >> 1 > (d));":           "f(a << 1 < b, c >> 1 > (d));",
		"A<B<C<int>> > (x);":                     "A<B<C<int>> > (x);",
		"__global__ void k(); __device__ int i;": "__global__ void k(); __device__ int i;",
	} {
		got := string(respell([]byte(text)))
		require.Equal(t, len(text), len(got), text)
		require.Equal(t, want, got)
	}
}

func TestMisspelled(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a/k.cu", "#include \"near.h\"\n# include <far.h>\n#include \"k.cu\"\n#include \"none.h\"\n")
	write(t, "a/near.h", "k << <1, 2>> >();\n")
	write(t, "b/far.h", "__global__ __device__ void k();\n")
	require.Equal(t, []string{"a/near.h", "b/far.h"}, misspelled("a/k.cu", []string{"b"}))
	require.Equal(t, []string{"a/near.h"}, misspelled("./a/k.cu", nil))
	require.Empty(t, misspelled("none.cu", nil))
}

// Clang compiles old spellings, and its messages name the user's files.
func TestRespelledFiles(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", "#include \"kernel.cu\"\nvoid f() { k << <dim3{1, 1, 1}, dim3{1, 1, 1} >> >(0); }\n")
	write(t, "kernel.cu", "__global__ __device__ void k(int *a) { *a = 1; }\n")
	nvcc(t, toolkit, "-c k.cu")
	require.Len(t, modules(t, "k.o"), 1)
	write(t, "kernel.cu", "__global__ __device__ void k(int *a) { *a = mistake; }\n")
	var out bytes.Buffer
	require.Error(t, Run(toolkit, []string{"-c", "k.cu"}, &out, &out))
	require.Regexp(t, `kernel\.cu:1:45: error: `, out.String())
	require.NotContains(t, out.String(), "overlay")
}
