// Block 1 waits for a flag that block 0 sets only if there is work, and there is none.
// output: the launch timed out and was terminated
// exit: 1
#include "../lab.h"

__global__ void wait(volatile int *flag, int work, int *out) {
	if (blockIdx.x == 0) {
		if (work > 0)
			*flag = 1;
	} else {
		while (*flag == 0) // finding: sync endless
			;
		*out = 1;
	}
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	wait<<<2, 1>>>(a, 0, a + 1);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
