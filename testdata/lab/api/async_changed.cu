// The host changes page-locked memory behind an asynchronous copy, before it waits for the stream:
// the device may get the new value.
// output: done
#include "../lab.h"

int main() {
	int *h, *a;
	cudaStream_t stream;
	CHECK(cudaMallocHost(&h, 128));
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaStreamCreate(&stream));
	for (int i = 0; i < 32; i++)
		h[i] = i;
	CHECK(cudaMemcpyAsync(a, h, 128, cudaMemcpyHostToDevice, stream)); // finding: api early-change
	h[5] = -1;
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	CHECK(cudaFreeHost(h));
	puts("done");
	return 0;
}
