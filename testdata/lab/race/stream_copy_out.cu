// A copy in one stream reads what a kernel in another stream writes.
// output: done
#include "../lab.h"

__global__ void produce(int *a) {
	a[threadIdx.x] = threadIdx.x; // finding a: race read-write global
}

int main() {
	int *a, *h;
	cudaStream_t one, two;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMallocHost(&h, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	CHECK(cudaStreamCreate(&one));
	CHECK(cudaStreamCreate(&two));
	produce<<<1, 32, 0, one>>>(a);
	CHECK(cudaMemcpyAsync(h, a, 32 * sizeof(int), cudaMemcpyDeviceToHost, two)); // with a
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(two));
	CHECK(cudaStreamDestroy(one));
	CHECK(cudaFreeHost(h));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
