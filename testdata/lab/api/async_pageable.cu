// The source of an asynchronous copy is ordinary memory, which the call has read when it returns.
// The host may change it at once: right.
// output: 7
// no finding
#include "../lab.h"

int main() {
	int h[32] = {7}, *a;
	cudaStream_t stream;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMemcpyAsync(a, h, sizeof h, cudaMemcpyHostToDevice, stream));
	h[0] = 8;
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
