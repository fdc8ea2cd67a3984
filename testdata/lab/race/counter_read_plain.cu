// Warp 1 reads the count with a plain load while warp 0 may still count.
// output: done
#include "../lab.h"

__global__ void count(int *counter, int *out) {
	atomicAdd(counter, 1); // finding a: race atomic-plain global
	if (threadIdx.x == 32)
		*out = *counter; // with a
}

int main() {
	int *counter, *out;
	CHECK(cudaMalloc(&counter, sizeof(int)));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(counter, 0, sizeof(int)));
	count<<<1, 64>>>(counter, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(counter));
	puts("done");
	return 0;
}
