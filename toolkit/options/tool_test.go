package options

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTool(t *testing.T) {
	tool := Tool{Name: "tool", Title: "a tool", Usage: "tool [options]", Table: Table{Machine, {Long: "verbose", Short: "v"}}}
	given, done, err := tool.Parse([]string{"-m64", "-v", "file"}, nil)
	require.NoError(t, err)
	require.False(t, done)
	require.Equal(t, []Given{{"machine", "64"}, {"verbose", "true"}, {Value: "file"}}, given)
	_, _, err = tool.Parse([]string{"-m32"}, nil)
	require.EqualError(t, err, "-m32: device code belongs to 64-bit programs here: use -m64")
	for arg, want := range map[string]string{
		"-V": "tool: a tool\nCuda compilation tools, release 10.0, V10.0.130\n",
		"-h": "tool [options]\n  --machine 64  (-m)\n        the size of pointers in bits: 64 alone\n" +
			"  --verbose  (-v)\n        \n  --version  (-V)\n        print the version\n  --help  (-h)\n        print this text\n",
	} {
		var out bytes.Buffer
		_, done, err = tool.Parse([]string{arg, "file"}, &out)
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, want, out.String())
	}
}

// Headers and makefiles say the same release.
func TestRelease(t *testing.T) {
	const number = Major + "0" + Minor + "0"
	for path, want := range map[string]string{
		"release.h":                     "#define CUDA_VERSION " + number + "\n",
		"include/jacquard/clang.h":      "#define CUDA_VERSION " + number + "\n",
		"include/driver_types.h":        "#define CUDART_VERSION " + number + "\n",
		"../libcuda/runtime/runtime.mk": " " + number + ":" + Release + "\n",
		"include/cuda_runtime.h": "#define __CUDACC_VER_MAJOR__ " + Major + "\n#define __CUDACC_VER_MINOR__ " + Minor +
			"\n#define __CUDACC_VER_BUILD__ " + Build + "\n",
	} {
		text, err := os.ReadFile(filepath.Join("..", path))
		require.NoError(t, err)
		require.Contains(t, string(text), want, path)
	}
}

func TestArch(t *testing.T) {
	for name, want := range map[string]struct {
		n           int
		virtual, ok bool
	}{
		"sm_13": {13, false, true}, "compute_20": {20, true, true}, "sm_100": {100, false, true}, "sm_90a": {90, false, true},
		"": {}, "sm_1": {}, "sm_1000": {}, "fermi": {}, "lto_75": {}, "sm_20b": {},
	} {
		n, virtual, ok := Arch(name)
		require.Equal(t, []any{want.n, want.virtual, want.ok}, []any{n, virtual, ok}, name)
	}
}
