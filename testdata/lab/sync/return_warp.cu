// Threads beyond n return before the barrier: the whole second warp never comes.
// output: done
#include "../lab.h"

__global__ void shift(int *a, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t >= n)
		return;
	s[t] = t;
	__syncthreads(); // finding: sync after-exit|partial
	a[t] = s[t ^ 1];
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 64 * sizeof(int)));
	shift<<<1, 64>>>(a, 32);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
