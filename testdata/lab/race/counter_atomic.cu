// The blocks count by an atomic addition, and the host reads the count after the launch: right.
// output: 256
// no finding
#include "../lab.h"

__global__ void count(int *counter) {
	atomicAdd(counter, 1);
}

int main() {
	int *counter, h;
	CHECK(cudaMalloc(&counter, sizeof(int)));
	CHECK(cudaMemset(counter, 0, sizeof(int)));
	count<<<8, 32>>>(counter);
	CHECK(cudaMemcpy(&h, counter, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(counter));
	printf("%d\n", h);
	return 0;
}
