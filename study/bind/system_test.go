package bind_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/bind"
)

func TestSystemLibrary(t *testing.T) {
	lib, dir := makeSimulator(t)
	other := t.TempDir()
	makeLibrary(t, other, `int cuInit(unsigned f) { return f; }`)
	require.Equal(t, filepath.Join(other, "libcuda.so.1"), bind.SystemLibrary(lib, dir+":"+other), "the simulator is passed over")
	require.NotEqual(t, filepath.Join(dir, "libcuda.so.1"), bind.SystemLibrary(lib, dir))
}
