// Block 0 writes and fences, and block 1 fences and reads. A fence makes nobody wait: without a
// flag, block 1 may read before block 0 writes.
// output: done
#include "../lab.h"

__global__ void pass(int *data, int *out) {
	if (blockIdx.x == 0) {
		*data = 42; // finding a: race read-write global
		__threadfence();
	} else {
		__threadfence();
		*out = *data; // with a
	}
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	pass<<<2, 1>>>(a, a + 1);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
