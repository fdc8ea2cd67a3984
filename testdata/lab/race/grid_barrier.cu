// All blocks are resident and wait for one another: a barrier in the block, a fence, an atomic
// count, volatile loads until all have counted, a barrier again. Right.
// output: 127
// no finding
#include "../lab.h"

__global__ void shift(int *a, int *arrived, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = i;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicAdd(arrived, 1);
		while (*(volatile int *)arrived < gridDim.x)
			;
		__threadfence();
	}
	__syncthreads();
	out[i] = ((volatile int *)a)[127 - i];
}

int main() {
	int *a, *arrived, *out, h;
	CHECK(cudaMalloc(&a, 128 * sizeof(int)));
	CHECK(cudaMalloc(&arrived, sizeof(int)));
	CHECK(cudaMalloc(&out, 128 * sizeof(int)));
	CHECK(cudaMemset(arrived, 0, sizeof(int)));
	shift<<<4, 32>>>(a, arrived, out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(arrived));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
