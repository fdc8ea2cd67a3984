package ptxrandom

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// requireSame compiles a text several times: the results are equal.
func requireSame(t *testing.T, name string, text []byte, arch tesla.Arch) {
	t.Helper()
	var first *cubin.Image
	for range 3 {
		m, err := ptx.Parse(name, text)
		require.NoError(t, err)
		im, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
		if err != nil {
			return
		}
		if first == nil {
			first = im
		}
		require.Equal(t, first, im, name)
	}
}

func TestCompilingTwiceGivesTheSame(t *testing.T) {
	from, to := seeds(20)
	for seed := from; seed < min(to, from+500); seed++ {
		k, arch, _ := kernelOf(seed)
		requireSame(t, "k.ptx", []byte(k.Text), arch)
	}
}

// JACQUARD_PTX names a directory of modules, such as NVIDIA's SDK samples.
func TestModulesOfADirectoryTwice(t *testing.T) {
	dir := os.Getenv("JACQUARD_PTX")
	if dir == "" {
		t.Skip("JACQUARD_PTX names no directory of modules")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*compute_1?.ptx"))
	require.NoError(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		requireSame(t, path, text, tesla.SM13)
	}
}
