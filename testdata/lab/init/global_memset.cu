// A memset of all bytes, then atomic additions to some elements, then a copy of all: right.
// output: 4 0
// no finding
#include "../lab.h"

__global__ void count(int *bins) {
	atomicAdd(&bins[threadIdx.x % 16], 1);
}

int main() {
	int *bins, h[64];
	CHECK(cudaMalloc(&bins, sizeof h));
	CHECK(cudaMemset(bins, 0, sizeof h));
	count<<<1, 64>>>(bins);
	CHECK(cudaMemcpy(h, bins, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(bins));
	printf("%d %d\n", h[15], h[16]);
	return 0;
}
