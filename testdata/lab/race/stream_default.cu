// The default stream waits for the work of all other streams, and they wait for it: right.
// output: 31
// no finding
#include "../lab.h"

__global__ void produce(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

__global__ void consume(const int *a, int *out) {
	out[threadIdx.x] = a[31 - threadIdx.x];
}

int main() {
	int *a, *out, h;
	cudaStream_t stream;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaStreamCreate(&stream));
	produce<<<1, 32, 0, stream>>>(a);
	consume<<<1, 32>>>(a, out);
	produce<<<1, 32, 0, stream>>>(a);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
