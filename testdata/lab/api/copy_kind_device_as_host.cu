// Both pointers are the device's, and the copy is said to come from the host.
// output: invalid argument
#include "../lab.h"

int main() {
	int *a, *b;
	CHECK(cudaMalloc(&a, 128));
	CHECK(cudaMalloc(&b, 128));
	CHECK(cudaMemset(a, 0, 128));
	cudaError_t result = cudaMemcpy(b, a, 128, cudaMemcpyHostToDevice); // finding: api copy-kind
	CHECK(cudaFree(b));
	CHECK(cudaFree(a));
	if (result != cudaSuccess)
		puts(cudaGetErrorString(result));
	return 0;
}
