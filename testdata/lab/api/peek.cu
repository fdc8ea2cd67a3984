// The program looks at a launch that fails with cudaPeekAtLastError, and clears the error later:
// right.
// output: invalid configuration argument
// no finding
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 4096 * sizeof(int)));
	fill<<<1, 4096>>>(a);
	if (cudaPeekAtLastError() != cudaSuccess)
		puts(cudaGetErrorString(cudaGetLastError()));
	CHECK(cudaFree(a));
	return 0;
}
