// The kernel reads a table that the program freed before the launch.
// output: an illegal memory access was encountered
// exit: 1
#include "../lab.h"

__global__ void copy(const int *table, int *out) {
	out[threadIdx.x] = table[threadIdx.x]; // finding a: memory after-free global
}

int main() {
	int *table, *out;
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaMalloc(&table, 8192));
	CHECK(cudaMemset(table, 0, 8192));
	CHECK(cudaFree(table)); // with a
	copy<<<1, 32>>>(table, out);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
