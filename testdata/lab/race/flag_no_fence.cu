// Block 0 writes data and then a flag, without a fence: block 1 may see the flag before the data.
// output: done
#include "../lab.h"

__global__ void pass(int *data, int *flag, int *out) {
	if (blockIdx.x == 0) {
		*data = 42; // finding a: race read-write global
		atomicExch(flag, 1);
	} else {
		while (atomicAdd(flag, 0) == 0)
			;
		__threadfence();
		*out = *data; // with a
	}
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 3 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 3 * sizeof(int)));
	pass<<<2, 1>>>(a, a + 1, a + 2);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
