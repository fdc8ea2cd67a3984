// All lanes want one lock. The lane that has it does its work and gives the lock back in the same
// round of the loop, and fences stand on both sides: right.
// output: 128
// no finding
#include "../lab.h"

__global__ void add(int *lock, volatile int *count) {
	bool done = false;
	while (!done) {
		if (atomicCAS(lock, 0, 1) == 0) {
			__threadfence();
			*count = *count + 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
	}
}

int main() {
	int *a, h;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	add<<<2, 64>>>(a, a + 1);
	CHECK(cudaMemcpy(&h, a + 1, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
