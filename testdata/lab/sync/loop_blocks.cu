// The number of rounds is a word of shared memory: all threads of a block come to the barrier
// equally often. Right.
// output: 3
// no finding
#include "../lab.h"

__global__ void rounds(int *a) {
	__shared__ int n;
	int t = threadIdx.x, sum = 0;
	if (t == 0)
		n = blockIdx.x + 1;
	__syncthreads();
	for (int i = 0; i < n; i++) {
		sum += i;
		__syncthreads();
	}
	a[blockIdx.x * 64 + t] = sum;
}

int main() {
	int *a, h[256];
	CHECK(cudaMalloc(&a, sizeof h));
	rounds<<<4, 64>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[64 * 2 + 63]);
	return 0;
}
