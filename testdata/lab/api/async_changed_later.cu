// The host changes page-locked memory after it has waited for the stream: right.
// output: done
// no finding
#include "../lab.h"

int main() {
	int *h, *a;
	cudaStream_t stream;
	CHECK(cudaMallocHost(&h, 128));
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaStreamCreate(&stream));
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 32; i++)
			h[i] = round * i;
		CHECK(cudaMemcpyAsync(a, h, 128, cudaMemcpyHostToDevice, stream));
		CHECK(cudaStreamSynchronize(stream));
	}
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	CHECK(cudaFreeHost(h));
	puts("done");
	return 0;
}
