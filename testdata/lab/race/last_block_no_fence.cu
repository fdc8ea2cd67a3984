// A block takes its ticket without a fence before: the last block may read the sums too early. The
// ticket alone orders nothing.
// output: done
#include "../lab.h"

__global__ void sum(int *sums, unsigned *tickets, int *out) {
	__shared__ bool last;
	if (threadIdx.x == 0) {
		sums[blockIdx.x] = blockIdx.x; // finding a: race read-write global
		last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last)
		atomicAdd(out, sums[threadIdx.x]); // with a
}

int main() {
	int *sums, *out;
	unsigned *tickets;
	CHECK(cudaMalloc(&sums, 32 * sizeof(int)));
	CHECK(cudaMalloc(&tickets, sizeof(unsigned)));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(tickets, 0, sizeof(unsigned)));
	CHECK(cudaMemset(out, 0, sizeof(int)));
	sum<<<32, 32>>>(sums, tickets, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(tickets));
	CHECK(cudaFree(sums));
	puts("done");
	return 0;
}
