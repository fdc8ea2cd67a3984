// An atomic exchange on memory that was never written initialises that memory; its result, the old
// value, is not used: right.
// output: 31
// no finding
#include "../lab.h"

__global__ void put(int *a) {
	atomicExch(&a[threadIdx.x], threadIdx.x);
}

int main() {
	int *a, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	put<<<1, 32>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[31]);
	return 0;
}
