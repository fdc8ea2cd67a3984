// The host writes into the page-locked memory that an asynchronous copy fills, before it waits: the
// copy may come later and overwrite that value, or earlier.
// output: done
#include "../lab.h"

int main() {
	int *h, *a;
	cudaStream_t stream;
	CHECK(cudaMallocHost(&h, 128));
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaMemset(a, 0, 128));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMemcpyAsync(h, a, 128, cudaMemcpyDeviceToHost, stream)); // finding: api early-change
	h[0] = 99;
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	CHECK(cudaFreeHost(h));
	puts("done");
	return 0;
}
