// Each block writes 33 elements and begins 32 elements behind the block before: the last element of
// a block is the first of the next.
// output: done
#include "../lab.h"

__global__ void fill(int *a) {
	int at = blockIdx.x * 32 + threadIdx.x;
	if (threadIdx.x < 33)
		a[at] = blockIdx.x; // finding: race write-write global
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 129 * sizeof(int)));
	fill<<<4, 64>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
