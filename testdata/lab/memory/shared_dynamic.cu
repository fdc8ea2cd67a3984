// The launch asks for 31 elements of dynamic shared memory, and the kernel uses 32.
// output: an illegal memory access was encountered
// exit: 1
#include "../lab.h"

extern __shared__ int s[];

__global__ void reverse(int *a) {
	s[threadIdx.x] = a[threadIdx.x]; // finding: memory out-of-bounds shared
	__syncthreads();
	if (threadIdx.x > 0)
		a[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	reverse<<<1, 32, 31 * sizeof(int)>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
