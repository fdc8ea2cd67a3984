package headers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// optionSets change how the device half is optimized, and what PTX becomes of it.
var optionSets = []string{
	"-G", "-O0 -lineinfo", "-O3 -use_fast_math", "-arch=sm_20 -fmad=false", "-arch=sm_75",
	"-gencode arch=compute_35,code=compute_35",
}

// TestLocks runs critical sections as books and forums write them, under the default policy.
func TestLocks(t *testing.T) {
	for _, name := range []string{"locks.cu", "sections.cu"} {
		for _, set := range optionSets {
			t.Run(name+" "+set, func(t *testing.T) {
				require.Equal(t, "PASSED\n", run(t, filepath.Join("testdata", name), strings.Fields(set)...))
			})
		}
	}
}

// A loop that only waits is no critical section: on a board, too, a warp whose lanes want one lock
// never leaves it.
func TestSpinning(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spin.cu")
	require.NoError(t, os.WriteFile(file, []byte(`#include <cstdio>
__global__ void spin(int *lock, int *count) {
	while (atomicCAS(lock, 0, 1)) {}
	*(volatile int *)count += 1;
	__threadfence();
	atomicExch(lock, 0);
}
int main() {
	int *lock;
	cudaMalloc(&lock, 8);
	cudaMemset(lock, 0, 8);
	spin<<<1, 32>>>(lock, lock + 1);
	puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
`), 0o666))
	for _, set := range []string{"", "-G", "-arch=sm_35"} {
		require.Equal(t, "cudaErrorLaunchTimeout\n", run(t, file, strings.Fields(set)...), set)
	}
}
