// A function with a barrier is called by the lanes with work alone.
// output: done
#include "../lab.h"

__device__ __noinline__ int sum(int *s, int t) {
	s[t] = t;
	__syncthreads(); // finding: sync divergent|after-exit
	return s[t] + s[t & 32];
}

__global__ void call(int *a) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (a[t] == 0)
		a[t] = sum(s, t);
}

int main() {
	int h[64] = {}, *a;
	for (int i = 8; i < 32; i++)
		h[i] = 1;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	call<<<1, 64>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
