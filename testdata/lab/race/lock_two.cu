// Even and odd blocks take different locks for one counter: the locks do not exclude each other.
// output: done
#include "../lab.h"

__global__ void add(int *locks, int *count) {
	int *lock = &locks[blockIdx.x % 2];
	while (atomicCAS(lock, 0, 1) != 0)
		;
	__threadfence();
	*count += 1; // finding: race read-write|write-write global
	__threadfence();
	atomicExch(lock, 0);
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 3 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 3 * sizeof(int)));
	add<<<4, 1>>>(a, a + 2);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
