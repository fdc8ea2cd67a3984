// Each block stores its sum, then a fence, then takes a ticket. The block with the last ticket adds
// all sums, by volatile loads behind a barrier: right.
// output: 496
// no finding
#include "../lab.h"

__global__ void sum(volatile int *sums, unsigned *tickets, int *out) {
	__shared__ bool last;
	if (threadIdx.x == 0) {
		sums[blockIdx.x] = blockIdx.x;
		__threadfence();
		last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last)
		atomicAdd(out, sums[threadIdx.x]);
}

int main() {
	int *sums, *out, h;
	unsigned *tickets;
	CHECK(cudaMalloc(&sums, 32 * sizeof(int)));
	CHECK(cudaMalloc(&tickets, sizeof(unsigned)));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(tickets, 0, sizeof(unsigned)));
	CHECK(cudaMemset(out, 0, sizeof(int)));
	sum<<<32, 32>>>(sums, tickets, out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(tickets));
	CHECK(cudaFree(sums));
	printf("%d\n", h);
	return 0;
}
