// All lanes of a warp wait for one lock in a loop with no body. The lane that has the lock waits
// for the others to leave the loop, and never gives it back.
// output: the launch timed out and was terminated
// exit: 1
#include "../lab.h"

__global__ void add(int *lock, volatile int *count) {
	while (atomicCAS(lock, 0, 1) != 0) // finding: sync endless
		;
	*count = *count + 1;
	atomicExch(lock, 0);
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	add<<<1, 32>>>(a, a + 1);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
