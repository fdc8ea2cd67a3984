// The last thread does not write its element, and thread 0 decides by that element.
// output: done
#include "../lab.h"

__global__ void count(int *out, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t < n)
		s[t] = t;
	__syncthreads();
	if (s[63 - t] > 5) // finding: init branch shared
		atomicAdd(out, 1);
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(out, 0, sizeof(int)));
	count<<<1, 64>>>(out, 63);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
