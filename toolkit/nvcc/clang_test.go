package nvcc

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/decoder"
	"jacquard/decoder/sass"
	"jacquard/tesla"
)

// header is as much of cuda_runtime.h as the tests need.
const header = `
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct dim3 { unsigned x, y, z; };
typedef struct CUstream_st *cudaStream_t;
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, __SIZE_TYPE__ = 0, cudaStream_t = 0);
extern "C" int cudaLaunchKernel(const void *, dim3, dim3, void **, __SIZE_TYPE__, cudaStream_t);
`

// small is a toolkit with clang, a header and an empty libdevice, and a folder to work in.
func small(t *testing.T) Toolkit {
	t.Helper()
	clang, err := Clang()
	if err != nil {
		t.Skipf("%v: .ci/llvm installs one", err)
	}
	toolkit := Toolkit{Root: t.TempDir(), Clang: clang}
	write := func(name, text string) {
		path := filepath.Join(toolkit.Root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	write("include/cuda.h", "#define CUDA_VERSION 10000\n")
	write("include/cuda_runtime.h", header)
	write("bin/none", "")
	write("lib64/none", "")
	write("nvvm/libdevice/none", "")
	empty := exec.Command(clang, "-x", "c", "-c", "-emit-llvm", "--target=nvptx64-nvidia-cuda", "-nogpulib", "-w", "-o", toolkit.libdevice(), "/dev/null")
	out, err := empty.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Chdir(t.TempDir())
	return toolkit
}

// nvcc runs nvcc, which must succeed, and returns its output.
func nvcc(t *testing.T, toolkit Toolkit, line string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Run(toolkit, shell(line), &out, &out), "%s\n%s", line, &out)
	return out.String()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
}

// listing returns the instructions of a kernel in a file.
func listing(t *testing.T, file, kernel string) string {
	t.Helper()
	img := modules(t, file)[0].Entries[0]
	image, err := img.Image()
	require.NoError(t, err)
	var lines []string
	k := image.Kernel(kernel)
	require.NotNil(t, k, "no kernel %s", kernel)
	for _, in := range decoder.Kernel(image.Arch, k.Code) {
		lines = append(lines, sass.Text(in))
	}
	return strings.Join(lines, "\n")
}

func modules(t *testing.T, file string) (list []*cubin.Contents) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	found, err := carrier.Find(data)
	require.NoError(t, err)
	for _, m := range found.Modules {
		list = append(list, m.Contents)
	}
	require.NotEmpty(t, list, "no device code in %s", file)
	return list
}

const multiply = `extern "C" __global__ void k(float *a, float b, float c) { a[0] = a[0] * b + c; }
extern "C" __global__ void f(float *a, float b, float c) { a[0] = __builtin_fmaf(a[0], b, c); }
extern "C" __global__ void d(double *a) { a[0] = a[0] * 2 + a[1]; }
extern "C" __global__ void q(float *a) { a[0] = a[0] / a[1]; }
int arch() {
#ifdef __CUDA_ARCH__
	return __CUDA_ARCH__;
#else
	return 0;
#endif
}
`

// Products and sums are MAD unless -fmad=false, and fma is exact.
func TestContraction(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", multiply)
	nvcc(t, toolkit, "-cubin k.cu")
	require.Regexp(t, `\bFMAD`, listing(t, "k.cubin", "k"))
	require.NotRegexp(t, `\bFMAD`, listing(t, "k.cubin", "f"))
	require.Regexp(t, `\bDFMA`, listing(t, "k.cubin", "d"))
	nvcc(t, toolkit, "-cubin -fmad=false k.cu")
	require.NotRegexp(t, `\bFMAD`, listing(t, "k.cubin", "k"))
	require.NotRegexp(t, `\bDFMA`, listing(t, "k.cubin", "d"))
}

// NVIDIA's compiler takes constexpr functions that call other functions: PyCUDA has one.
func TestConstexpr(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", `extern __device__ float slow(float);
__device__ constexpr float half() { return slow(2); }
`+multiply)
	nvcc(t, toolkit, "-cubin k.cu")
	nvcc(t, toolkit, "-c k.cu")
}

// Divisions are rounded for later devices, as NVIDIA's compiler had it, or if the user says so.
func TestDivision(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", multiply)
	for options, want := range map[string]string{
		"": "div.full.ftz.f32", "-arch=sm_20": "div.rn.f32", "-prec-div=true": "div.rn.ftz.f32",
		"-arch=sm_20 -use_fast_math": "div.approx.ftz.f32", "-arch=sm_20 -prec-div=false -fmad=false": "div.full.f32",
	} {
		nvcc(t, toolkit, "-ptx "+options+" k.cu")
		text, err := os.ReadFile("k.ptx")
		require.NoError(t, err)
		require.Contains(t, string(text), want, options)
	}
}

// Square roots are rounded for later devices, or if the user says so.
func TestRoots(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", `extern "C" __global__ void k(float *a) { a[0] = __builtin_sqrtf(a[0]); }`)
	for options, want := range map[string]string{
		"": "sqrt.approx.f32", "-fmad=false": "sqrt.approx.f32", "-arch=sm_20": "sqrt.rn.f32",
		"-prec-sqrt=true": "sqrt.rn.ftz.f32", "-arch=sm_20 -use_fast_math": "sqrt.approx.f32",
	} {
		nvcc(t, toolkit, "-ptx "+options+" k.cu")
		text, err := os.ReadFile("k.ptx")
		require.NoError(t, err)
		require.Contains(t, string(text), want, options)
	}
}

func TestArchitectures(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", "#ifndef __CUDA_ARCH__\n#define __CUDA_ARCH__ 0\n#endif\nextern \"C\" __global__ void k(int *a) { *a = __CUDA_ARCH__; }")
	for options, want := range map[string]struct {
		entries []string
		arch    string
	}{
		"":            {[]string{"sm_13", "compute_20"}, "130"},
		"-arch=sm_10": {[]string{"sm_10", "compute_20"}, "100"},
		"-arch=sm_35": {[]string{"sm_13", "compute_35"}, "350"},
		"-gencode arch=compute_11,code=sm_11 -gencode arch=compute_12,code=sm_12 -gencode arch=compute_30,code=sm_30": {
			[]string{"sm_11", "compute_20", "sm_12", "compute_20"}, "110"},
	} {
		nvcc(t, toolkit, "-c "+options+" k.cu")
		contents := modules(t, "k.o")
		require.Len(t, contents, 1)
		var got []string
		for i := range contents[0].Entries {
			e := &contents[0].Entries[i]
			require.Equal(t, "k.cu", e.Source)
			got = append(got, e.Target())
			data, err := e.Data()
			require.NoError(t, err)
			if e.Container == cubin.PTX && i < 2 {
				require.Contains(t, string(data), ", "+want.arch, options)
			}
		}
		require.Equal(t, want.entries, got, options)
	}
}

// Code that sm_13 cannot express goes into programs for later devices as PTX, with a warning.
func TestBeyondTheDevice(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", `__device__ int f(int); extern "C" __global__ void k(int *a) { *a = f(*a); }`)
	require.Contains(t, nvcc(t, toolkit, "-c -arch=sm_20 k.cu"), "nvcc warning : no machine code, and a launch fails: k.cu:1: kernel k: function _Z1fi has no body")
	contents := modules(t, "k.o")[0]
	require.Len(t, contents.Entries, 1)
	require.Equal(t, "compute_20", contents.Entries[0].Target())
	var out bytes.Buffer
	require.ErrorContains(t, Run(toolkit, []string{"-c", "k.cu"}, &out, &out), "ptxas fatal   : ")
}

// Each CUDA file of a program has its own fat binary; C, C++ and PTX go along.
func TestManyFiles(t *testing.T) {
	toolkit := small(t)
	kernel := `extern "C" __global__ void NAME(float *a) { a[0] = 1; }
void call_NAME() { NAME<<<dim3{1, 1, 1}, dim3{1, 1, 1}>>>(0); }`
	write(t, "a/k.cu", strings.ReplaceAll(kernel, "NAME", "one"))
	write(t, "b/k.cu", strings.ReplaceAll(kernel, "NAME", "two"))
	write(t, "m.cpp", "#ifndef __NVCC__\n#error\n#endif\nextern \"C\" int old(void); int all() { return old(); }\n")
	write(t, "n.c", "int counter; old() { return undeclared(); }\n")
	write(t, "n2.c", "int counter;\n")
	nvcc(t, toolkit, "-shared -cudart none -o libk.so a/k.cu b/k.cu m.cpp n.c n2.c")
	contents := modules(t, "libk.so")
	require.Len(t, contents, 2)
	for i, name := range []string{"one", "two"} {
		image, err := contents[i].Image(tesla.SM13)
		require.NoError(t, err)
		require.NotNil(t, image.Kernel(name))
	}
	nvcc(t, toolkit, "-lib -o libk.a a/k.cu m.cpp")
	require.Len(t, modules(t, "libk.a"), 1)
	nvcc(t, toolkit, "-ptx a/k.cu")
	nvcc(t, toolkit, "-fatbin -arch=sm_11 k.ptx")
	require.Equal(t, "sm_11", modules(t, "k.fatbin")[0].Entries[0].Target())
}

func TestReports(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", "#include \"k.h\"\n"+multiply)
	write(t, "k.h", "")
	require.Contains(t, nvcc(t, toolkit, "-Xptxas -v -maxrregcount=16 -c k.cu"), "ptxas info    : Compiling entry function 'k' for 'sm_13'\nptxas info    : Used ")
	require.Contains(t, nvcc(t, toolkit, "-M k.cu"), "cuda_runtime.h")
	require.Regexp(t, `^out/k\.o: k\.cu k\.h\n$`, nvcc(t, toolkit, "-MM -MT out/k.o k.cu"))
	nvcc(t, toolkit, "-c -MD -o x.o k.cu")
	text, err := os.ReadFile("x.d")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "x.o: "), "%s", text)
	require.Contains(t, nvcc(t, toolkit, "-E k.cu"), "int arch()")
	nvcc(t, toolkit, "-keep -c k.cu")
	for _, name := range []string{"k.ll", "k.relaxed.ll", "k.ptx", "k.sm_13.cubin", "k.fatbin", "k.o"} {
		require.FileExists(t, name)
	}
}

// The tools of the toolkit serve a clang that drives itself, too.
func TestClangDrives(t *testing.T) {
	source, err := filepath.Abs("../../cmd/toolkit")
	require.NoError(t, err)
	toolkit := small(t)
	build := exec.Command("go", "build", "-o", filepath.Join(toolkit.Root, "bin", "toolkit"), ".")
	build.Dir = source
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range []string{"ptxas", "fatbinary"} {
		require.NoError(t, os.Symlink("toolkit", filepath.Join(toolkit.Root, "bin", name)))
	}
	write(t, "k.cu", "#include <cuda_runtime.h>\n"+multiply)
	compile := func(options ...string) *cubin.Contents {
		args := append([]string{"--cuda-path=" + toolkit.Root, "-nocudainc", "-nocudalib", "--no-cuda-version-check", "--cuda-gpu-arch=sm_20",
			"-I" + toolkit.include(), "-c", "k.cu"}, options...)
		out, err := exec.Command(toolkit.Clang, args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return modules(t, "k.o")[0]
	}
	image, err := compile("-O2", "-g", "--cuda-noopt-device-debug").Entries[0].Image()
	require.NoError(t, err)
	require.NotEmpty(t, image.Kernel("f").Debug.Root.Variables)
	contents := compile("-O2")
	require.Equal(t, "sm_13", contents.Entries[0].Target())
	require.Equal(t, "compute_20", contents.Entries[1].Target())
	require.NotRegexp(t, `\bFMAD`, listing(t, "k.o", "f"))
}

// A block of the size that the source announces fits, and so does what -maxrregcount says.
func TestRegisters(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", `
template <int N>
__device__ float sum(const float *a, float x) {
	float v[N];
	_Pragma("unroll")
	for (int i = 0; i < N; i++) v[i] = a[i] * x;
	_Pragma("unroll")
	for (int j = 0; j < 3; j++)
	_Pragma("unroll")
	for (int i = 0; i < N; i++) v[i] = v[i] * v[(i + 7) % N] + x;
	float s = 0;
	_Pragma("unroll")
	for (int i = 0; i < N; i++) s += v[i] * v[(i + 3) % N];
	return s;
}
extern "C" __global__ void plain(float *a) { a[99] = sum<60>(a, a[98]); }
extern "C" __global__ __attribute__((launch_bounds(512))) void bound(float *a) { a[99] = sum<60>(a, a[98]); }
`)
	registers := func(options, kernel string) int {
		nvcc(t, toolkit, "-cubin "+options+" k.cu")
		image, err := modules(t, "k.cubin")[0].Entries[0].Image()
		require.NoError(t, err)
		return image.Kernel(kernel).Registers
	}
	require.Greater(t, registers("", "plain"), 32)
	require.LessOrEqual(t, registers("", "bound"), 32)
	require.LessOrEqual(t, registers("-arch=sm_11", "bound"), 16)
	require.LessOrEqual(t, registers("-maxrregcount=24", "plain"), 24)
}
