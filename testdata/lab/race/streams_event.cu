// Two streams: the second waits for an event that the first records behind its kernel: right.
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
	cudaStream_t one, two;
	cudaEvent_t written;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaStreamCreate(&one));
	CHECK(cudaStreamCreate(&two));
	CHECK(cudaEventCreate(&written));
	produce<<<1, 32, 0, one>>>(a);
	CHECK(cudaEventRecord(written, one));
	CHECK(cudaStreamWaitEvent(two, written, 0));
	consume<<<1, 32, 0, two>>>(a, out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaEventDestroy(written));
	CHECK(cudaStreamDestroy(two));
	CHECK(cudaStreamDestroy(one));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
