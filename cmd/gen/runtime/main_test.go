package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

const folder = "../../../libcuda"

func load(t *testing.T) *api.Runtime {
	t.Helper()
	r, err := api.LoadRuntime(os.DirFS(filepath.Join(folder, "runtime")))
	require.NoError(t, err)
	return r
}

func TestConditions(t *testing.T) {
	require.Empty(t, condition(api.Span{Since: 2000}))
	require.Equal(t, "CUDART_VERSION >= 2030", condition(api.Span{Since: 2030}))
	require.Equal(t, "CUDART_VERSION >= 2020 && CUDART_VERSION < 3000", condition(api.Span{Since: 2020, Until: 3000}))
	require.Equal(t, "CUDART_VERSION < 5000", condition(api.Span{Since: 2000, Until: 5000}))
	require.Equal(t, "CUDART_VERSION >= 3010", condition(api.Span{Since: 3010}))
	require.Equal(t, "CUDART_VERSION >= 3010 && CUDART_VERSION < 4000", condition(api.Span{Since: 3010, Until: 4000}))
}

// TestStructs prints fields of several releases: each run of one release has one condition, and a
// structure begins with its first field.
func TestStructs(t *testing.T) {
	field := func(name, typ string, since, until api.Version) api.RuntimeField {
		return api.RuntimeField{Name: name, Type: typ, Span: api.Span{Since: since, Until: until}}
	}
	var b bytes.Buffer
	printStruct(&b, &api.RuntimeStruct{Name: "s", Fields: []api.RuntimeField{
		field("a", "int", 4000, 0), field("p", "void *", 4000, 0), field("b", "int", 5000, 0), field("c[3]", "int", 4000, 5000)}})
	require.Equal(t, `
#if CUDART_VERSION >= 4000
struct s {
	int a;
	void *p;
#if CUDART_VERSION >= 5000
	int b;
#endif
#if CUDART_VERSION >= 4000 && CUDART_VERSION < 5000
	int c[3];
#endif
};
#endif
`, b.String())
}

// TestExports looks at an entry point of each need.
func TestExports(t *testing.T) {
	var b bytes.Buffer
	printExports(&b, load(t))
	require.Contains(t, b.String(), `
CUDARTAPI cudaError_t cudaFree(void *devPtr)
{
	cudaError_t error = runtime_needs_context();
	if (error == cudaSuccess)
		error = runtime_Free(devPtr);
	return runtime_end(error);
}
`)
	require.Contains(t, b.String(), `
CUDARTAPI cudaError_t cudaSetDevice(int device)
{
	cudaError_t error = runtime_needs_driver();
	if (error == cudaSuccess)
		error = runtime_SetDevice(device);
	return runtime_end(error);
}
`)
	require.Contains(t, b.String(), `
CUDARTAPI cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
	return runtime_end(runtime_RuntimeGetVersion(runtimeVersion));
}
`)
	require.Contains(t, b.String(), `
#if CUDART_VERSION >= 5000
CUDARTAPI cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	(void)texObject;
	return runtime_unsupported("cudaDestroyTextureObject", &told);
}
#endif
`)
	require.NotContains(t, b.String(), "cudaGetLastError(void)", "written by hand")
}

// TestHeader looks at default arguments, which C++ alone has, and at results that are pointers.
func TestHeader(t *testing.T) {
	var b bytes.Buffer
	printHeader(&b, load(t))
	require.Contains(t, b.String(), "\nCUDARTAPI cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream __dv(0));\n")
	require.Contains(t, b.String(), "\nCUDARTAPI const char *cudaGetErrorString(cudaError_t error);\n")
	require.NotContains(t, b.String(), "cudaGLMapBufferObject", "has a header of its own")
}

func TestErrors(t *testing.T) {
	var b bytes.Buffer
	printErrors(&b, load(t))
	require.Contains(t, b.String(), "\t{2, 2000, 2, CUDA_ERROR_OUT_OF_MEMORY, \"cudaErrorMemoryAllocation\", \"out of memory\"},\n")
	require.Contains(t, b.String(), "\t{36, 2020, 11, CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, \"cudaErrorSetOnActiveProcess\"")
	require.Contains(t, b.String(), "\t{1, 2000, 1, -1, \"cudaErrorMissingConfiguration\"")
}

// TestPrograms looks at arguments of each kind in the test programs.
func TestPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"void *p": "(void *)pointer", "int n": "(int)number", "size_t n": "(size_t)number", "cudaStream_t s": "(cudaStream_t)pointer",
		"dim3 d": "(dim3){0}", "struct cudaExtent e": "(struct cudaExtent){0}", "cudaHostFn_t f": "pointer ? host_function : NULL",
		"enum cudaLimit l": "(enum cudaLimit)number",
	} {
		typ, name := text[:len(text)-2], text[len(text)-1:]
		if text[len(text)-2] == '*' {
			typ = text[:len(text)-1]
		}
		require.Equal(t, want, argument(api.Param{Type: typ, Name: name}), text)
	}
}

func TestGeneratedFilesAreCurrent(t *testing.T) {
	files := generate(load(t))
	require.Len(t, files, 13)
	for path, text := range files {
		got, err := os.ReadFile(filepath.Join(folder, path))
		require.NoError(t, err)
		require.True(t, string(text) == string(got), "%s: run make generate", path)
	}
}

// TestMakefile compares the list of libraries with the one that make builds.
func TestMakefile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(folder, "runtime", "runtime.mk"))
	require.NoError(t, err)
	var list []string
	for _, l := range api.RuntimeLibraries {
		list = append(list, fmt.Sprintf("%d:%s", int(l.Version), l.Suffix))
	}
	last := len(list) - 1
	require.Contains(t, string(text), "RUNTIMES32 := "+strings.Join(list[:last], " ")+"\nRUNTIMES := $(RUNTIMES32) "+list[last]+"\n")
}

func TestRunNeedsTables(t *testing.T) {
	require.ErrorIs(t, run(t.TempDir()), os.ErrNotExist)
}

func TestRandomArguments(t *testing.T) {
	for want, p := range map[string]api.Param{
		"(cudaStream_t)handle(Stream)":     {Type: "cudaStream_t", Name: "s"},
		"(cudaArray_const_t)handle(Array)": {Type: "cudaArray_const_t", Name: "a"},
		"(cudaEvent_t *)room(Event)":       {Type: "cudaEvent_t *", Name: "e"},
		"room(Address)":                    {Type: "void **", Name: "devPtr"},
		"(void **)own()":                   {Type: "void **", Name: "pHost"},
		"symbol()":                         {Type: "const void *", Name: "func"},
		"(enum cudaLimit)small()":          {Type: "enum cudaLimit", Name: "limit"},
		"(size_t)number()":                 {Type: "size_t", Name: "count"},
	} {
		require.Equal(t, want, random(p))
	}
}
