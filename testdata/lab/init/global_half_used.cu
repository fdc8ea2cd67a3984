// One int of each pair is written. The pair is read by one load, and the written int alone is used:
// right.
// output: 31
// no finding
#include "../lab.h"

__global__ void fill(int2 *a) {
	a[threadIdx.x].x = threadIdx.x;
}

__global__ void halves(const volatile long long *a, int *out) {
	out[threadIdx.x] = (int)a[31 - threadIdx.x];
}

int main() {
	int2 *a;
	int *out, h[32];
	CHECK(cudaMalloc(&a, 32 * sizeof(int2)));
	CHECK(cudaMalloc(&out, sizeof h));
	fill<<<1, 32>>>(a);
	halves<<<1, 32>>>((long long *)a, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
