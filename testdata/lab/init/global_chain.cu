// A kernel copies memory that nobody wrote, and the host copies the copy: both are silent. A second
// kernel decides by the values; their origin is the load of the first kernel.
// output: done
#include "../lab.h"

__global__ void copy(const int *from, int *to) {
	to[threadIdx.x] = from[threadIdx.x]; // with a
}

__global__ void count(const int *a, int *out) {
	if (a[threadIdx.x] > 0) // finding a: init branch global
		atomicAdd(out, 1);
}

int main() {
	int *a, *b, *c, *out;
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaMalloc(&b, 128));
	CHECK(cudaMalloc(&c, 128));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(out, 0, sizeof(int)));
	copy<<<1, 32>>>(a, b);
	CHECK(cudaMemcpy(c, b, 128, cudaMemcpyDeviceToDevice));
	count<<<1, 32>>>(c, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(c));
	CHECK(cudaFree(b));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
