// Threads beyond n write nothing into shared memory, and nobody reads their elements: right.
// output: 49
// no finding
#include "../lab.h"

__global__ void count(int *out, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t < n)
		s[t] = t;
	__syncthreads();
	if (t < n && s[n - 1 - t] > 0)
		atomicAdd(out, 1);
}

int main() {
	int *out, h;
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(out, 0, sizeof(int)));
	count<<<1, 64>>>(out, 50);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h);
	return 0;
}
