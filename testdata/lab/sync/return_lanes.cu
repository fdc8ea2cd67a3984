// Threads beyond n return before the barrier: 16 lanes of the second warp never come.
// output: done
#include "../lab.h"

__global__ void shift(int *a, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t >= n)
		return;
	s[t] = t;
	__syncthreads(); // finding: sync after-exit|divergent
	a[t] = s[t ^ 1];
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 64 * sizeof(int)));
	shift<<<1, 64>>>(a, 48);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
