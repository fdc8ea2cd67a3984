// One launch writes what the next reads; a device variable and a constant without initialisers are
// zero. Right.
// output: 31
// no finding
#include "../lab.h"

__device__ int base[32];
__constant__ int offset[32];

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

__global__ void add(const int *a, int *out) {
	int t = threadIdx.x;
	out[t] = a[t] + base[t] + offset[t];
}

int main() {
	int *a, *out, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	fill<<<1, 32>>>(a);
	add<<<1, 32>>>(a, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[31]);
	return 0;
}
