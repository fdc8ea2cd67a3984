// A copy to the device in one stream and a kernel in another: the kernel may read before the copy
// comes.
// output: done
#include "../lab.h"

__global__ void consume(const int *a, int *out) {
	out[threadIdx.x] = a[threadIdx.x]; // finding a: race read-write global
}

int main() {
	int *a, *out, *h;
	cudaStream_t one, two;
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaMalloc(&out, 128));
	CHECK(cudaMallocHost(&h, 128));
	CHECK(cudaMemset(a, 0, 128));
	for (int i = 0; i < 32; i++)
		h[i] = i;
	CHECK(cudaStreamCreate(&one));
	CHECK(cudaStreamCreate(&two));
	CHECK(cudaMemcpyAsync(a, h, 128, cudaMemcpyHostToDevice, one)); // with a
	consume<<<1, 32, 0, two>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(two));
	CHECK(cudaStreamDestroy(one));
	CHECK(cudaFreeHost(h));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
