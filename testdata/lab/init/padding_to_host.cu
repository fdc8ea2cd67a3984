// The host gets structures whose padding has no value, and reads the members alone: right, as each
// copy of structures is.
// output: 31 7
// no finding
#include "../lab.h"

struct Entry {
	char key;
	int value;
};

__global__ void fill(Entry *a) {
	a[threadIdx.x].key = threadIdx.x;
	a[threadIdx.x].value = 7;
}

int main() {
	Entry *a, h[32];
	CHECK(cudaMalloc(&a, sizeof h)); // with a
	fill<<<1, 32>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost)); // note a: init output global
	CHECK(cudaFree(a));
	printf("%d %d\n", h[31].key, h[31].value);
	return 0;
}
