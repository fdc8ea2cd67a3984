// The shared array has 32 elements, and the last thread writes element 32.
// output: an illegal memory access was encountered
// exit: 1
#include "../lab.h"

__global__ void shift(int *a) {
	__shared__ int s[32];
	s[threadIdx.x + 1] = a[threadIdx.x]; // finding: memory out-of-bounds shared
	if (threadIdx.x == 0)
		s[0] = 0;
	__syncthreads();
	a[threadIdx.x] = s[threadIdx.x];
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	shift<<<1, 32>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
