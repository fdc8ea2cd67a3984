// The second stream waits for an event, but the first records that event before its kernel instead
// of behind it.
// output: done
#include "../lab.h"

__global__ void produce(int *a) {
	a[threadIdx.x] = threadIdx.x; // finding a: race read-write global
}

__global__ void consume(const int *a, int *out) {
	out[threadIdx.x] = a[threadIdx.x]; // with a
}

int main() {
	int *a, *out;
	cudaStream_t one, two;
	cudaEvent_t written;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	CHECK(cudaStreamCreate(&one));
	CHECK(cudaStreamCreate(&two));
	CHECK(cudaEventCreate(&written));
	CHECK(cudaEventRecord(written, one));
	produce<<<1, 32, 0, one>>>(a);
	CHECK(cudaStreamWaitEvent(two, written, 0));
	consume<<<1, 32, 0, two>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventDestroy(written));
	CHECK(cudaStreamDestroy(two));
	CHECK(cudaStreamDestroy(one));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
