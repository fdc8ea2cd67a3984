// All lanes want the lock, and each lane that has it gives it back within the loop: right.
// output: 32
// no finding
#include "../lab.h"

__global__ void add(int *lock, volatile int *count) {
	for (bool done = false; !done;) {
		if (atomicExch(lock, 1) == 0) {
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
	add<<<1, 32>>>(a, a + 1);
	CHECK(cudaMemcpy(&h, a + 1, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
