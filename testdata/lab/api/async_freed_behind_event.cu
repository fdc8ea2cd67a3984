// The program waits for an event behind the copy before it frees the page-locked memory: right.
// output: done
// no finding
#include "../lab.h"

int main() {
	int *h, *a;
	cudaStream_t stream;
	cudaEvent_t copied;
	CHECK(cudaMallocHost(&h, 128));
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaEventCreate(&copied));
	for (int i = 0; i < 32; i++)
		h[i] = i;
	CHECK(cudaMemcpyAsync(a, h, 128, cudaMemcpyHostToDevice, stream));
	CHECK(cudaEventRecord(copied, stream));
	CHECK(cudaEventSynchronize(copied));
	CHECK(cudaFreeHost(h));
	CHECK(cudaEventDestroy(copied));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
