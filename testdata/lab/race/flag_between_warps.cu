// Warp 0 hands data to warp 1 through shared memory: data, a fence of the block, a volatile flag.
// Warp 1 waits for the flag: right.
// output: 42
// no finding
#include "../lab.h"

__global__ void pass(int *out) {
	__shared__ int data;
	__shared__ volatile int flag;
	if (threadIdx.x == 0)
		flag = 0;
	__syncthreads();
	if (threadIdx.x == 0) {
		data = 42;
		__threadfence_block();
		flag = 1;
	}
	if (threadIdx.x == 32) {
		while (flag == 0)
			;
		__threadfence_block();
		*out = data;
	}
}

int main() {
	int *out, h;
	CHECK(cudaMalloc(&out, sizeof(int)));
	pass<<<1, 64>>>(out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h);
	return 0;
}
