// Element 64 of the first allocation may lie exactly at the start of the second one. The write is
// out of bounds all the same: the pointer is that of the first.
// output: done
#include "../lab.h"

__global__ void fill(int *a, int n) {
	int i = threadIdx.x;
	if (i <= n)
		a[i] = i; // finding a: memory out-of-bounds global
}

int main() {
	int *a, *b;
	CHECK(cudaMalloc(&a, 64 * sizeof(int))); // with a
	CHECK(cudaMalloc(&b, 64 * sizeof(int)));
	fill<<<1, 128>>>(a, 64);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(b));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
