// The first lane of each warp writes the number of its warp into one word: the last one wins, and
// which one that is nobody knows.
// output: done
#include "../lab.h"

__global__ void leader(int *out) {
	__shared__ int s;
	if (threadIdx.x % 32 == 0)
		s = threadIdx.x / 32; // finding: race write-write shared
	__syncthreads();
	if (threadIdx.x == 0)
		*out = s;
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, sizeof(int)));
	leader<<<1, 64>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
