// The second launch expects in shared memory what the first one left there. Shared memory lives as
// long as its block.
// output: done
#include "../lab.h"

__global__ void step(int *out, bool first) {
	__shared__ int s[32];
	if (first)
		s[threadIdx.x] = threadIdx.x;
	else
		out[threadIdx.x] = s[threadIdx.x]; // with a
}

int main() {
	int *out, h[32];
	CHECK(cudaMalloc(&out, sizeof h));
	step<<<1, 32>>>(out, true);
	step<<<1, 32>>>(out, false);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output shared
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
