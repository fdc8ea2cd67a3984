// Block 0 zeroes the counter that all blocks add to. Other blocks may have counted before, and the
// barrier does not hold them back.
// output: done
#include "../lab.h"

__global__ void count(int *counter) {
	if (blockIdx.x == 0 && threadIdx.x == 0)
		*counter = 0; // finding a: race atomic-plain global
	__syncthreads();
	atomicAdd(counter, 1); // with a
}

int main() {
	int *counter;
	CHECK(cudaMalloc(&counter, sizeof(int)));
	CHECK(cudaMemset(counter, 0, sizeof(int)));
	count<<<4, 32>>>(counter);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(counter));
	puts("done");
	return 0;
}
