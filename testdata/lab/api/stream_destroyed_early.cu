// The stream is destroyed while it may have work left. Its work is finished all the same, and the
// program waits for the device before it frees: right.
// output: 31
// no finding
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

int main() {
	int *a, *h;
	cudaStream_t stream;
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaMallocHost(&h, 128));
	CHECK(cudaStreamCreate(&stream));
	fill<<<1, 32, 0, stream>>>(a);
	CHECK(cudaMemcpyAsync(h, a, 128, cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaDeviceSynchronize());
	printf("%d\n", h[31]);
	CHECK(cudaFreeHost(h));
	CHECK(cudaFree(a));
	return 0;
}
