// The host wants the result, and names the other direction.
// output: invalid argument
// exit: 1
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

int main() {
	int *a, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	fill<<<1, 32>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyHostToDevice)); // finding: api copy-kind
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
