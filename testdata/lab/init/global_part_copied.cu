// The kernel writes the first 96 of 128 elements, and the host gets those alone: right.
// output: 95
// no finding
#include "../lab.h"

__global__ void fill(int *a) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = i;
}

int main() {
	int *a, h[96];
	CHECK(cudaMalloc(&a, 128 * sizeof(int)));
	fill<<<3, 32>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[95]);
	return 0;
}
