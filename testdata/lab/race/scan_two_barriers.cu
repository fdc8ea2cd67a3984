// A prefix sum with a barrier on both sides of the writes of a round: right.
// output: 64
// no finding
#include "../lab.h"

__global__ void scan(int *a) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = a[t];
	__syncthreads();
	for (int n = 1; n < 64; n *= 2) {
		int left = t >= n ? s[t - n] : 0;
		__syncthreads();
		s[t] += left;
		__syncthreads();
	}
	a[t] = s[t];
}

int main() {
	int h[64], *a;
	for (int i = 0; i < 64; i++)
		h[i] = 1;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	scan<<<1, 64>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[63]);
	return 0;
}
