// The address of a device variable is no allocation, and must not be freed: right.
// output: 12
// no finding
#include "../lab.h"

__device__ int table[4];

__global__ void add(int *a) {
	a[threadIdx.x] += 10;
}

int main() {
	int h[4] = {1, 2, 3, 4}, *a;
	CHECK(cudaMemcpyToSymbol(table, h, sizeof h));
	CHECK(cudaGetSymbolAddress((void **)&a, table));
	add<<<1, 4>>>(a);
	CHECK(cudaMemcpyFromSymbol(h, table, sizeof h));
	printf("%d\n", h[1]);
	return 0;
}
