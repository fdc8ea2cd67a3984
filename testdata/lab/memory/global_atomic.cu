// The values go from 0 to 16, but there are 16 bins: the value 16 counts beyond the last bin.
// output: done
#include "../lab.h"

__global__ void histogram(int *bins) {
	int value = threadIdx.x % 17;
	atomicAdd(&bins[value], 1); // finding a: memory out-of-bounds global
}

int main() {
	int *bins;
	CHECK(cudaMalloc(&bins, 16 * sizeof(int))); // with a
	CHECK(cudaMemset(bins, 0, 16 * sizeof(int)));
	histogram<<<1, 64>>>(bins);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(bins));
	puts("done");
	return 0;
}
