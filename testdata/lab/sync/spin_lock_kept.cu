// The first block that has the lock leaves by an early return and keeps it: the other blocks wait
// for ever.
// output: the launch timed out and was terminated
// exit: 1
#include "../lab.h"

__global__ void add(int *lock, volatile int *count, int first) {
	while (atomicCAS(lock, 0, 1) != 0) // finding: sync endless
		;
	__threadfence();
	if (*count == first)
		return;
	*count = *count + 1;
	__threadfence();
	atomicExch(lock, 0);
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	add<<<4, 1>>>(a, a + 1, 0);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
