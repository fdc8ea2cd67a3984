// A block of 1024 threads is too large for these devices. The launch fails, and the program does
// not look: the memory stays as it was.
// output: done
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 1024 * sizeof(int)));
	fill<<<1, 1024>>>(a); // finding: api unchecked
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
