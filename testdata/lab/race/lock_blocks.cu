// One thread of each block takes a lock, adds, fences and gives the lock back: right.
// output: 8
// no finding
#include "../lab.h"

__global__ void add(int *lock, volatile int *count) {
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0, 1) != 0)
			;
		__threadfence();
		*count = *count + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}

int main() {
	int *a, h;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	add<<<8, 32>>>(a, a + 1);
	CHECK(cudaMemcpy(&h, a + 1, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
