// Rows are copied with a pitch in both directions, without the bytes behind the width: right.
// output: 9
// no finding
#include "../lab.h"

__global__ void add(char *a, size_t pitch, int width) {
	for (int x = threadIdx.x; x < width; x += blockDim.x)
		a[blockIdx.x * pitch + x] += 9;
}

int main() {
	char *a, h[4][40] = {};
	size_t pitch;
	CHECK(cudaMallocPitch(&a, &pitch, 40, 4));
	CHECK(cudaMemcpy2D(a, pitch, h, 40, 40, 4, cudaMemcpyHostToDevice));
	add<<<4, 32>>>(a, pitch, 40);
	CHECK(cudaMemcpy2D(h, 40, a, pitch, 40, 4, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[3][39]);
	return 0;
}
