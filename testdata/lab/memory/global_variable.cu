// A __device__ array has ten elements, and the eleventh is written.
// output: done
#include "../lab.h"

__device__ int table[10];

__global__ void fill(int n) {
	for (int i = threadIdx.x; i <= n; i += blockDim.x)
		table[i] = i; // finding: memory out-of-bounds global
}

int main() {
	fill<<<1, 4>>>(10);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
