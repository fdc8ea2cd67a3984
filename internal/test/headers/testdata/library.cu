// What kernels take from the C library: printf, assert, clock, copies, and threadIdx as a value.
#include "check.h"

__global__ void say(int *out) {
	printf("thread %d of %d: %s %.2f\n", threadIdx.x, blockDim.x, "half is", 0.5);
	assert(blockDim.x == 2);
	uint3 thread = threadIdx;
	dim3 block = blockDim, grid = gridDim;
	uint3 which = blockIdx;
	clock_t before = clock();
	long long long_before = clock64();
	int from[4] = {1, 2, 3, 4}, to[4];
	memset(to, 0, sizeof to);
	memcpy(to, from + 1, 3 * sizeof(int));
	int *mine = out + 8 * thread.x;
	mine[0] = to[0] + 10 * to[1] + 100 * to[2] + 1000 * to[3];
	mine[1] = block.x + 10 * block.y + 100 * grid.x + 1000 * which.x;
	mine[2] = clock() - before >= 0;
	mine[3] = clock64() - long_before >= 0;
	mine[4] = warpSize;
	__threadfence_block();
	__threadfence();
	__threadfence_system();
	mine[5] = __ldg(mine);
}

__global__ void insist(int x) { assert(x == 3 && "three"); }

int main() {
	Shared<int> out(16);
	say<<<1, 2>>>(out.device);
	finish();
	for (int i = 0; i < 2; i++) {
		int *mine = out.host + 8 * i;
		same(432, mine[0]);
		same(112, mine[1]);
		same(1, mine[2]);
		same(1, mine[3]);
		same(32, mine[4]);
		same(432, mine[5]);
	}
	insist<<<1, 1>>>(3);
	finish();
	insist<<<1, 1>>>(4);
	same(true, cudaDeviceSynchronize() != cudaSuccess);
	return verdict();
}
