// Blocks tell the host by one word that there is work left. All of them write the same value, and
// nobody reads the word before the launch ends: right.
// output: 1
// no finding
#include "../lab.h"

__global__ void step(int *level, int *again) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (level[i] == 0) {
		level[i] = 1;
		*again = 1; // note: race same-value global
	}
}

int main() {
	int *level, *again, h;
	CHECK(cudaMalloc(&level, 256 * sizeof(int)));
	CHECK(cudaMalloc(&again, sizeof(int)));
	CHECK(cudaMemset(level, 0, 256 * sizeof(int)));
	CHECK(cudaMemset(again, 0, sizeof(int)));
	step<<<4, 64>>>(level, again);
	CHECK(cudaMemcpy(&h, again, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(again));
	CHECK(cudaFree(level));
	printf("%d\n", h);
	return 0;
}
