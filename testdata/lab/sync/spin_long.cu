// Block 1 waits long for a flag that block 0 sets after much work. The wait ends: right.
// output: 1000
// no finding
#include "../lab.h"

__global__ void wait(volatile int *flag, volatile int *data) {
	if (blockIdx.x == 0) {
		for (int i = 0; i < 1000; i++)
			*data = *data + 1;
		__threadfence();
		*flag = 1;
	} else {
		while (*flag == 0)
			;
		__threadfence();
		*(data + 1) = *data;
	}
}

int main() {
	int *a, h;
	CHECK(cudaMalloc(&a, 3 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 3 * sizeof(int)));
	wait<<<2, 1>>>(a, a + 1);
	CHECK(cudaMemcpy(&h, a + 2, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
