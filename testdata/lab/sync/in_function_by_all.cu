// A function with a barrier is called from two places, each of which all threads of a block reach:
// right.
// output: 66
// no finding
#include "../lab.h"

__device__ __noinline__ int beside(int *s, int t, int value) {
	__syncthreads();
	s[t] = value;
	__syncthreads();
	return s[t ^ 33];
}

__global__ void call(int *a, int rounds) {
	__shared__ int s[64];
	int t = threadIdx.x, v = beside(s, t, t);
	if (rounds > 1)
		v += beside(s, t, t);
	a[t] = v;
}

int main() {
	int *a, h[64];
	CHECK(cudaMalloc(&a, sizeof h));
	call<<<1, 64>>>(a, 2);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
