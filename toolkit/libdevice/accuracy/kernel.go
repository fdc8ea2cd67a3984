package accuracy

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"jacquard/ptx"
	"jacquard/toolkit/libdevice"
	"jacquard/toolkit/nvcc"
)

// Bitcode is where "make libdevice" puts the library, from the root of the checkout.
const Bitcode = "build/toolkit/nvvm/libdevice/libdevice.10.bc"

// NeedsError names the tools that a measurement lacks.
type NeedsError struct{ What string }

func (e *NeedsError) Error() string { return "accuracy: needs " + e.What }

// array is how many numbers a vector of norm has.
const array = 4

// slots returns how many numbers a parameter takes from a row, and how many it gives back.
func slots(param string) (in, out int) {
	switch {
	case strings.HasPrefix(param, "const "):
		return array, 0
	case strings.HasSuffix(param, "*"):
		return 0, 1
	}
	return 1, 0
}

// rowOf returns how many numbers a function takes and gives.
func rowOf(f *libdevice.Function) (in, out int) {
	if f.Result != "void" {
		out = 1
	}
	for _, p := range f.Params {
		i, o := slots(p)
		in, out = in+i, out+o
	}
	return in, out
}

// prelude has what NVIDIA's headers define, and numbers as words of 64 bits.
const prelude = `#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define KERNEL extern "C" __global__ void
typedef unsigned int uint;
typedef unsigned short ushort;
typedef long long llong;
typedef unsigned long long ullong;
template <typename T> __device__ inline ullong put(T x) {
    ullong w = 0;
    __builtin_memcpy(&w, &x, sizeof x);
    return w;
}
template <typename T> __device__ inline T get(ullong w) {
    T x;
    __builtin_memcpy(&x, &w, sizeof x);
    return x;
}
__device__ inline uint item() {
    uint blocks = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
    return blocks + __nvvm_read_ptx_sreg_tid_x();
}
`

// kernel writes the kernel that applies a function to n rows.
func kernel(b *strings.Builder, f *libdevice.Function) {
	in, out := rowOf(f)
	params := strings.Join(f.Params, ", ")
	fmt.Fprintf(b, "\nextern \"C\" __device__ %s %s(%s);\n", f.Result, f.Name, params)
	fmt.Fprintf(b, "KERNEL test%s(const ullong *in, ullong *out, uint n) {\n", f.Name)
	b.WriteString("    uint i = item();\n    if (i >= n)\n        return;\n")
	fmt.Fprintf(b, "    in += %d * i, out += %d * i;\n", in, out)
	var args []string
	var after strings.Builder
	place, back := 0, 0
	if f.Result != "void" {
		back = 1
	}
	for k, p := range f.Params {
		takes, gives := slots(p)
		name := fmt.Sprintf("p%d", k)
		switch {
		case takes == array:
			t := strings.TrimSuffix(strings.TrimPrefix(p, "const "), "*")
			fmt.Fprintf(b, "    %s %s[%d];\n    for (uint k = 0; k < %d; k++)\n", t, name, array, array)
			fmt.Fprintf(b, "        %s[k] = get<%s>(in[%d + k]);\n", name, t, place)
		case gives == 1:
			fmt.Fprintf(b, "    %s %s = 0;\n", strings.TrimSuffix(p, "*"), name)
			fmt.Fprintf(&after, "    out[%d] = put(%s);\n", back, name)
			name = "&" + name
		default:
			name = fmt.Sprintf("get<%s>(in[%d])", p, place)
		}
		args = append(args, name)
		place, back = place+takes, back+gives
	}
	call := fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", "))
	if f.Result != "void" {
		call = "out[0] = put(" + call + ")"
	}
	fmt.Fprintf(b, "    %s;\n%s}\n", call, after.String())
}

// Source returns kernels for functions, in CUDA C++.
func Source(functions []libdevice.Function) string {
	var b strings.Builder
	b.WriteString(prelude)
	for i := range functions {
		kernel(&b, &functions[i])
	}
	return b.String()
}

// Compile makes PTX of kernels for functions, linked with the library. A missing tool or library
// is a [*NeedsError].
func Compile(bitcode string, functions []libdevice.Function, flags ...string) (*ptx.Module, error) {
	clang, err := nvcc.Clang()
	if err != nil {
		return nil, &NeedsError{"clang++-19: apt-get install clang-19"}
	}
	if _, err := os.Stat(bitcode); err != nil {
		return nil, &NeedsError{bitcode + `: "make libdevice" builds it`}
	}
	folder, err := os.MkdirTemp("", "accuracy")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	source, text := filepath.Join(folder, "kernels.cu"), filepath.Join(folder, "kernels.ptx")
	if err := os.WriteFile(source, []byte(Source(functions)), 0o600); err != nil {
		return nil, err
	}
	args := append([]string{"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_20", "-nocudainc",
		"-nocudalib", "-O2", "-S", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", bitcode,
		"-o", text}, flags...)
	var problems bytes.Buffer
	c := exec.Command(clang, append(args, source)...)
	c.Stderr = &problems
	if err := c.Run(); err != nil {
		return nil, errors.Join(fmt.Errorf("accuracy: %s: %w", clang, err), errors.New(problems.String()))
	}
	ptxText, err := os.ReadFile(text)
	if err != nil {
		return nil, err
	}
	return ptx.Parse("libdevice", ptxText)
}
