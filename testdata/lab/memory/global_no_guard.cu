// 128 threads run for 100 elements, and no thread asks whether its element exists: the last 28
// threads write beyond the allocation.
// output: done
#include "../lab.h"

__global__ void fill(int *a) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = i; // finding a: memory out-of-bounds global
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 100 * sizeof(int))); // with a
	fill<<<4, 32>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
