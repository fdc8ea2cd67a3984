// The counter of an atomic addition was never set to zero.
// output: done
#include "../lab.h"

__global__ void count(int *counter) {
	atomicAdd(counter, 1); // with a
}

int main() {
	int *counter, h;
	CHECK(cudaMalloc(&counter, sizeof(int)));
	count<<<2, 32>>>(counter);
	CHECK(cudaMemcpy(&h, counter, sizeof(int), cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaFree(counter));
	puts("done");
	return 0;
}
