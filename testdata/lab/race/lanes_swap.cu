// Lanes swap with the lane beside them through shared memory, without a barrier: right within a
// warp on these devices.
// output: 33 32
// no finding
#include "../lab.h"

__global__ void swap(int *a) {
	__shared__ volatile int s[64];
	int t = threadIdx.x;
	s[t] = a[t]; // note a: race warp-synchronous shared
	a[t] = s[t ^ 1]; // with a
}

int main() {
	int h[64], *a;
	for (int i = 0; i < 64; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	swap<<<1, 64>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d %d\n", h[32], h[33]);
	return 0;
}
