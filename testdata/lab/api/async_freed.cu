// Page-locked memory is freed while an asynchronous copy may still read it.
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
	CHECK(cudaMemcpyAsync(a, h, 128, cudaMemcpyHostToDevice, stream)); // with a
	CHECK(cudaFreeHost(h)); // finding a: api early-free
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
