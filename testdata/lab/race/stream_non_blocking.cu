// A stream that does not wait for the default stream: the kernel there may read before the kernel
// of the default stream writes.
// output: done
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x; // finding a: race read-write global
}

__global__ void copy(const int *a, int *out) {
	out[threadIdx.x] = a[threadIdx.x]; // with a
}

int main() {
	int *a, *out;
	cudaStream_t apart;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
	fill<<<1, 32>>>(a);
	copy<<<1, 32, 0, apart>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(apart));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
