package bind

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

func TestWhereToGet(t *testing.T) {
	for name, want := range map[string]string{
		"libcudart.so":       "make runtime builds it",
		"libcudart.so.2":     "make runtime builds it",
		"libcudart.so.5.0":   "make runtime builds it",
		"libcudart.so.7.5":   "NVIDIA's CUDA Toolkit 7.5 has it",
		"libcublas.so.5.5":   "NVIDIA's CUDA Toolkit 5.5 has it",
		"libnppi.so.6.5":     "NVIDIA's CUDA Toolkit 6.5 has it",
		"libcutil_x86_64.so": "NVIDIA's GPU Computing SDK has it",
		"libcuda.so.0":       "the simulator has libcuda.so.1 alone",
		"libGLU.so.1":        "Debian's package libglu1-mesa has it",
		"libX11.so.6":        "Debian's package libx11-6 may have it (apt-file search libX11.so.6)",
		"libgcc_x.so.1":      "Debian's package libgcc-x1 may have it (apt-file search libgcc_x.so.1)",
		"mine.so":            "",
	} {
		require.Equal(t, want, whereToGet(name), name)
	}
}

// TestEmulationNames compares the names with the table of the runtime's functions.
func TestEmulationNames(t *testing.T) {
	table, err := api.LoadRuntime(os.DirFS("../../libcuda/runtime"))
	require.NoError(t, err)
	var want []string
	for _, f := range table.Functions {
		if f.Group == "emulation" {
			want = append(want, f.Name)
		}
	}
	require.Equal(t, want, emulation)
}
