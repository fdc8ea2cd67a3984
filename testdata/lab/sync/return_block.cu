// Whole blocks beyond the end return before the barrier, and no block does so in part: right.
// output: 0
// no finding
#include "../lab.h"

__global__ void reverse(int *a, int blocks) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (blockIdx.x >= blocks)
		return;
	s[t] = t;
	__syncthreads();
	a[blockIdx.x * 64 + t] = s[63 - t];
}

int main() {
	int *a, h[128];
	CHECK(cudaMalloc(&a, sizeof h));
	reverse<<<4, 64>>>(a, 2);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[127]);
	return 0;
}
