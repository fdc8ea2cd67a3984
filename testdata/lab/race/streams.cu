// Two streams: one kernel writes what the other reads, and nothing orders the streams.
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
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	CHECK(cudaStreamCreate(&one));
	CHECK(cudaStreamCreate(&two));
	produce<<<1, 32, 0, one>>>(a);
	consume<<<1, 32, 0, two>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(two));
	CHECK(cudaStreamDestroy(one));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
