// The blocks count by a plain addition: two blocks may read the same count.
// output: done
#include "../lab.h"

__global__ void count(int *counter) {
	if (threadIdx.x == 0)
		*counter += 1; // finding: race read-write|write-write global
}

int main() {
	int *counter;
	CHECK(cudaMalloc(&counter, sizeof(int)));
	CHECK(cudaMemset(counter, 0, sizeof(int)));
	count<<<8, 32>>>(counter);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(counter));
	puts("done");
	return 0;
}
