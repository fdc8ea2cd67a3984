// Memory that nobody wrote is copied by a kernel and by the host. Later it is written, before
// anyone uses it: right.
// output: 32
// no finding
#include "../lab.h"

__global__ void copy(const int *from, int *to) {
	to[threadIdx.x] = from[threadIdx.x];
}

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x + 1;
}

int main() {
	int *a, *b, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&b, sizeof h));
	copy<<<1, 32>>>(a, b);
	CHECK(cudaMemcpy(a, b, sizeof h, cudaMemcpyDeviceToDevice));
	fill<<<1, 32>>>(a);
	copy<<<1, 32>>>(a, b);
	CHECK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(b));
	CHECK(cudaFree(a));
	printf("%d\n", h[31]);
	return 0;
}
