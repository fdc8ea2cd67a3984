// The number of blocks is rounded down: the last four elements are never written.
// output: done
#include "../lab.h"

__global__ void fill(int *a, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] = i;
}

int main() {
	int *a, h[100];
	CHECK(cudaMalloc(&a, sizeof h)); // with a
	fill<<<100 / 32, 32>>>(a, 100);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
