// The memset takes the number of elements for the number of bytes: three quarters stay unwritten.
// output: done
#include "../lab.h"

__global__ void count(int *bins) {
	atomicAdd(&bins[threadIdx.x % 16], 1);
}

int main() {
	int *bins, h[64];
	CHECK(cudaMalloc(&bins, sizeof h)); // with a
	CHECK(cudaMemset(bins, 0, 64));
	count<<<1, 64>>>(bins);
	CHECK(cudaMemcpy(h, bins, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaFree(bins));
	puts("done");
	return 0;
}
