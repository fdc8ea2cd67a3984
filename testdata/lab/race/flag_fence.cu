// Block 0 writes data, a fence, then a volatile flag; block 1 waits for the flag, a fence, and
// reads the data: right.
// output: 42
// no finding
#include "../lab.h"

__global__ void pass(int *data, volatile int *flag, int *out) {
	if (blockIdx.x == 0) {
		*data = 42;
		__threadfence();
		*flag = 1;
	} else {
		while (*flag == 0)
			;
		__threadfence();
		*out = *data;
	}
}

int main() {
	int *a, h;
	CHECK(cudaMalloc(&a, 3 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 3 * sizeof(int)));
	pass<<<2, 1>>>(a, a + 1, a + 2);
	CHECK(cudaMemcpy(&h, a + 2, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
