// The kernel gets a pointer into the middle of an allocation and goes back from there. A pool that
// the program parts itself has no bounds of its own: right.
// output: 0 63
// no finding
#include "../lab.h"

__global__ void around(int *middle) {
	int i = (int)threadIdx.x - 32;
	middle[i] = i + 32;
}

int main() {
	int *pool, h[64];
	CHECK(cudaMalloc(&pool, sizeof h));
	around<<<1, 64>>>(pool + 32);
	CHECK(cudaMemcpy(h, pool, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(pool));
	printf("%d %d\n", h[0], h[63]);
	return 0;
}
