// All threads of a block store, but thread 0 takes the ticket without a barrier before: its fence
// does not wait for the stores of the other warp.
// output: done
#include "../lab.h"

__global__ void sum(int *values, unsigned *tickets, int *out) {
	__shared__ bool last;
	values[blockIdx.x * 64 + threadIdx.x] = 1; // finding a: race read-write global
	__threadfence();
	if (threadIdx.x == 0)
		last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
	__syncthreads();
	if (last)
		for (int b = 0; b < gridDim.x; b++)
			atomicAdd(out, values[b * 64 + threadIdx.x]); // with a
}

int main() {
	int *values, *out;
	unsigned *tickets;
	CHECK(cudaMalloc(&values, 256 * sizeof(int)));
	CHECK(cudaMalloc(&tickets, sizeof(unsigned)));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(values, 0, 256 * sizeof(int)));
	CHECK(cudaMemset(tickets, 0, sizeof(unsigned)));
	CHECK(cudaMemset(out, 0, sizeof(int)));
	sum<<<4, 64>>>(values, tickets, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(tickets));
	CHECK(cudaFree(values));
	puts("done");
	return 0;
}
