// Both owners of a buffer free it.
// output: the second call failed
#include "../lab.h"

int main() {
	int *first;
	CHECK(cudaMalloc(&first, 64));
	int *second = first;
	CHECK(cudaFree(first)); // with a
	cudaError_t result = cudaFree(second); // finding a: memory double-free global
	if (result != cudaSuccess)
		puts("the second call failed");
	cudaGetLastError();
	return 0;
}
