// Two page-locked buffers take turns, and the program waits for the event of a buffer before it
// fills that buffer again: right.
// output: done
// no finding
#include "../lab.h"

int main() {
	int *h[2], *a;
	cudaStream_t stream;
	cudaEvent_t copied[2];
	CHECK(cudaMalloc(&a, 6 * 128));
	CHECK(cudaStreamCreate(&stream));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaMallocHost(&h[i], 128));
		CHECK(cudaEventCreate(&copied[i]));
	}
	for (int round = 0; round < 6; round++) {
		int *from = h[round % 2];
		CHECK(cudaEventSynchronize(copied[round % 2]));
		for (int i = 0; i < 32; i++)
			from[i] = 100 * round + i;
		CHECK(cudaMemcpyAsync(a + 32 * round, from, 128, cudaMemcpyHostToDevice, stream));
		CHECK(cudaEventRecord(copied[round % 2], stream));
	}
	CHECK(cudaStreamSynchronize(stream));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaFreeHost(h[i]));
		CHECK(cudaEventDestroy(copied[i]));
	}
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
