// One page-locked buffer feeds several asynchronous copies. Nobody waits before the buffer is
// filled again.
// output: done
#include "../lab.h"

int main() {
	int *h, *a;
	cudaStream_t stream;
	CHECK(cudaMallocHost(&h, 128));
	CHECK(cudaMalloc(&a, 4 * 128));
	CHECK(cudaStreamCreate(&stream));
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < 32; i++)
			h[i] = 100 * round + i;
		CHECK(cudaMemcpyAsync(a + 32 * round, h, 128, cudaMemcpyHostToDevice, stream)); // finding: api early-change
	}
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	CHECK(cudaFreeHost(h));
	puts("done");
	return 0;
}
