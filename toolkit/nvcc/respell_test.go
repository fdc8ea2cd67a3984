package nvcc

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRespell(t *testing.T) {
	for text, want := range map[string]string{
		"k << <g, b >> > (a);":                   "k <<< g, b >>>  (a);",
		"k<T> << <dim3(1), b> >> (a);":           "k<T> <<< dim3(1), b>>>  (a);",
		"__global__  __device__ void k();":       "__global__             void k();",
		"__device__ __global__ void k();":        " __global__           void k();",
		"k << <1,\n1 >> >(a);":                   "k <<< 1,\n1 >>> (a);",
		"k <<\n <1, 1>\n>>(a);":                  "k <<<\n 1, 1>>>\n(a);",
		"p = operator<< <A<B<C>> >(a);":          "p = operator<< <A<B<C>> >(a);",
		"f << <g; A<B<C>> > (a);":                "f << <g; A<B<C>> > (a);",
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
	near, far := []string{"a/near.h"}, []string{"a/near.h", "b/far.h"}
	require.Equal(t, far, misspelled(sources("a/k.cu", included{folders: []string{"b"}})))
	require.Equal(t, near, misspelled(sources("./a/k.cu", included{})))
	require.Empty(t, misspelled(sources("none.cu", included{})))

	// A file that comes before line 1 is in the folder of the compiler, or in one of headers.
	write(t, "plain.cu", "")
	first := included{files: []string{"a/near.h", "far.h"}, folders: []string{"b"}}
	require.Equal(t, far, misspelled(sources("plain.cu", first)))
	absolute, err := filepath.Abs("a/near.h")
	require.NoError(t, err)
	write(t, "plain.cu", "#include \""+absolute+"\"\n")
	require.Equal(t, []string{absolute}, misspelled(sources("plain.cu", included{})))
}

func TestIncluded(t *testing.T) {
	s, err := read(shell("-Ia -I b -isystem c -include d.h -Xcompiler -Ie,-I,f,-isystem,g,-iquote,h,-include,i.h,-imacros,j.h k.cu"))
	require.NoError(t, err)
	require.Equal(t, included{files: []string{"d.h", "i.h", "j.h"},
		folders: []string{"a", "b", "c", "e", "f", "g", "h"}}, s.included())
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

// Clang finds the replacements of files that are included in every way.
func TestRespelledIncludes(t *testing.T) {
	toolkit := small(t)
	absolute, err := filepath.Abs("absolute.h")
	require.NoError(t, err)
	write(t, "k.cu", "#include <system.h>\n#include \""+absolute+"\"\nvoid f() { first(); }\n")
	write(t, "first.h", "__global__ __device__ void k() {}\n"+
		"inline void first() { k << <dim3{1, 1, 1},\ndim3{1, 1, 1} >> >(); }\n")
	write(t, "system/system.h", "__device__ __global__ void system() {}\n")
	write(t, "absolute.h", "__device__ __global__ void absolute() {}\n")
	nvcc(t, toolkit, "-c -isystem system -include first.h k.cu")
	nvcc(t, toolkit, "-c -Xcompiler -isystem,system,-include,first.h k.cu")
}
