package headers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/libdevice"
)

// ofCUDA are headers with names of CUDA alone, even for parameters and members.
var ofCUDA = []string{"cuda_runtime_api.h", "driver_types.h", "vector_types.h"}

// documented are other names that CUDA and C++ give: a program cannot define them as macros.
var documented = regexp.MustCompile(`^(` + strings.Join([]string{
	`cuda\w+`, `make_\w+`, `atomic\w+`, `tex[123]D\w*`, `surf\w*`, `CUDA_VERSION`, `CUDART_\w+`,
	`u?(char|short|int|long|longlong)[1-4]|(float|double)[1-4]`, `texture`, `threadIdx|blockIdx|blockDim|gridDim`, `T|tex|minGridSize|blockSizeLimit`,
	// Names of before CUDA 2.
	`saturate|u?mul24|u?mulhi|u?mul64hi|float_as_int|int_as_float|any|all`,
	`syncthreads|threadfence|threadfence_block|trap|u?int2float|float2u?int`,
	// C++ and its library.
	`alignas|asm|bool|case|char|class|const|constexpr|decltype|default|delete|do|double|else|enum`,
	`extern|false|float|for|static_cast|reinterpret_cast|true`,
	`if|ifdef|ifndef|endif|elif|define|undef|defined|inline|int|long|namespace|new|operator`,
	`private|public|return|short|signed|sizeof|static|struct|switch|template|typedef|typename`,
	`unsigned|using|void|volatile|while|and|or|xor`,
	`std|malloc|free|memcpy|memset|read|write|printf|vprintf|clock(64)?|FP_\w+|fpclassify|is[a-z]+`,
	`labs|l(rint|round)f?|fdividef?|scalblnf?|nothrow|numeric_limits|is_integer|is_specialized|shift|noreturn`,
}, `|`) + `)$`)

// mathematics returns the names of functions of numbers, for double and float.
func mathematics() map[string]bool {
	all := map[string]bool{}
	for _, f := range libdevice.Functions() {
		name := strings.TrimPrefix(f.Name, "__nv_")
		all[name], all[strings.TrimSuffix(name, "f")] = true, true
	}
	return all
}

var (
	uncoded  = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(\\.|[^"\\])*"|#\s*(include|pragma|error)[^\n]*`)
	word     = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	reserved = regexp.MustCompile(`^_[_A-Z]`)
)

// words returns the names in the code of a header.
func words(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return word.FindAllString(uncoded.ReplaceAllString(string(text), " "), -1)
}

// A program may define a macro of any name, other than reserved names and names of CUDA, before
// the headers that come before line 1 of each file: nvcc -DN=1024. Those headers use no such name.
func TestNames(t *testing.T) {
	clang := slices.Max(clangs(t))
	empty := filepath.Join(t.TempDir(), "empty.cu")
	require.NoError(t, os.WriteFile(empty, nil, 0o666))
	known := mathematics()
	for _, name := range ofCUDA {
		for _, w := range words(t, filepath.Join(root, "toolkit/include", name)) {
			known[w] = true
		}
	}
	// Programs define N. cuda.h has it, and is no longer in the way.
	names := map[string]bool{"N": true, "V": true}
	for name, half := range halves {
		for _, header := range included(t, clang, empty, half) {
			for _, w := range words(t, header) {
				if !known[w] && !reserved.MatchString(w) && !documented.MatchString(w) {
					names[w] = true
				}
			}
		}
		var defines []string
		for w := range names {
			defines = append(defines, fmt.Sprintf("-D%s=7", w))
		}
		t.Run(name, func(t *testing.T) { parse(t, clang, empty, slices.Concat(half, defines)...) })
	}
	require.Greater(t, len(names), 50)
}

// included returns the headers for CUDA that one half of a file includes, the toolkit's and clang's.
func included(t *testing.T, clang, file string, half []string) (headers []string) {
	t.Helper()
	include := filepath.Join(root, "toolkit/include")
	args := slices.Concat(half, []string{"-x", "cuda", "-nocudainc", "-nocudalib", "-M",
		"-I", include, "-I", filepath.Join(root, "libcuda/include"), "-include", "cuda_runtime.h", file})
	out, err := exec.Command(clang, args...).Output()
	require.NoError(t, err)
	for _, path := range strings.Fields(string(out)) {
		if strings.HasPrefix(path, root) || strings.Contains(path, "__clang_cuda") {
			headers = append(headers, path)
		}
	}
	require.Greater(t, len(headers), 20)
	return headers
}
