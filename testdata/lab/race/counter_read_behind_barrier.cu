// One block counts by atomic additions, and reads the count with a plain load behind a barrier:
// right.
// output: 64
// no finding
#include "../lab.h"

__global__ void count(int *counter, int *out) {
	atomicAdd(counter, 1);
	__syncthreads();
	if (threadIdx.x == 32)
		*out = *counter;
}

int main() {
	int *counter, *out, h;
	CHECK(cudaMalloc(&counter, sizeof(int)));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(counter, 0, sizeof(int)));
	count<<<1, 64>>>(counter, out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(counter));
	printf("%d\n", h);
	return 0;
}
