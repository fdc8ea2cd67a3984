// The allocation has 61 bytes, and the last of 61 threads reads byte 61: one byte too far.
// output: done
#include "../lab.h"

__global__ void shift(char *a) {
	int i = threadIdx.x;
	char next = a[i + 1]; // finding a: memory out-of-bounds global
	__syncthreads();
	a[i] = next;
}

int main() {
	char *a;
	CHECK(cudaMalloc(&a, 61)); // with a
	CHECK(cudaMemset(a, 1, 61));
	shift<<<1, 61>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
