// The program asks for the last error before the launch that fails, and not after it.
// output: done
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 600 * sizeof(int)));
	fill<<<1, 300>>>(a);
	CHECK(cudaGetLastError());
	fill<<<1, 600>>>(a); // finding: api unchecked
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
