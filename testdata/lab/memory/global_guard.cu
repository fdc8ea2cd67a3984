// 128 threads run for 100 elements, and a guard keeps the last 28 threads away: right.
// output: 99
// no finding
#include "../lab.h"

__global__ void fill(int *a, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] = i;
}

int main() {
	int *a, h[100];
	CHECK(cudaMalloc(&a, sizeof h));
	fill<<<4, 32>>>(a, 100);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[99]);
	return 0;
}
