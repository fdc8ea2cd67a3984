// The host wants the result, and names the other direction.
// output: invalid argument
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

int main() {
	int *a, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	fill<<<1, 32>>>(a);
	cudaError_t result = cudaMemcpy(h, a, sizeof h, cudaMemcpyHostToDevice); // finding: api copy-kind
	CHECK(cudaFree(a));
	if (result != cudaSuccess)
		puts(cudaGetErrorString(result));
	return 0;
}
