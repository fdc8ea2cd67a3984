// The launch asks for 20,000 bytes of shared memory, more than a multiprocessor has. Nobody looks.
// output: done
#include "../lab.h"

extern __shared__ int s[];

__global__ void reverse(int *a) {
	s[threadIdx.x] = a[threadIdx.x];
	__syncthreads();
	a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 64 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 64 * sizeof(int)));
	reverse<<<1, 64, 20000>>>(a); // finding: api unchecked
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
