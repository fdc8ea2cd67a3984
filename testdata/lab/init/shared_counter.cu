// Threads count in a word of shared memory that nobody has set to zero.
// output: done
#include "../lab.h"

__global__ void count(int *out) {
	__shared__ int n;
	atomicAdd(&n, 1); // with a
	__syncthreads();
	if (threadIdx.x == 0)
		*out = n;
}

int main() {
	int *out, h;
	CHECK(cudaMalloc(&out, sizeof(int)));
	count<<<1, 64>>>(out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost)); // finding a: init output shared
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
