// A prefix sum with a barrier before the writes of a round, and none behind them.
// output: done
#include "../lab.h"

__global__ void scan(int *a) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = a[t];
	__syncthreads();
	for (int n = 1; n < 64; n *= 2) {
		int left = t >= n ? s[t - n] : 0; // finding a: race read-write shared
		__syncthreads();
		s[t] += left; // with a
	}
	a[t] = s[t];
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 64 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 64 * sizeof(int)));
	scan<<<1, 64>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
