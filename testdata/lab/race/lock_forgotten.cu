// Block 0 adds under the lock, and block 1 adds without it.
// output: done
#include "../lab.h"

__global__ void add(int *lock, int *count) {
	if (blockIdx.x == 0) {
		while (atomicCAS(lock, 0, 1) != 0)
			;
		__threadfence();
		*count += 1; // finding a: race read-write|write-write global
		__threadfence();
		atomicExch(lock, 0);
	} else {
		*count += 2; // with a
	}
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	add<<<2, 1>>>(a, a + 1);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
