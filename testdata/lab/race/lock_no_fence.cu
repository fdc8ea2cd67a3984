// The lock is given back without a fence: the next owner may get the lock before the new count.
// output: done
#include "../lab.h"

__global__ void add(int *lock, int *count) {
	while (atomicCAS(lock, 0, 1) != 0)
		;
	*count += 1; // finding: race read-write|write-write global
	atomicExch(lock, 0);
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	add<<<4, 1>>>(a, a + 1);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
