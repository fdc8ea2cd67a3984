// The bytes between a row's width and the pitch belong to the allocation. The kernel clears them,
// too: right.
// output: 7
// no finding
#include "../lab.h"

__global__ void fill(char *a, size_t pitch) {
	for (int x = threadIdx.x; x < pitch; x += blockDim.x)
		a[blockIdx.x * pitch + x] = x < 40 ? 7 : 0;
}

int main() {
	char *a, h[4][40];
	size_t pitch;
	CHECK(cudaMallocPitch(&a, &pitch, 40, 4));
	fill<<<4, 32>>>(a, pitch);
	CHECK(cudaMemcpy2D(h, 40, a, pitch, 40, 4, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[3][39]);
	return 0;
}
