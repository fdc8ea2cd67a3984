package callers

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/check"
)

const program = `
int work(int);
static inline __attribute__((always_inline)) int inner(int x)
{
	int y = work(x);
	return y * 3;
}
static inline __attribute__((always_inline)) int outer(int x)
{
	return inner(x) + inner(x + 1);
}
int many(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += outer(i);
	return sum;
}
__attribute__((section(".text.apart"), noinline)) int work(int x) { return x + 1; }
int main(int argc, char **argv) { return many(argc); }
`

// The frames of all addresses of a program are those that addr2line tells.
func TestFrames(t *testing.T) {
	for _, tool := range []string{"cc", "addr2line"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	dir := t.TempDir()
	source, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	require.NoError(t, os.WriteFile(source, []byte(program), 0o666))
	out, err := exec.Command("cc", "-g", "-O2", "-ffunction-sections", "-o", exe, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	f := open(exe)
	require.NotNil(t, f.debug)
	deepest := 0
	for _, s := range f.functions {
		if s.Name != "many" && s.Name != "work" && s.Name != "main" {
			continue
		}
		require.Equal(t, s.Name, f.symbol(s.Value+s.Size-1))
		for address := s.Value; address < s.Value+s.Size; address++ {
			want, err := exec.Command("addr2line", "-i", "-f", "-e", exe, fmt.Sprintf("%#x", address)).Output()
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSpace(string(want)), "\n")
			if strings.HasSuffix(lines[1], ":?") {
				continue
			}
			frames := f.frames(address)
			deepest = max(deepest, len(frames))
			var got []string
			for _, frame := range frames {
				got = append(got, frame.Function, fmt.Sprintf("%s:%d", frame.File, frame.Line))
			}
			for i, line := range lines {
				lines[i], _, _ = strings.Cut(line, " (discriminator")
			}
			require.Equal(t, lines, got, "%#x", address)
		}
	}
	require.Equal(t, 3, deepest)
	require.Empty(t, open(filepath.Join(dir, "none")).frames(0))
}

func TestAddress(t *testing.T) {
	f := &file{segments: []elf.ProgHeader{{Off: 0x1000, Vaddr: 0x401000, Filesz: 0x10}}}
	at, ok := f.address(0x100f)
	require.True(t, ok)
	require.Equal(t, uint64(0x40100f), at)
	_, ok = f.address(0x1010)
	require.False(t, ok)
}

func TestMappings(t *testing.T) {
	m, ok := parseMapping("7f12a000-7f12b000 r-xp 00002000 08:01 1234    /opt/a b/lib.so (deleted)")
	require.True(t, ok)
	require.Equal(t, mapping{first: 0x7f12a000, end: 0x7f12b000, offset: 0x2000, path: "/opt/a b/lib.so (deleted)", code: true, readable: true}, m)
	m, ok = parseMapping("7f12a000-7f12b000 ---p 00000000 00:00 0")
	require.True(t, ok)
	require.False(t, m.code || m.readable)
	_, ok = parseMapping("nonsense")
	require.False(t, ok)
	require.False(t, Readable(0x10))
}

// The library's places are left out, and the outermost of them is the call.
func TestEntry(t *testing.T) {
	lines := []check.Frame{{Function: "work", File: "/home/a/work.cu", Line: 7}}
	library := place{module: "/opt/lib/libcuda.so.1", symbol: "jacquard_call"}
	user := place{module: "/home/a/work", symbol: "_Z4workv", frames: lines}
	for _, c := range []struct {
		name   string
		places []place
		first  int
		call   string
		own    bool
	}{
		{"driver", []place{library, {module: library.module, symbol: "cuMemAlloc_v2"}, user}, 2, "cuMemAlloc", true},
		{"runtime", []place{library, {module: library.module, symbol: "cuMemAlloc_v2"}, {module: "/opt/libcudart.so.4", symbol: "give"}, {module: "/opt/libcudart.so.4", symbol: "cudaMalloc"}, user}, 4, "cudaMalloc", false},
		{"static runtime", []place{library, {module: library.module, symbol: "cuMemAlloc_v2"}, {module: user.module, symbol: "fill"}, {module: user.module, symbol: "cudaMalloc"}, user}, 4, "cudaMalloc", false},
		{"failure", []place{library, {module: library.module, symbol: "jacquard_runtime_failed"}, {module: user.module, symbol: "runtime_end_of"}, user}, 3, "", true},
		{"program without symbols", []place{library, {module: library.module, symbol: "cuInit"}, {module: "/home/a/work"}}, 2, "cuInit", true},
	} {
		first, call := entry(c.places)
		require.Equal(t, c.first, first, c.name)
		require.Equal(t, c.call, call.Name, c.name)
		require.Equal(t, c.own, call.Own, c.name)
	}
}

// All headers of the toolkit that have code are known as the toolkit's.
func TestIsSystem(t *testing.T) {
	headers, err := filepath.Glob("../../../toolkit/include/*.h")
	require.NoError(t, err)
	require.NotEmpty(t, headers)
	for _, h := range headers {
		text, err := os.ReadFile(h)
		require.NoError(t, err)
		if name := filepath.Base(h); strings.Contains(string(text), "return ") {
			require.True(t, IsSystem("/opt/toolkit/bin/../include/"+name), name)
		}
	}
	require.True(t, IsSystem("/opt/cuda/include/crt/host_runtime.h"))
	require.True(t, IsSystem("/usr/include/c++/12/vector"))
	require.False(t, IsSystem("/home/a/include/matrix_functions.cu"))
	require.False(t, IsSystem("/home/a/src/main.cu"))
}

// A launch's stub is no frame of the program.
func TestStub(t *testing.T) {
	at := place{module: "/home/a/work", symbol: "_Z19__device_stub__fillPi", frames: []check.Frame{{Function: "x", File: "/home/a/work.cu", Line: 3}}}
	frames, stubs := at.stack()
	require.Empty(t, frames)
	require.True(t, stubs)
	at = place{module: "/home/a/work", symbol: "main", frames: []check.Frame{
		{Function: "_Z19__device_stub__fillPi", File: "/home/a/work.cu", Line: 3}, {Function: "main", File: "/home/a/work.cu", Line: 9},
	}}
	frames, stubs = at.stack()
	require.True(t, stubs)
	require.Equal(t, []check.Frame{{Function: "main", File: "/home/a/work.cu", Line: 9, Module: "/home/a/work"}}, frames)
}
