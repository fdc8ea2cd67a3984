// A lock by tickets: each block waits for its number, and hands the lock on behind a fence: right.
// output: 36
// no finding
#include "../lab.h"

__global__ void add(int *next, volatile int *serving, volatile int *sum) {
	int mine = atomicAdd(next, 1);
	while (*serving != mine)
		;
	__threadfence();
	*sum = *sum + blockIdx.x + 1;
	__threadfence();
	*serving = mine + 1;
}

int main() {
	int *a, h;
	CHECK(cudaMalloc(&a, 3 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 3 * sizeof(int)));
	add<<<8, 1>>>(a, a + 1, a + 2);
	CHECK(cudaMemcpy(&h, a + 2, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
